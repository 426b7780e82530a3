"""Spans: entities in a row of labels, in four spellings, and back; files of tokens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from infimum.errors import DataError
from infimum.parameters import Choice, check_domain

__all__ = ["SCHEMES", "Span", "labels_of", "read_conll", "read_markup", "spans_of"]

SCHEMES = ("IOB1", "IOB2", "IOBES", "BILOU")
_SCHEME = Choice((*SCHEMES, None))
#: Letters of each spelling: first, inner and last token, and the only one.
_LETTERS = {"IOB2": "BIIB", "IOBES": "BIES", "BILOU": "BILU"}


class Span(NamedTuple):
    """Tokens from `start` up to `stop`, which is left out, of one kind."""

    kind: str
    start: int
    stop: int


def spans_of(
    labels: Sequence[str], scheme: str | None = None, *, strict: bool = False
) -> list[Span]:
    """Return the entities in a row of labels such as B-PER, I-PER, O.

    Without a scheme labels are read as the script conlleval does: an inner token after
    another kind begins an entity. With one, tokens that do not fit its rules belong to
    none; `strict` refuses them.

    Examples
    --------
    >>> spans_of(["B-PER", "I-PER", "O", "B-LOC"])
    [Span(kind='PER', start=0, stop=2), Span(kind='LOC', start=3, stop=4)]
    """
    check_domain("spans_of: scheme", scheme, _SCHEME)
    pairs = [_split(label) for label in labels]
    if scheme is None:
        return _lenient(pairs)
    if scheme == "IOB1":
        found = _adjacent(pairs)
    else:
        found = _by_letters(pairs, _LETTERS[scheme])
    if strict:
        told = labels_of(found, len(pairs), scheme)
        for place, (label, right) in enumerate(zip(labels, told, strict=True)):
            if label != right:
                raise DataError(
                    f"spans_of: {label!r} at token {place} breaks the rules of "
                    f"{scheme}; {right!r} was expected."
                )
    return found


def labels_of(spans: Iterable[Span], length: int, scheme: str = "IOB2") -> list[str]:
    """Return the labels of so many tokens that spell out spans.

    Examples
    --------
    >>> labels_of([Span("PER", 0, 2)], 3, "BILOU")
    ['B-PER', 'L-PER', 'O']
    """
    check_domain("labels_of: scheme", scheme, Choice(SCHEMES))
    out, before = ["O"] * length, Span("", -1, -1)
    for span in sorted(spans, key=lambda one: one.start):
        if not before.stop <= span.start < span.stop <= length:
            raise DataError(f"labels_of: {span} overlaps another, or its text.")
        if scheme == "IOB1":
            touches = before.stop == span.start and before.kind == span.kind
            letters = ["B" if touches else "I"] + ["I"] * (span.stop - span.start - 1)
        else:
            first, inner, last, only = tuple(_LETTERS[scheme])
            letters = [first] + [inner] * (span.stop - span.start - 2) + [last]
            letters = letters if span.stop - span.start > 1 else [only]
        for place, letter in enumerate(letters):
            out[span.start + place] = f"{letter}-{span.kind}"
        before = span
    return out


def read_conll(
    text: str, columns: tuple[int, int] = (0, -1)
) -> tuple[list[list[str]], list[list[str]]]:
    r"""Return words and labels of sentences in columns, blank lines between them.

    Examples
    --------
    >>> read_conll("Ann NNP B-PER\nran VBD O\n\nYes UH O\n")
    ([['Ann', 'ran'], ['Yes']], [['B-PER', 'O'], ['O']])
    """
    words: list[list[str]] = [[]]
    labels: list[list[str]] = [[]]
    for number, line in enumerate(text.splitlines(), 1):
        cells = line.split()
        if not cells or cells[0] == "-DOCSTART-":
            if words[-1]:
                words.append([])
                labels.append([])
            continue
        try:
            word, label = cells[columns[0]], cells[columns[1]]
        except IndexError:
            raise DataError(f"read_conll: line {number} has too few columns.") from None
        words[-1].append(word)
        labels[-1].append(label)
    kept = [place for place, each in enumerate(words) if each]
    return [words[k] for k in kept], [labels[k] for k in kept]


def read_markup(text: str) -> tuple[list[str], list[Span]]:
    """Return the words of a text marked <TYPE="...">like this</TYPE>, and its spans.

    Examples
    --------
    >>> read_markup('<PERSON="1">Ann Lee</PERSON> sings')
    (['Ann', 'Lee', 'sings'], [Span(kind='PERSON', start=0, stop=2)])
    """
    words: list[str] = []
    spans: list[Span] = []
    opened: list[tuple[str, int]] = []
    for piece in re.split(r"(<[^>]*>)", text):
        if piece.startswith("</"):
            kind = piece[2:-1].strip()
            if not opened or opened[-1][0] != kind:
                raise DataError(f"read_markup: {piece} closes nothing.")
            spans.append(Span(kind, opened.pop()[1], len(words)))
        elif piece.startswith("<"):
            opened.append((re.split(r"[=\s]", piece[1:-1])[0], len(words)))
        else:
            words.extend(piece.split())
    if opened:
        raise DataError(f"read_markup: <{opened[-1][0]}> is not closed.")
    return words, spans


def _split(label: str) -> tuple[str, str]:
    letter, _, kind = label.partition("-")
    return letter, kind if letter != "O" else ""


def _lenient(pairs: list[tuple[str, str]]) -> list[Span]:
    found, start = [], -1
    before = ("O", "")
    for place, pair in enumerate([*pairs, ("O", "")]):
        letter, kind = pair
        other = before[0] != "O" and kind != before[1]
        over = before[0] in ("E", "S", "L", "U") or letter in ("B", "S", "U", "O")
        if start >= 0 and (over or other):
            found.append(Span(before[1], start, place))
            start = -1
        if letter != "O" and start < 0:
            start = place
        before = pair
    return found


def _adjacent(pairs: list[tuple[str, str]]) -> list[Span]:
    """Read IOB1: B- only parts an entity from the one of its kind before it."""
    found: list[Span] = []
    for place, (letter, kind) in enumerate(pairs):
        joins = found and found[-1].stop == place and found[-1].kind == kind
        if letter == "I" and joins:
            found[-1] = Span(kind, found[-1].start, place + 1)
        elif letter == "I" or (letter == "B" and joins):
            found.append(Span(kind, place, place + 1))
    return found


def _by_letters(pairs: list[tuple[str, str]], letters: str) -> list[Span]:
    first, inner, last, only = tuple(letters)
    found, start = [], -1
    for place, (letter, kind) in enumerate([*pairs, ("O", "")]):
        going = start >= 0 and letter in (inner, last) and kind == pairs[start][1]
        if start >= 0 and not going:
            if first == only:  # an entity ends where nothing continues it
                found.append(Span(pairs[start][1], start, place))
            start = -1
        if going and letter == last and last != inner:
            found.append(Span(kind, start, place + 1))
            start = -1
        elif letter == only and first != only:
            found.append(Span(kind, place, place + 1))
        elif letter == first:
            start = place
    return found
