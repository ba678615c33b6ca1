"""Small corpora for `same_numbers.py`, sound and defective, in five formats.

`write_all` fills a folder. NAME.key.EXT and NAME.response.EXT are a pair: `plain` is sound, and the
others are what becomes of it: documents missing, added, renamed or in another order, other lengths
and words, copies of mentions, sides without mentions. conll, jsonl, conllu, conllua and csv hold
the same documents.
"""

import gzip
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

Span = tuple[int, int]

WORDS = ["the", "old", "captain", "she", "saw", "her", "brother", "and", "they", "left", "a"]
WORDS += ["ship", "that", "it", "had", "sunk", "he", "said"]
TAGS = {"she": "PRP", "her": "PRP$", "they": "PRP", "it": "PRP", "he": "PRP", "captain": "NN"}


@dataclass(frozen=True)
class Document:
    """Sentences of words, and entities as lists of (first, last) words."""

    name: str
    sentences: tuple[tuple[str, ...], ...]
    entities: tuple[tuple[Span, ...], ...]
    heads: bool = field(default=True)

    @property
    def bounds(self) -> list[Span]:
        """The first word of each sentence, and the first of the next."""
        found, at = [], 0
        for sentence in self.sentences:
            found.append((at, at + len(sentence)))
            at += len(sentence)
        return found


Corpus = list[Document]
Pair = tuple[Corpus, Corpus]


def make_pair(seed: int, documents: int = 6) -> Pair:
    """Random documents, and a response with mentions lost, moved, added and linked wrongly."""
    chance = random.Random(seed)
    key = [_document(chance, f"{'nw' if n % 2 else 'bc'}/made/{n:02}") for n in range(documents)]
    return key, [replace(one, entities=_answer(chance, one)) for one in key]


def _document(chance: random.Random, name: str) -> Document:
    sentences = tuple(
        tuple(chance.choice(WORDS) for _ in range(chance.randint(3, 11)))
        for _ in range(chance.randint(2, 8))
    )
    bare = Document(name, sentences, ())
    spans = sorted({_span(chance, bare) for _ in range(chance.randint(2, 24))})
    entities: dict[int, list[Span]] = {}
    for span in spans:
        entities.setdefault(chance.randrange(7), []).append(span)
    return replace(bare, entities=tuple(map(tuple, entities.values())))


def _span(chance: random.Random, document: Document) -> Span:
    first, after = chance.choice(document.bounds)
    start = chance.randrange(first, after)
    return start, min(after - 1, start + chance.choice([0, 0, 0, 1, 1, 2, 4]))


def _answer(chance: random.Random, document: Document) -> tuple[tuple[Span, ...], ...]:
    taken: set[Span] = set()
    entities: list[list[Span]] = []
    for entity in document.entities:
        found: list[Span] = []
        for span in entity:
            draw = chance.random()
            wanted = _span(chance, document) if draw < 0.12 else span
            if draw < 0.85 and wanted not in taken:
                taken.add(wanted)
                (chance.choice(entities) if entities and draw < 0.25 else found).append(wanted)
        if found:
            entities.append(found)
    return tuple(tuple(sorted(entity)) for entity in entities)


def _copies(corpus: Corpus, *, across: bool) -> Corpus:
    """The first mention of every second entity again, in its own entity or in the next."""
    found = []
    for document in corpus:
        entities = [list(entity) for entity in document.entities]
        for at in range(0, len(entities) - across, 2):
            entities[at + across].append(entities[at][0])
        found.append(replace(document, entities=tuple(map(tuple, entities))))
    return found


def _longer(corpus: Corpus) -> Corpus:
    last = corpus[-1]
    return [*corpus[:-1], replace(last, sentences=(*last.sentences, ("so", "it", "was")))]


def _other_words(corpus: Corpus) -> Corpus:
    first = corpus[0]
    changed = tuple(w.upper() if n == 1 else w for n, w in enumerate(first.sentences[0]))
    return [replace(first, sentences=(changed, *first.sentences[1:])), *corpus[1:]]


def _extra(corpus: Corpus) -> Corpus:
    return [*corpus, _document(random.Random(99), "bn/made/99")]


