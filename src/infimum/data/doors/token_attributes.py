"""The door of tokens: dicts, lists of words or rows of numbers become attributes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain, repeat
from operator import countOf, itemgetter
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from infimum.errors import DataError
from infimum.typing import Indices, Vector

__all__ = ["TokenAttributes", "Vocabulary", "chain_labels_of"]

#: Pairs looked up once are remembered, up to so many.
MOST_PAIRS = 2_000_000
#: The code of a pair that was never met.
NEW = -2
#: Tokens whose values of a key are looked up while they are in the nearest cache.
BLOCK = 1000
#: Tokens with the same keys are looked up key by key if there are so many of them.
ALIKE = 50


class TokenAttributes(NamedTuple):
    """Which attributes the tokens of all sequences have, and how much of each."""

    #: Where the attributes of each token begin in `ids`; one number more than tokens.
    tokens: Indices
    ids: Indices
    values: Vector
    lengths: Indices

    @property
    def bounds(self) -> Indices:
        """Where each sequence begins; one number more than sequences."""
        return np.concatenate([[0], np.cumsum(self.lengths)]).astype(np.int64)


class Vocabulary:
    """Names of attributes and their numbers, in the order of their first appearance.

    A token is a dict: ``"key": "word"`` is the attribute ``key:word``, ``"key": 2.5``
    the attribute ``key`` of value 2.5, a truth counts 1 or 0, a list or set names
    several attributes, and a dict within puts its key before theirs. Or it is a list of
    names, or a row of numbers.
    """

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.numbers: dict[str, int] = {name: k for k, name in enumerate(names)}
        #: (key, word) -> twice the number, plus 1 for a truth that does not hold:
        #: most pairs of a dict are looked up once.
        self._pairs: dict[Any, int] = {}
        #: The same by key: key -> word -> code.
        self._columns: dict[str, dict[Any, int]] = {}
        self._open = True

    @property
    def names(self) -> list[str]:
        """The attributes, by number."""
        return list(self.numbers)

    def read(self, owner: str, X: Any, *, grow: bool) -> TokenAttributes:
        """Admit sequences; attributes never seen are added if `grow`, else left out."""
        self._open = grow
        if len(self._pairs) > MOST_PAIRS:
            self._pairs.clear()
            self._columns.clear()
        if isinstance(X, str | bytes | Mapping) or not isinstance(X, Iterable):
            raise DataError(f"{owner} needs a list of sequences.")
        tokens: list[Any] = []
        lengths: list[int] = []
        for place, sequence in enumerate(X):
            before = len(tokens)
            listed = type(sequence) is list
            tokens.extend(sequence if listed else _tokens(owner, place, sequence))
            lengths.append(len(tokens) - before)
            if lengths[-1] == 0:
                raise DataError(f"{owner}: sequence {place} is empty.")
        if not lengths:
            raise DataError(f"{owner} needs one sequence or more.")
        found = self._words(tokens) or self._one_by_one(owner, tokens)
        if not np.isfinite(found[2]).all():
            raise DataError(f"{owner} needs finite values of attributes.")
        return TokenAttributes(*found, np.array(lengths, dtype=np.int64))

    def _words(self, tokens: list[Any]) -> tuple[Indices, Indices, Vector] | None:
        """Look up all pairs at once, if tokens are dicts of words and truths only."""
        try:
            ends, codes = self._look_up(tokens)
            if len(codes) and codes.min() == NEW:
                sizes = np.diff(ends)
                unmet = np.logical_or.reduceat(codes == NEW, ends[:-1][sizes > 0])
                places = np.flatnonzero(sizes)[unmet].tolist()
                rest = [tokens[k] for k in places]
                fresh = dict.fromkeys(chain.from_iterable(map(dict.items, rest)))
                unknown = (pair for pair in fresh if pair not in self._pairs)
                if any(self._word(pair) is None for pair in unknown):
                    return None
                ends, codes = self._look_up(tokens)
        except TypeError:  # no dict, or a list within
            return None
        known = codes >= 0
        if not known.all():  # words never seen, left out
            ends = np.concatenate([[0], np.cumsum(known)])[ends]
            codes = codes[known]
        return ends, codes >> 1, 1.0 - (codes & 1)

    def _look_up(self, tokens: list[Any]) -> tuple[Indices, Indices]:
        """Return where the pairs of each token begin, and all codes.

        `NEW` stands for pairs never met. Most often all tokens have the keys of the
        first one, and their sizes need not be counted.
        """
        if self._pairs and len(tokens) >= ALIKE and (size := len(tokens[0])):
            table = np.empty((len(tokens), size), dtype=np.int32)
            if self._fill(tokens, table):
                return size * np.arange(len(tokens) + 1), table.ravel()
        sizes = np.fromiter(map(dict.__len__, tokens), np.int64, len(tokens))
        ends = np.concatenate([[0], np.cumsum(sizes)])
        if not self._pairs:
            return ends, np.full(ends[-1], NEW, dtype=np.int32)
        if len(tokens) < ALIKE:
            return ends, self._by_pairs(tokens, int(ends[-1]))
        codes = np.empty(ends[-1], dtype=np.int32)
        for size in np.unique(sizes[sizes > 0]).tolist():
            places = np.flatnonzero(sizes == size)
            part = [tokens[k] for k in places.tolist()]
            table = np.empty((len(part), size), dtype=np.int32)
            if not self._fill(part, table):
                self._fill_kinds(part, table)
            codes[ends[:-1][places][:, None] + np.arange(size)] = table
        return ends, codes

    def _fill_kinds(self, tokens: list[Any], table: Indices) -> None:
        """Sort tokens by their keys; those of rare keys are looked up pair by pair."""
        kinds: dict[Any, list[int]] = {}
        for place, keys in enumerate(map(tuple, tokens)):
            kinds.setdefault(keys, []).append(place)
        rest: list[int] = []
        for kind in kinds.values():
            if len(kind) < ALIKE:
                rest += kind
                continue
            found = table[kind]
            if self._fill([tokens[k] for k in kind], found):
                table[kind] = found
            else:  # no plain dicts
                rest += kind
        shape = len(rest), table.shape[1]
        codes = self._by_pairs([tokens[k] for k in rest], shape[0] * shape[1])
        table[rest] = codes.reshape(shape)

    def _by_pairs(self, tokens: list[Any], count: int) -> Indices:
        pairs = chain.from_iterable(map(dict.items, tokens))
        return np.fromiter(map(self._pairs.get, pairs, repeat(NEW)), np.int32, count)

    def _fill(self, tokens: list[Any], table: Indices) -> bool:
        """Fill the codes of tokens, if all of them have the keys of the first one.

        Who has as many keys as the first one and lacks none has the same. A block is
        gone through while it is in the nearest cache.
        """
        if type(tokens[0]) is not dict:
            return False
        readers = [
            (itemgetter(key), self._columns.setdefault(key, {}).get)
            for key in tokens[0]
        ]
        new, size = repeat(NEW), len(readers)
        try:
            for low in range(0, len(tokens), BLOCK):
                some = tokens[low : low + BLOCK]
                count = len(some)
                plain = countOf(map(type, some), dict)  # others may make keys up
                if plain < count or countOf(map(len, some), size) < count:
                    return False
                for column, (word, code) in enumerate(readers):
                    found = map(code, map(word, some), new)
                    table[low : low + count, column] = np.fromiter(
                        found, np.int32, count
                    )
        except KeyError:
            return False
        return True

    def _word(self, pair: tuple[Any, Any]) -> int | None:
        """Return the code of a word or truth, -1 if left out; None for the rest."""
        key, value = pair
        if isinstance(value, bytes):
            value = value.decode()
        truth = isinstance(value, bool | int | float | np.number) and value in (0, 1)
        if isinstance(key, str) and (truth or isinstance(value, str)):
            name = key if truth else f"{key}:" + value
            number = self.numbers.get(name, -1)
            if number < 0 and self._open:
                number = self.numbers[name] = len(self.numbers)
            code = -1 if number < 0 else 2 * number + int(truth and not value)
            self._know(pair, code)
            return code
        return None

    def _know(self, pair: tuple[Any, Any], code: int) -> None:
        self._pairs[pair] = code
        self._columns.setdefault(pair[0], {})[pair[1]] = code

    def _one_by_one(
        self, owner: str, tokens: list[Any]
    ) -> tuple[Indices, Indices, Vector]:
        ids: list[int] = []
        values: list[float] = []
        ends = [0]
        # Numbers left out by an earlier reading may be added by this one.
        known, self._pairs, self._columns = self._pairs, {}, {}
        for pair, code in known.items():
            if code >= 0:
                self._know(pair, code)
        for token in tokens:
            self._token(owner, token, ids, values)
            ends.append(len(ids))
        return (
            np.array(ends, dtype=np.int64),
            np.array(ids, dtype=np.int32),
            np.array(values, dtype=np.float64),
        )

    def _token(
        self, owner: str, token: Any, ids: list[int], values: list[float]
    ) -> None:
        if isinstance(token, dict):
            known = self._pairs
            for pair in token.items():
                try:
                    code = known[pair]
                except (KeyError, TypeError):  # a number, a list, or never seen
                    self._pair(owner, "", pair, (ids, values))
                    continue
                ids.append(code >> 1)
                values.append(1.0 - (code & 1))
            return
        if isinstance(token, str):
            raise DataError(f"{owner} takes a token as a dict or list, got {token!r}.")
        for name in token:
            self._add(owner, name, 1.0, (ids, values))

    def _pair(self, owner: str, prefix: str, pair: tuple[Any, Any], out: Any) -> None:
        key, value = pair
        if not isinstance(key, str):
            raise DataError(f"{owner} needs strings as keys, got {key!r}.")
        name = prefix + key
        number = None
        if isinstance(value, bytes):
            value = value.decode()
        if isinstance(value, str):
            number = self._add(owner, f"{name}:" + value, 1.0, out)
        elif isinstance(value, bool | int | float | np.number | np.bool_):
            number = self._add(owner, name, float(value), out)
        else:
            self._several(owner, name, value, out)
        if number is not None and not prefix and (isinstance(value, str) or value == 1):
            self._know(pair, 2 * number)

    def _several(self, owner: str, name: str, value: Any, out: Any) -> None:
        if isinstance(value, Mapping):
            for inner in value.items():
                self._pair(owner, f"{name}:", inner, out)
        elif isinstance(value, list | tuple | set | frozenset):
            for word in value:
                self._add(owner, f"{name}:{word}", 1.0, out)
        else:
            raise DataError(
                f"{owner} takes words, numbers, truths, lists and dicts as values, got "
                f"{value!r} for {name!r}."
            )

    def _add(self, owner: str, name: Any, value: float, out: Any) -> int | None:
        if not isinstance(name, str):
            raise DataError(f"{owner} needs names of attributes, got {name!r}.")
        number = self.numbers.get(name)
        if number is None:
            if not self._open:
                return None
            number = self.numbers[name] = len(self.numbers)
        out[0].append(number)
        out[1].append(value)
        return number


def _tokens(owner: str, place: int, sequence: Any) -> Iterable[Any]:
    """Return the tokens of a sequence; rows of numbers as dicts of their columns."""
    if sparse.issparse(sequence):
        sequence = sequence.toarray()  # type: ignore[attr-defined]
    if isinstance(sequence, np.ndarray) and sequence.dtype.kind in "biuf":
        rows = sequence[:, None] if sequence.ndim == 1 else sequence
        if rows.ndim != 2:  # noqa: PLR2004
            raise DataError(f"{owner}: sequence {place} is no table of numbers.")
        keys = [str(column) for column in range(rows.shape[1])]
        return [dict(zip(keys, row, strict=True)) for row in rows.tolist()]
    if isinstance(sequence, str | bytes | Mapping) or not isinstance(
        sequence, Iterable
    ):
        raise DataError(f"{owner}: sequence {place} is no list of tokens.")
    return sequence


def chain_labels_of(owner: str, y: Any, lengths: Indices) -> list[Any]:
    """Return the labels of all tokens in one list, or say where they do not match."""
    if y is None:
        raise DataError(f"{owner} needs labels for each sequence.")
    sequences = [list(each) for each in y]
    if len(sequences) != len(lengths):
        raise DataError(
            f"{owner} needs labels for {len(lengths)} sequences, got {len(sequences)}."
        )
    for place, (labels, length) in enumerate(zip(sequences, lengths, strict=True)):
        if len(labels) != length:
            raise DataError(
                f"{owner}: sequence {place} has {length} tokens and {len(labels)} "
                "labels."
            )
    return [label for labels in sequences for label in labels]
