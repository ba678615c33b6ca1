"""Pronouns and nouns, recognised by part-of-speech tags or, without tags, by word lists.

The tagset of a corpus is detected from its tags (`detect_tagset`), its language from the name of
its file or from its common words. The word lists are in languages.toml, which is read on demand.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import cache
from typing import TYPE_CHECKING, Any
from unicodedata import combining, normalize

from corefkit.core.carriers import frozen

if TYPE_CHECKING:
    from corefkit.core.arrays import BoolArray


LANGUAGES: dict[str, str] = {
    "ar": "Arabic",
    "ca": "Catalan",
    "cs": "Czech",
    "cu": "Old Church Slavonic",
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "grc": "Ancient Greek",
    "he": "Hebrew",
    "hi": "Hindi",
    "hu": "Hungarian",
    "it": "Italian",
    "ja": "Japanese",
    "ko": "Korean",
    "la": "Latin",
    "lt": "Lithuanian",
    "nb": "Norwegian Bokmål",
    "nl": "Dutch",
    "nn": "Norwegian Nynorsk",
    "pl": "Polish",
    "ru": "Russian",
    "tr": "Turkish",
    "zh": "Chinese",
}
"""The languages with a list of pronouns, by code."""

_OTHER_CODES = {"hbo": "he", "no_bokmaalnarc": "nb", "no_nynorsknarc": "nn", "no": "nb"}
"""Other codes of these languages in file names."""

_SHARE, _MARGIN, _LEAST = 0.1, 1.3, 3
"""A text is in a language if at least this share of its words, and at least _LEAST of them, are
common words of the language, and _MARGIN times as many as for any other language."""

_TYPES = 500
"""The number of most frequent words that are examined; common words are among them."""


@frozen
class WordLists:
    """The pronouns of a language (`words`), and common words by which it is recognised.

    With `marks`, vowel points and accents are ignored.
    """

    code: str
    name: str
    words: frozenset[str]
    common: frozenset[str]
    marks: bool = False

    def is_pronoun(self, word: str) -> bool:
        """Whether a word is a pronoun, regardless of case."""
        return self.plain(word) in self.words

    def plain(self, word: str) -> str:
        """The word in the form of the lists: in lower case, without marks if they are ignored."""
        return _unmarked(word.lower()) if self.marks else word.lower()


def _unmarked(word: str) -> str:
    return "".join(c for c in normalize("NFD", word) if not combining(c))


@cache
def language(code: str) -> WordLists:
    """The word lists of a language, by its code in LANGUAGES.

    >>> language("nl").is_pronoun("Zij"), language("nl").is_pronoun("we"), language("nl").name
    (True, True, 'Dutch')
    """
    entry = _entries()[code]
    marks = bool(entry.get("marks", False))
    lists = {name: str(entry.get(name, "")).split() for name in ("pronouns", "stems", "endings")}
    words = [*lists["pronouns"], *lists["stems"]]
    words += [stem + ending for stem in lists["stems"] for ending in lists["endings"]]
    pronouns, common = (
        frozenset(map(_unmarked, listed) if marks else listed)
        for listed in (words, str(entry["common"]).split())
    )
    return WordLists(code, str(entry["name"]), pronouns, common, marks)


@cache
def _entries() -> Mapping[str, Mapping[str, object]]:
    import tomllib
    from importlib.resources import files

    return tomllib.loads(files("corefkit.core").joinpath("languages.toml").read_text("utf-8"))


def language_of_path(path: str) -> str | None:
    """The code of the language that the path of a file indicates; None if it indicates none.

    File names of CorefUD and Universal Dependencies begin with a code; the folders of OntoNotes
    are named after languages.

    >>> language_of_path("nl_x-corefud-dev.conllu"), language_of_path("data/chinese/key.conll")
    ('nl', 'zh')
    >>> language_of_path("key.conll"), language_of_path("english/chinese/a.conll")
    (None, None)
    """
    *folders, name = path.replace("\\", "/").split("/")
    if match := re.match(r"([a-z]{2,3})(_[a-z0-9]+)-(?:corefud|ud)-", name):
        code = _OTHER_CODES.get(match[1] + match[2], _OTHER_CODES.get(match[1], match[1]))
        return code if code in LANGUAGES else None
    by_name = {name.lower(): code for code, name in LANGUAGES.items()}
    codes = {by_name[folder.lower()] for folder in folders if folder.lower() in by_name}
    return codes.pop() if len(codes) == 1 else None


def language_of_words(frequency: Mapping[str, int]) -> str | None:
    """The code of the language of a text, from its word frequencies; None if it is unclear.

    >>> language_of_words({"de": 9, "het": 4, "een": 5, "we": 2, "kat": 30})
    'nl'
    >>> language_of_words({"xyzzy": 9, "the": 1}) is None
    True
    """
    total = sum(frequency.values())
    frequent = dict(sorted(frequency.items(), key=lambda item: -item[1])[:_TYPES])
    counts = sorted(((_common(code, frequent), code) for code in LANGUAGES), reverse=True)
    (most, code), (second, _), *_ = counts
    clear = most >= max(_LEAST, _SHARE * total, _MARGIN * second)
    return code if clear else None


def _common(code: str, frequency: Mapping[str, int]) -> int:
    """The number of common words of a language among these words."""
    lists = language(code)
    return sum(n for word, n in frequency.items() if lists.plain(word) in lists.common)


Predicate = Callable[[str], object]
"""A function from a tag to a truth value."""


@frozen
class Tagset:
    """A part-of-speech tagset: its tags of nouns and pronouns.

    You can make your own, with predicates and a name for the signature.

    Attributes:
        name: its name in the signature.
        noun: whether a tag is that of a noun. A mention of one token is nominal if its tag is.
        pronoun: whether a tag is that of a pronoun.
        nominal: optional: a function from the mentions of a side to bool (mentions,), to define
            nominal mentions in another way; by default, mentions of several tokens and nouns are.
        marks: the tags by which the tagset is recognised.
        title: its full name.

    >>> penn = TAGSETS["penn"]
    >>> penn.noun("NNP"), penn.pronoun("PRP$"), penn.noun("VB")
    (True, True, False)
    """

    name: str
    noun: Predicate
    pronoun: Predicate
    nominal: "Callable[[Any], BoolArray | Sequence[bool]] | None" = None
    marks: frozenset[str] = field(default=frozenset(), repr=False)
    title: str = field(default="", repr=False)

    def __str__(self) -> str:
        return self.name


def _tagset(name: str, title: str, nouns: str, pronouns: str, marks: str) -> Tagset:
    noun, pronoun, known = (frozenset(tags.split()) for tags in (nouns, pronouns, marks))
    return Tagset(name, noun.__contains__, pronoun.__contains__, marks=known, title=title)


def _has_nn(tag: str) -> bool:
    return "NN" in tag


_PENN = "NNS NNP NNPS PRP PRP$ VB VBD VBG VBN VBP VBZ MD TO IN WP WP$ WDT WRB POS EX RB RBR JJR JJS"
_ARABIC = f"{_PENN} DTNN DTNNS DTNNP DTNNPS DTJJ DTJJR DTVBN DTVBG DTCD DTRP NOQ"
_CHINESE = "NR NT PN VV VA VC VE AD LC DEC DEG DEV DER AS BA LB SB SP M OD PU ETC"
_STTS = (
    "NE PPER PPOSAT PRELS ART VVFIN VAFIN VMFIN VVINF VVPP APPR APPRART ADJA ADJD KON "
    "KOUS PDS PDAT PIS PIAT PRF PTKNEG PTKVZ PTKZU PWS $. $, $("
)
_UD = "NOUN PROPN PRON VERB AUX ADP DET ADJ PUNCT SCONJ CCONJ PART NUM INTJ"
_ALPINO = "LET() BW() VG(neven) VG(onder) VZ(init) VZ(fin) VZ(versm) LID(bep,stan,rest)"

TAGSETS: dict[str, Tagset] = {
    tagset.name: tagset
    for tagset in (
        _tagset("penn", "Penn Treebank", "NN NNS NNP NNPS", "PRP PRP$", _PENN),
        replace(
            _tagset("arabic", "the Penn tags of the Arabic Treebank", "", "PRP PRP$", _ARABIC),
            noun=_has_nn,
        ),
        _tagset("chinese", "Chinese Treebank", "NN NR NT", "PN", _CHINESE),
        _tagset("stts", "German", "NN NE", "PPER PPOSAT PRELS", _STTS),
        _tagset("ud", "Universal POS", "NOUN PROPN", "PRON", _UD),
        Tagset(
            "alpino",
            lambda tag: tag.startswith(("N(", "SPEC(deeleigen")),
            lambda tag: tag.startswith("VNW("),
            marks=frozenset(_ALPINO.split()),
            title="Dutch: Alpino, D-Coi and CGN",
        ),
    )
}


def detect_tagset(frequency: Mapping[str, int]) -> Tagset | None:
    """The tagset that explains most tokens, from the tag frequencies; None if none does.

    Among tagsets that explain as many tokens, the first of TAGSETS: a corpus is Arabic only if it
    has tags that Penn lacks. If NN is the only tag, all tagsets that have it are equivalent.

    >>> print(detect_tagset({"NN": 3, "PRP": 1}), detect_tagset({"NN": 2, "PPER": 1, "VVFIN": 1}))
    penn stts
    >>> print(detect_tagset({"DTNN": 3, "PRP": 1}), detect_tagset({"x": 5}))
    arabic None
    """

    def explained(tagset: Tagset) -> int:
        return sum(n for tag, n in frequency.items() if tag in tagset.marks or tagset.noun(tag))

    best = max(TAGSETS.values(), key=explained)
    return best if explained(best) else None
