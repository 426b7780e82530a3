"""Labels of many sequences at once: some are decoded while others are read."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import accumulate, chain, pairwise
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from infimum.data.doors import NameTable, TokenTexts, Vocabulary
from infimum.objectives import FieldFeatures
from infimum.typing import Indices, Mask, Vector

__all__ = ["FieldReader"]

#: Tokens of which it pays to make a text.
ENOUGH_TOKENS = 2_000
#: Tokens that are read before another core decodes them.
PART = 8_000
#: Labels whose numbers a byte holds, and bytes of backpointers that are kept.
FEW_LABELS, ENOUGH_POINTERS = 1 << 8, 1 << 24


class _Part(NamedTuple):
    """Sequences that were read, and where each begins."""

    texts: TokenTexts
    bounds: Indices


class FieldReader:
    """What the predictions of one fitted field have in common."""

    def __init__(self, attributes: list[str], features: FieldFeatures) -> None:
        self.attributes, self.features = attributes, features
        self.vocabulary = Vocabulary(attributes)

    def serves(self, attributes: list[str], states: Mask, moves: Mask) -> bool:
        """Return whether the field has not been fitted again."""
        same = states is self.features.states and moves is self.features.moves
        return same and attributes is self.attributes

    @cached_property
    def _names(self) -> NameTable:
        return NameTable(self.attributes)

    def tags(self, X: Any, coef: Vector, classes: list[Any]) -> list[list[Any]] | None:
        """Return the labels of many sequences, lists of dicts alike in their keys.

        None for few, and for whatever else there is: the door of tokens takes it.
        """
        from infimum.compiled.threads import overlapped

        if type(X) is not list or {*map(type, X)} != {list}:
            return None
        ends = [0, *accumulate(map(len, X))]
        longest = max(map(len, X))
        pointers = longest * len(classes)
        if ends[-1] < ENOUGH_TOKENS or not all(X) or pointers > ENOUGH_POINTERS:
            return None
        if len(classes) > FEW_LABELS or not self.attributes:
            return None
        cuts = np.searchsorted(ends, range(0, ends[-1], PART)).tolist()
        cuts = sorted({*cuts, len(X)})
        parts = [slice(a, b) for a, b in pairwise(cuts)]

        def read(place: int) -> _Part | None:
            part = parts[place]
            texts = TokenTexts.of([*chain.from_iterable(X[part])])
            bounds = np.array(ends[part.start : part.stop + 1], dtype=np.int64)
            return None if texts is None else _Part(texts, bounds - bounds[0])

        decode = self._decoder(coef)
        found = overlapped(len(parts), read, decode)
        labels = [] if found is None else np.concatenate(found).tolist()
        if len(labels) < ends[-1]:
            return None
        flat = [*itemgetter(*labels)(classes)]
        return [flat[a:b] for a, b in pairwise(ends)]

    def _decoder(self, coef: Vector) -> Callable[[_Part], Indices]:
        """Return what labels sequences; it returns none where words hold a 0 byte."""
        from infimum.compiled.chains.field_parts import Pairs
        from infimum.compiled.chains.tag_texts import tag_texts

        slots, moves = self.features.unpack(coef)
        starts, told, _ = self.features.table
        weights = Pairs(starts, told, slots), np.zeros(len(moves)), moves

        def decode(part: _Part) -> Indices:
            bounds = part.bounds
            labels = np.empty(bounds[-1], dtype=np.intp)
            longest = int(np.diff(bounds).max())
            pointers = np.empty((longest, len(moves)), dtype=np.uint8)
            letters, numbers, keys, kinds = part.texts
            names = self._names.tables(keys, kinds)
            given: Any = letters, numbers, names, *weights, bounds, pointers, labels
            whole = tag_texts(*given)
            return labels if whole else labels[:0]

        return decode
