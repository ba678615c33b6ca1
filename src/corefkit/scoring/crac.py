"""Texts of language models, read as the CRAC tasks read them: put back into the file of the key."""

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import DataError, Incident
from corefkit.data.options import UsageError

_TEXTS = ("text2text", "maverick")
"""The formats of the tasks' texts: of 2025, and the JSON of 2026."""


def as_the_task_reads(key: Corpus, response: Corpus) -> tuple[Corpus, list[Incident]]:
    """The mentions of a text on the nodes of the key, and every repair that was made.

    Whole words are aligned; marks of words that were replaced or added are lost, a mark that is
    closed without being open in its sentence becomes a mention of one word, and one that is not
    closed in it is left out. What the reader of the text said about marks is mended here, and told
    again.

    Raises UsageError where the key is no CorefUD file, or the response none of the tasks' texts.
    """
    from corefkit.formats import PLAIN, registry
    from corefkit.formats.conllu.text_reading import read_back

    files = [key.sources, response.sources]
    if not all(len(sources) == 1 for sources in files) or (
        key.sources[0].format.name != "conllu" or response.sources[0].format.name not in _TEXTS
    ):
        raise UsageError(
            "align: crac puts one text of the CRAC tasks (--response-format text2text or maverick) "
            "into one CorefUD file; see corefkit text"
        )
    (ours,), (theirs,) = files
    text = theirs.data.decode("utf-8-sig", "replace")
    try:
        found = read_back(text, ours.data, unclosed="drop", path=theirs.path, file_path=ours.path)
    except DataError as error:
        return response, list(error.incidents)
    corpus = registry.get("conllu").parse(found.data, theirs.path, PLAIN)
    return corpus, list(found.incidents)
