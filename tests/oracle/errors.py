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
    children = [({child[0].split("-")[0], child[0]}, head_of_tree(child)) for child in inside]

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
