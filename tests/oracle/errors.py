"""Errors, slow and obvious, from the text of the law alone: one document at a time, sets of spans.

Heads first: a tree is (label, children), a leaf is (tag, token number).
"""

Tree = tuple[str, "list[Tree] | int"]

HEADS = """
ADJP right NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB
ADVP left RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN
CONJP left CC RB IN
FRAG left
UCP left
INTJ right
PRN right
META right
LST left LS :
NAC right NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
NX right NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
X right NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW
PP left IN TO VBG VBN RP FW
PRT left RP
QP right $ IN NNS NN JJ RB DT CD NCD QP JJR JJS
RRC left VP NP ADVP ADJP PP
S right TO IN VP S SBAR ADJP UCP NP
SBAR right WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG
SBARQ right SQ S SINV SBARQ FRAG
SINV right VBZ VBD VBP VB MD VP S SINV ADJP NP
SQ right VBZ VBD VBP VB MD VP SQ
VP right TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP
WHADJP right CC WRB JJ ADJP
WHADVP left CC WRB
WHNP right WDT WP WP$ WHADJP WHPP WHNP
WHPP left IN TO FW
"""
_TABLE = {line.split()[0]: line.split()[1:] for line in HEADS.strip().splitlines()}


def head_of_tree(tree: Tree) -> tuple[int, str]:
    """The head token of a constituent, and its tag."""
    label, inside = tree
    if isinstance(inside, int):
        return inside, label
    label = label.split("-")[0].split("=")[0] or label
    plain = [child[0].split("-")[0].split("=")[0] for child in inside]
    children = [
        ({bare, child[0]}, head_of_tree(child)) for bare, child in zip(plain, inside, strict=True)
    ]

    def matching(labels: str) -> list[tuple[int, str]]:
        wanted = set(labels.split())
        return [head for own, head in children if wanted & {*own, head[1]}]

    if label in ("NP", "NML"):
        wanted = ["right NN NNP NNPS NNS NX POS JJR", "left NP NML", "right $ ADJP PRN"]
        wanted += ["right CD", "right JJ JJS RB QP"]
        side, found = "right", children[-1][1][1] == "POS" and children[-1][1]
    else:
        side, *labels = _TABLE.get(label, ["right"])
        wanted, found = [f"{side} {one}" for one in labels], False
    for entry in wanted:
        if not found and matching(entry):
            found = matching(entry)[0 if entry.startswith("left") else -1]
    return found or children[0 if side == "left" else -1][1]


def trees_over(tree: Tree) -> dict[tuple[int, int], Tree]:
    """The lowest constituent over each span of tokens that has one."""
    found: dict[tuple[int, int], Tree] = {}

    def visit(node: Tree) -> tuple[int, int]:
        _, inside = node
        if isinstance(inside, int):
            return inside, inside
        # The children's entries are made first, so that a node over the same span comes too late.
        spans = [visit(child) for child in inside]
        span = spans[0][0], spans[-1][1]
        found.setdefault(span, node)
        return span

    visit(tree)
    return found


# The seven types, repairs and links. A side is a partition: a list of lists of mentions; mentions
# are (start, end) spans; `kind` says of each whether it is a pronoun, a name or a nominal.

Mention = tuple[int, int]
Side = list[list[Mention]]
TYPES = (
    "span",
    "extra-entity",
    "extra-mention",
    "conflated",
    "missing-entity",
    "missing-mention",
    "divided",
)


