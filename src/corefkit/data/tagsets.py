"""Which tags are nouns and which are pronouns, and which tagset a corpus uses."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corefkit.data.arrays import BoolArray

Predicate = Callable[[str], bool]
"""Something that holds of a tag or does not."""


@dataclass(frozen=True)
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

    >>> penn = TAGSETS["penn"]
    >>> penn.noun("NNP"), penn.pronoun("PRP$"), penn.noun("VB")
    (True, True, False)
    """

    name: str
    noun: Predicate
    pronoun: Predicate
    nominal: "Callable[[Any], BoolArray | Sequence[bool]] | None" = None
    marks: frozenset[str] = field(default=frozenset(), repr=False)

    def __str__(self) -> str:
        return self.name


def _tags(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _one_of(text: str) -> Predicate:
    return _tags(text).__contains__


def _has_nn(tag: str) -> bool:
    return "NN" in tag


_PENN = _tags(
    "NNS NNP NNPS PRP PRP$ VB VBD VBG VBN VBP VBZ MD TO IN WP WP$ WDT WRB POS EX RB RBR JJR JJS"
)

TAGSETS: dict[str, Tagset] = {
    tagset.name: tagset
    for tagset in (
        Tagset("penn", _one_of("NN NNS NNP NNPS"), _one_of("PRP PRP$"), marks=_PENN),
        Tagset(
            "arabic",
            _has_nn,
            _one_of("PRP PRP$"),
            marks=_PENN | _tags("DTNN DTNNS DTNNP DTNNPS DTJJ DTJJR DTVBN DTVBG DTCD DTRP NOQ"),
        ),
        Tagset(
            "chinese",
            _one_of("NN NR NT"),
            _one_of("PN"),
            marks=_tags("NR NT PN VV VA VC VE AD LC DEC DEG DEV DER AS BA LB SB SP M OD PU ETC"),
        ),
        Tagset(
            "stts",
            _one_of("NN NE"),
            _one_of("PPER PPOSAT PRELS"),
            marks=_tags(
                "NE PPER PPOSAT PRELS ART VVFIN VAFIN VMFIN VVINF VVPP APPR APPRART ADJA ADJD KON "
                "KOUS PDS PDAT PIS PIAT PRF PTKNEG PTKVZ PTKZU PWS $. $, $("
            ),
        ),
        Tagset(
            "ud",
            _one_of("NOUN PROPN"),
            _one_of("PRON"),
            marks=_tags("NOUN PROPN PRON VERB AUX ADP DET ADJ PUNCT SCONJ CCONJ PART NUM INTJ"),
        ),
    )
}
"""Penn Treebank, its mapping for Arabic, Chinese Treebank, STTS (German), Universal POS."""


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
