"""A language model that never was: it answers with the marks of examples/careful.conll.

It greets before its first answer, stops early in the second, refuses the third, and forgets to
close a mark in the fourth. inspect_example.py and lm_eval_example.py ask it.
"""

from pathlib import Path

from corefkit.integrations.answer_scores import questions

EXAMPLES = Path(__file__).parents[1]
KEY = str(EXAMPLES / "key.conll")


def answer(prompt: str) -> str:
    """What the model says to a prompt that ends with the text of a document."""
    known = questions(EXAMPLES / "careful.conll")
    place = next(n for n, question in enumerate(known) if prompt.endswith(question["text"]))
    said = known[place]["gold"]
    lines = said.splitlines()
    flawed = {
        0: f"Here is the annotated text:\n\n{said}",
        1: "\n".join(lines[: len(lines) // 2]),
        2: "I am sorry, but I cannot help with that.",
        3: said.replace("](#1)", "", 1),
    }
    return flawed.get(place, said)
