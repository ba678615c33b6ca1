"""Which tags are nouns and which are pronouns, and which tagset a corpus uses."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from corefkit.core.carriers import frozen

if TYPE_CHECKING:
    from corefkit.core.arrays import BoolArray

Predicate = Callable[[str], object]
"""Something that holds of a tag or does not."""


@frozen
class Tagset:
    """A part-of-speech tagset: what it calls nouns and pronouns.

    Both are replaceable: give your own predicates, and a name for the signature.

    Attributes:
        name: stands in the signature.
        noun: whether a tag is one of nouns. A mention of one token is nominal if its tag is.
        pronoun: whether a tag is one of pronouns.
        nominal: bool (mentions,) from the mentions of a side, for those who call other things
            nominal; without it a mention of more than one token is, and a noun.
        marks: tags by which the tagset is recognised.
        title: what people call it.

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


def detect(frequency: Mapping[str, int]) -> Tagset | None:
    """The tagset that explains most tokens, from how often each tag occurs; None if none does.

    The first of those that explain as much: a corpus is Arabic only if it has tags that Penn
    lacks. Where NN is all there is, every tagset that has it comes to the same.

    >>> str(detect({"NN": 3, "PRP": 1})), str(detect({"NN": 2, "PPER": 1, "VVFIN": 1}))
    ('penn', 'stts')
    >>> str(detect({"DTNN": 3, "PRP": 1})), detect({"x": 5})
    ('arabic', None)
    """

    def explained(tagset: Tagset) -> int:
        return sum(n for tag, n in frequency.items() if tag in tagset.marks or tagset.noun(tag))

    best = max(TAGSETS.values(), key=explained)
    return best if explained(best) else None