class Analysis:
    """One document: what went wrong, by the letter of the law."""

    def __init__(
        self,
        key: Side,
        response: Side,
        kind: dict[Mention, str],
        head: dict[Mention, int],
        words: list[str] | None = None,
    ) -> None:
        self.key = [sorted(entity) for entity in key]
        self.kind = kind
        self.old: dict[Mention, Mention] = {}  # the key's span → the response's span
        self._find_spans(response, head, words)
        new = {found: right for right, found in self.old.items()}
        self.response = [sorted(new.get(m, m) for m in entity) for entity in response]
        self.errors: list[tuple[str, frozenset[Mention]]] = [
            ("span", frozenset([right])) for right in self.old
        ]
        self.extra = self._wrong(self.response, self.key, "extra", "conflated")
        self.missing = self._wrong(self.key, self.response, "missing", "divided")

    def _find_spans(
        self, response: Side, head: dict[Mention, int], words: list[str] | None
    ) -> None:
        ours = {m for entity in self.key for m in entity}
        theirs = {m for entity in response for m in entity}
        wrong, free = sorted(theirs - ours), sorted(ours - theirs)
        for found in list(wrong):
            same = [m for m in free if words and trim(m, words) == trim(found, words)]
            if same:
                self.old[same[0]] = found
                free.remove(same[0])
                wrong.remove(found)
        for found in list(wrong):
            rivals = [m for m in wrong if head[m] == head[found]]
            same = [m for m in free if head[m] == head[found]]
            if len(rivals) == 1 and len(same) == 1:
                self.old[same[0]] = found

    def leading(self, entity: list[Mention]) -> Mention:
        told = [m for m in entity if self.kind[m] != "pronoun"]
        return (told or entity)[0]

    def _wrong(
        self, side: Side, other: Side, single: str, several: str
    ) -> dict[tuple[Mention, ...], set[Mention]]:
        """Finds the errors of one direction; the mentions that whole entities took, by entity."""
        taken: dict[tuple[Mention, ...], set[Mention]] = {}
        elsewhere = {m for entity in other for m in entity}
        for entity in side:
            alone = {m for m in entity if m not in elsewhere}
            shared = [m for m in entity if m in elsewhere]
            told = [m for m in shared if self.kind[m] != "pronoun"]
            lead = self.leading(entity)
            taken[tuple(entity)] = set()
            if not shared or (len(alone) >= 2 and not told):
                taken[tuple(entity)] = alone
                self.errors.append((f"{single}-entity", frozenset(alone)))
            else:
                self.errors += [(f"{single}-mention", frozenset([m])) for m in alone - {lead}]
            for one in other:
                part = frozenset(entity) & frozenset(one)
                if part and lead not in part:
                    self.errors.append((several, part))
        return taken

    def placements(
        self, kind: str, mentions: frozenset[Mention]
    ) -> tuple[tuple[str, Mention | None], tuple[str, Mention | None]]:
        """What the first mention of an error should be with, and what it was put with."""
        first = min(mentions)
        ours = next((e for e in self.key if first in e), None)
        theirs = next((e for e in self.response if first in e), None)
        right = self.recognised(first, [m for m in ours or [] if m != first])
        wrong = self.recognised(
            first, [m for m in theirs or [] if m != first and m not in (ours or [])]
        )
        should = "belongs with" if right else "stands alone" if ours else "is not a mention"
        was = "put with" if wrong else "stands alone" if theirs else "not found"
        if kind == "span":
            was, wrong = "found as", self.old[first]
        elif wrong:
            wrong = self.old.get(wrong, wrong)
        return (should, right), (was, wrong)

    def recognised(self, first: Mention, others: list[Mention]) -> Mention | None:
        """The nearest mention before, else behind, the first; a name first, a pronoun last."""
        earlier = sorted((m for m in others if m < first), reverse=True)
        later = sorted(m for m in others if m > first)
        for some in (earlier, later):
            for kind in ("name", "nominal", "pronoun"):
                for mention in some:
                    if self.kind[mention] == kind:
                        return mention
        return None

    def repaired(self, types: set[str]) -> list[set[Mention]]:
        """The response with these types repaired."""
        return self.repair([error for error in self.errors if error[0] in types])

    def repair(self, errors: list[tuple[str, frozenset[Mention]]]) -> list[set[Mention]]:
        """The response with these errors repaired."""
        entities = [set(entity) for entity in self.response]
        for kind, mentions in errors:
            if kind in ("extra-entity", "extra-mention"):
                for entity in entities:
                    entity.difference_update(mentions)
        self._take_out(entities, [mentions for kind, mentions in errors if kind == "conflated"])
        for name in ("missing-entity", "missing-mention", "divided"):
            for kind, mentions in errors:
                if kind == name:
                    self._bring(entities, mentions)
        right = {m for kind, mentions in errors if kind == "span" for m in mentions}
        old = {m: found for m, found in self.old.items() if m not in right}
        return [{old.get(m, m) for m in entity} for entity in entities if entity]

    def _take_out(self, entities: list[set[Mention]], parts: list[frozenset[Mention]]) -> None:
        known = {m for entity in self.key for m in entity}
        for mentions in parts:
            for entity in entities:
                entity.difference_update(mentions)
            entities.append(set(mentions))
            whole = next(e for e in self.response if set(mentions) <= set(e))
            lead = self.leading(whole)
            if lead not in known and lead not in self.extra[tuple(whole)]:
                for entity in entities:
                    entity.discard(lead)

    def _bring(self, entities: list[set[Mention]], mentions: frozenset[Mention]) -> None:
        whole = next(e for e in self.key if set(mentions) <= set(e))
        lead = self.leading(whole)
        if not any(lead in entity for entity in entities):
            entities.append({lead})
        for entity in entities:
            if lead not in entity:
                entity.difference_update(mentions)
        home = next(entity for entity in entities if lead in entity)
        home |= mentions


def trim(mention: Mention, words: list[str]) -> Mention:
    """The span without what does not count at its ends."""
    start, end = mention

    def sign(word: str) -> bool:
        return len(word) == 1 and not ("a" <= word <= "z" or "A" <= word <= "Z")

    while start < end and (words[start] == "the" or sign(words[start])):
        start += 1
    while start < end and (words[end] == "'s" or sign(words[end])):
        end -= 1
    return start, end


def link_errors(
    side: Side, other: Side, kind: dict[Mention, str], strategy: str
) -> list[tuple[Mention, Mention]]:
    """The links of a side that the other breaks: (anaphor, antecedent)."""
    found = []
    for entity in side:
        ordered = sorted(entity, key=lambda m: (m[0], -m[1]))
        for place, one in enumerate(ordered[1:], 1):
            before = ordered[:place]
            together = [e for e in other if one in e and any(m in e for m in before)]
            if together:
                continue
            chosen = before[-1]
            if strategy == "accessibility" and kind[one] != "pronoun":
                names = [m for m in before if kind[m] == "name"]
                nominals = [m for m in before if kind[m] == "nominal"]
                chosen = (names or nominals or before)[-1]
            found.append((one, chosen))
    return found