def _renamed(corpus: Corpus) -> Corpus:
    return [replace(d, name="other/" + d.name) if n < 2 else d for n, d in enumerate(corpus)]


def _without_mentions(corpus: Corpus) -> Corpus:
    return [replace(d, entities=()) for d in corpus]


def _singletons(corpus: Corpus) -> Corpus:
    return [replace(d, entities=tuple((s,) for e in d.entities for s in e)) for d in corpus]


def _both(change: Callable[[Corpus], Corpus]) -> Callable[[Pair], Pair]:
    return lambda pair: (change(pair[0]), change(pair[1]))


def _key(change: Callable[[Corpus], Corpus]) -> Callable[[Pair], Pair]:
    return lambda pair: (change(pair[0]), pair[1])


def _response(change: Callable[[Corpus], Corpus]) -> Callable[[Pair], Pair]:
    return lambda pair: (pair[0], change(pair[1]))


def _within(corpus: Corpus) -> Corpus:
    return _copies(corpus, across=False)


def _across(corpus: Corpus) -> Corpus:
    return _copies(corpus, across=True)


DEFECTS: dict[str, Callable[[Pair], Pair]] = {
    "plain": lambda pair: pair,
    "identical": lambda pair: (pair[0], pair[0]),
    "missing": _response(lambda c: c[1:-1]),
    "extra": _response(_extra),
    "missing-and-extra": _response(lambda c: _extra(c[2:])),
    "nothing-in-common": _response(lambda c: [replace(d, name="z" + d.name) for d in c]),
    "renamed": _response(_renamed),
    "order": _response(lambda c: c[::-1]),
    "longer": _response(_longer),
    "longer-key": _key(_longer),
    "words": _response(_other_words),
    "twice": _response(lambda c: [*c, c[0]]),
    "no-response": _response(_without_mentions),
    "no-key": _key(_without_mentions),
    "no-mentions": _both(_without_mentions),
    "only-singletons": _both(_singletons),
    "singletons-response": _response(_singletons),
    "copies-within-key": _key(_within),
    "copies-within-response": _response(_within),
    "copies-across-key": _key(_across),
    "copies-across-response": _response(_across),
    "copies": _both(lambda c: _across(_within(c))),
}


def _marks(document: Document) -> list[list[tuple[int, int, int]]]:
    """What opens or is whole at each word: (entity, start, end), the longest first."""
    found: list[list[tuple[int, int, int]]] = [[] for s in document.sentences for _ in s]
    for number, entity in enumerate(document.entities):
        for start, end in entity:
            found[start].append((number, start, end))
    return [sorted(one, key=lambda m: (-m[2], m[0])) for one in found]


def _closings(document: Document) -> list[list[tuple[int, int, int]]]:
    """What closes at each word and opened before, the last opened first."""
    found: list[list[tuple[int, int, int]]] = [[] for s in document.sentences for _ in s]
    for number, entity in enumerate(document.entities):
        for start, end in entity:
            if end > start:
                found[end].append((number, start, end))
    return [sorted(one, key=lambda m: (-m[1], m[0])) for one in found]


def to_conll(corpus: Corpus) -> str:
    """CoNLL-2012."""
    lines = []
    for document in corpus:
        lines.append(f"#begin document ({document.name}); part 000")
        opened, closed, at = _marks(document), _closings(document), 0
        for sentence in document.sentences:
            for number, word in enumerate(sentence):
                cells = [f"({e})" if s == t else f"({e}" for e, s, t in opened[at]]
                cells += [f"{e})" for e, _, _ in closed[at]]
                tree = ("(S" if not number else "") + f"({TAGS.get(word, 'X')}*)"
                tree += ")" if number == len(sentence) - 1 else ""
                row = [document.name, "0", str(number), word, TAGS.get(word, "X"), tree]
                row += ["-", "-", "-", "A" if at % 3 else "B", "*", "|".join(cells) or "-"]
                lines.append(" ".join(row))
                at += 1
            lines.append("")
        lines.append("#end document")
    return "\n".join(lines) + "\n"


