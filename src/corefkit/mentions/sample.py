"""Worked examples: a text of tagged letters, with chains of letters on both sides."""

from typing import NamedTuple

from corefkit.data.corpus import Corpus


class Sample(NamedTuple):
    """Letters with their tags, as in "A/NN b/PRP", and chains of letters, as in "Ab CD"."""

    text: str
    key: str
    response: str

    def corpora(self) -> tuple[Corpus, Corpus]:
        """Key and response, read from text as if from files."""
        from corefkit.formats.conll.reader import parse

        sides = (self.key, self.response)
        key, response = (parse(self._conll(side).encode(), "example") for side in sides)
        return key, response

    def _conll(self, chains: str) -> str:
        chain = {letter: number for number, word in enumerate(chains.split()) for letter in word}
        lines = ["#begin document example"]
        for place, token in enumerate(self.text.split()):
            letter, _, tag = token.partition("/")
            cell = f"({chain[letter]})" if letter in chain else "-"
            lines.append("\t".join(["example", "0", str(place), letter, tag, *"*----*", cell]))
        return "\n".join([*lines, "#end document", ""])
