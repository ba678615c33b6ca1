"""Broken and sound CorefUD files for the fuzzing."""

import random

from tests.support import EXAMPLES

_EXAMPLE = (EXAMPLES / "drawer.conllu").read_bytes()
_IDS = [
    b"1",
    b"2",
    b"3",
    b"1.1",
    b"0.1",
    b"2.1",
    b"1-2",
    b"3-4",
    b"x",
    b"",
    b"01",
    b"1.10",
    b"9" * 30,
]
_CELLS = [b"(e1", b"e1)", b"(e1)", b"(e2-person-1)", b"(e1--2", b"e2)", b"(e1[1/2]--1)"]
_CELLS += [
    b"(e1[2/2]--1)",
    b"(e1[1/2]",
    b"e1[1/2])",
    b"e1[2/2])",
    b"(e1[2/2]",
    b"(e3[3/3])",
    b"(e1--9",
]
_CELLS += [b"(", b")", b"((e1)", b"e1", b"(e1--x)", b"(e1-a-1-b-c)", b"(\xff)", b"(e1[1/1])", b"-)"]
_MISC = [
    b"Bridge=e1<e2",
    b"Bridge=e1<e2:part,e2<e1",
    b"SplitAnte=e1<e2",
    b"SplitAnte=<",
    b"Bridge=",
]
_MISC += [b"SpaceAfter=No", b"Entity=", b"ClusterId=c1", b"_"]
_DEPS = [b"_", b"1:nsubj", b"0:root", b"1.1:obj|2:nsubj", b"7:x", b"1", b"", b"a:b"]
_COMMENTS = [
    b"# newdoc id = d1",
    b"# newdoc id = d2",
    b"# newdoc",
    b"# sent_id = s1",
    b"# sent_id =",
]
_COMMENTS += [b"# global.Entity = eid-etype-head-other", b"# global.Entity = GRP-etype", b"# text"]
_COMMENTS += [b"# global.Entity = etype-eid-head", b"# global.Entity =", b"#", b"#newdoc"]


def conllu_made(rng: random.Random) -> bytes:
    """Lines that are made of the pieces of the format, in any order."""
    lines = [_COMMENTS[0], _COMMENTS[5]] if rng.random() < 0.8 else [rng.choice(_COMMENTS)]
    word = 0
    for _ in range(rng.randrange(16)):
        chance = rng.random()
        if chance < 0.12:
            lines.append(rng.choice(_COMMENTS))
        elif chance < 0.27:
            lines.append(b"")
            word = 0
        else:
            word += 1
            own = b"%d" % word if rng.random() < 0.9 else rng.choice(_IDS)
            misc = b"".join(rng.choice(_CELLS) for _ in range(rng.randrange(4)))
            misc = b"Entity=" + misc if misc else rng.choice(_MISC)
            if rng.random() < 0.1:
                misc += b"|" + rng.choice(_MISC)
            row = [own, b"w", b"_", b"X", b"_", b"_", b"0", b"_", rng.choice(_DEPS), misc]
            lines.append(b"\t".join(row[: rng.choice([10, 10, 10, 10, 10, 10, 10, 9])]))
    return rng.choice([b"\n", b"\r\n"]).join(lines) + rng.choice([b"", b"\n", b"\n\n"])


def conllu_example(rng: random.Random) -> bytes:
    """A sound file, or some of its lines left out or exchanged."""
    lines = _EXAMPLE.split(b"\n")
    for _ in range(rng.randrange(4)):
        at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        if rng.random() < 0.5:
            del lines[at]
        else:
            lines[at] = lines[other % len(lines)]
    return b"\n".join(lines)


def conllu_large(rng: random.Random) -> bytes:
    """Deep nesting, many parts, huge ids, many relations."""
    size = rng.choice([300, 3000])
    top = _COMMENTS[0] + b"\n" + _COMMENTS[5] + b"\n"
    many = b",".join(b"e%d<e0" % n for n in range(size))
    misc = rng.choice(
        [
            b"Entity=" + b"(e1" * size + b"e1)" * size,
            b"Entity=" + b"(e1)" * size,
            b"Entity=" + b"(e1[1/2])" * size,
            b"Entity=(" + b"9" * size + b")",
            b"Entity=" + b"(" * size,
            b"Entity=(e0)|Bridge=" + many,
            # One span in n entities of both sides makes n² cells where a scorer keeps all copies.
            b"Entity=" + b"".join(b"(e%d--1)" % n for n in range(size // 4)),
        ]
    )
    rest = b"\t_\t_\t_\t_\t0\t_\t_\t"
    rows = [b"%d\tw" % n + rest + b"Entity=(e7[%d/%d])" % (n, size) for n in range(2, size)]
    return top + b"1\tw" + rest + misc + b"\n" + (b"\n".join(rows) if rng.random() < 0.3 else b"")