def to_jsonl(corpus: Corpus) -> str:
    """JSON lines as of e2e-coref."""
    return "".join(
        json.dumps({"doc_key": d.name, "sentences": d.sentences, "clusters": d.entities}) + "\n"
        for d in corpus
    )


def to_conllu(corpus: Corpus) -> str:
    """CorefUD."""
    lines = ["# global.Entity = eid-etype-head-other"]
    for document in corpus:
        lines.append(f"# newdoc id = {document.name}")
        opened, closed, at = _marks(document), _closings(document), 0
        for n, sentence in enumerate(document.sentences):
            lines += [f"# sent_id = {document.name}-{n}", f"# text = {' '.join(sentence)}"]
            for number, word in enumerate(sentence, 1):
                marks = "".join(f"{_id(document, e)})" for e, _, _ in closed[at])
                for e, s, t in opened[at]:
                    marks += f"({_id(document, e)}-object-{1 + (t - s) // 2}-"
                    marks += ")" if s == t else ""
                head = 0 if number == 1 else 1
                pos = "PRON" if TAGS.get(word, "").startswith("PRP") else "NOUN"
                row = [number, word, word, pos, "_", "_", head, "dep" if head else "root", "_"]
                lines.append("\t".join(map(str, [*row, f"Entity={marks}" if marks else "_"])))
                at += 1
            lines.append("")
    return "\n".join(lines) + "\n"


def _id(document: Document, entity: int) -> str:
    return f"{document.name.replace('/', '')}e{entity}"


def to_conllua(corpus: Corpus) -> str:
    """CoNLL-UA."""
    lines = ["# global.columns = ID FORM IDENTITY"]
    for document in corpus:
        lines.append(f"# newdoc id = {document.name}")
        opened, closed, at = _marks(document), _closings(document), 0
        for n, sentence in enumerate(document.sentences):
            lines.append(f"# sent_id = {n}")
            for number, word in enumerate(sentence, 1):
                marks = ")" * len(closed[at])
                for e, s, t in opened[at]:
                    marks += f"(EntityID={e}|MarkableID=m{e}-{s}-{t}|Min={s + 1},{s + 1}"
                    marks += ")" if s == t else ""
                lines.append(f"{number}\t{word}\t{marks or '_'}")
                at += 1
            lines.append("")
    return "\n".join(lines) + "\n"


def to_csv(corpus: Corpus) -> str:
    """A table of mentions."""
    rows = ["document,start,end,entity"]
    for d in corpus:
        rows += [f"{d.name},{s},{t},{e}" for e, entity in enumerate(d.entities) for s, t in entity]
    return "\n".join(rows) + "\n"


WRITERS = {
    "conll": to_conll,
    "jsonl": to_jsonl,
    "conllu": to_conllu,
    "conllua": to_conllua,
    "csv": to_csv,
}


def files() -> Iterator[tuple[str, bytes]]:
    """The names and contents of all files."""
    pair = make_pair(1)
    for name, change in DEFECTS.items():
        for side, corpus in zip(("key", "response"), change(pair), strict=True):
            for ending, write in WRITERS.items():
                yield f"{name}.{side}.{ending}", write(corpus).encode()
    for seed in range(2, 6):
        for side, corpus in zip(("key", "response"), make_pair(seed, 9), strict=True):
            yield f"random-{seed}.{side}.conll", to_conll(corpus).encode()
    for run in range(1, 5):
        _, response = make_pair(1)
        chance = random.Random(100 + run)
        again = [replace(d, entities=_answer(chance, d)) for d in response]
        yield f"run{run}.conll", to_conll(again).encode()
    yield "plain.list", b"(nw/made/01); part 000\n(bc/made/02); part 000\n"
    yield "packed.conll.gz", gzip.compress(to_conll(pair[1]).encode(), mtime=0)
    yield "empty.conll", b""
    yield "cut.conll.gz", gzip.compress(to_conll(pair[1]).encode(), mtime=0)[:-20]
    yield "unclosed.conll", to_conll(pair[1]).replace(")", "", 40).encode()
    yield "broken.jsonl", to_jsonl(pair[1]).replace("]", "", 3).encode()


def write_all(folder: Path) -> None:
    """Write all files to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files():
        (folder / name).write_bytes(data)
