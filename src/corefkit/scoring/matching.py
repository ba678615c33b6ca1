"""What a rule of matching needs to know of mentions besides their spans: heads, minimum spans."""

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import DataError, Incident
from corefkit.data.options import Options


def make_ready(
    key: Corpus, response: Corpus, texts: tuple[Corpus, Corpus], options: Options
) -> tuple[Corpus, Corpus, list[Incident]]:
    """Both sides with the columns that the rule of the options looks at.

    `texts` are the corpora as they were read. Errors where the files do not tell.
    """
    if options.match in ("head", "partial"):
        from corefkit.scoring.heads import find_heads

        return find_heads(key, response, texts[0], options)
    try:
        if options.match == "mina":
            return *_with_minima(key, response, texts, options), []
        if options.match == "semeval":
            from corefkit.mentions.semeval_heads import with_semeval_heads

            return with_semeval_heads(key, texts[0]), response, []
    except DataError as error:
        return key, response, list(error.incidents)
    return key, response, []


def _with_minima(
    key: Corpus, response: Corpus, texts: tuple[Corpus, Corpus], options: Options
) -> tuple[Corpus, Corpus]:
    from corefkit.mentions.alike import with_alike, with_alike_texts

    if options.duplicates == "coval":
        return with_alike_texts(key, response, *texts)
    return with_alike(key, response, texts[0])
