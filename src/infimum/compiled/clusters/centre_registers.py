"""Squared distances of a tile of rows to six centres, in vector registers.

A tile holds as many rows as fit into 64 bytes of one coordinate, so that six sums of
products stay in twelve registers of 32 bytes; what is written is only the smallest sum
of each row, the second smallest and the name of the smallest. A product by BLAS would
write all sums, to be read again.
"""

from typing import Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils

from infimum.compiled.instruction import instruction

__all__ = ["SIX", "TILE_BYTES", "join_six"]

SIX = 6
TILE_BYTES = 64
_NAME = ir.IntType(32)
#: A product and a sum may be rounded once instead of twice.
_FUSED = ("contract",)


def _join(
    rows: Any,
    centres: Any,
    norms: Any,
    best: Any,
    second: Any,
    who: Any,
    place: int,
    group: int,
) -> None:
    lanes = rows.shape[2]
    at, first = slice(place * lanes, (place + 1) * lanes), SIX * group
    for q in range(SIX):
        sums = norms[first + q] + centres[group, :, q] @ rows[place]
        closer = sums < best[at]
        second[at] = np.minimum(second[at], np.where(closer, best[at], sums))
        best[at] = np.where(closer, sums, best[at])
        who[at][closer] = first + q


@instruction(_join)
def join_six(
    _typing: Any,
    rows: Any,
    centres: Any,
    norms: Any,
    best: Any,
    second: Any,
    who: Any,
    _place: Any,
    _group: Any,
) -> Any:
    """Take the sums of six centres and one tile into the two smallest of each row.

    ``norms[6 g + q] + Σ rows[place, t, r] centres[g, t, q]`` is the sum of row r and
    centre q of group g; `best`, `second` and `who` have one entry for each row of all
    tiles. Arrays are contiguous, and names are int32.
    """
    arrays = (rows, centres, norms, best, second, who)
    return types.void(*arrays, types.intp, types.intp), _build


def _build(context: Any, builder: Any, signature: Any, given: Any) -> Any:
    kinds = signature.args[:6]
    arrays = [
        context.make_array(kind)(context, builder, value)
        for kind, value in zip(kinds, given[:6], strict=True)
    ]
    depth = builder.extract_value(arrays[0].shape, 1)
    element = context.get_value_type(kinds[0].dtype)
    lanes = TILE_BYTES * 8 // kinds[0].dtype.bitwidth
    pen = _Pen(builder, element, lanes)
    place, group = given[6:]
    first = pen.times(group, SIX)
    sums = _sums(pen, arrays, depth, (place, first))
    _keep(pen, arrays[3:], pen.times(place, lanes), (sums, first))
    return context.get_dummy_value()


def _sums(pen: Any, arrays: Any, depth: Any, where: Any) -> list[Any]:
    """Return six registers of sums; they begin with the squared lengths."""
    builder, (place, first) = pen.builder, where
    rows, centres, norms = (array.data for array in arrays[:3])
    row = pen.times(builder.mul(place, depth), pen.lanes)
    centre = builder.mul(first, depth)
    sums = [
        cgutils.alloca_once(builder, pen.wide)  # type: ignore[no-untyped-call]
        for _ in range(SIX)
    ]
    for q, total in enumerate(sums):
        builder.store(pen.spread(pen.number(norms, pen.plus(first, q))), total)
    with cgutils.for_range(builder, depth) as loop:
        x = pen.vector(rows, builder.add(row, pen.times(loop.index, pen.lanes)))
        begin = builder.add(centre, pen.times(loop.index, SIX))
        for q, total in enumerate(sums):
            c = pen.spread(pen.number(centres, pen.plus(begin, q)))
            product = builder.fmul(x, c, flags=_FUSED)
            builder.store(
                builder.fadd(builder.load(total), product, flags=_FUSED), total
            )
    return [builder.load(total) for total in sums]


def _keep(pen: Any, arrays: Any, begin: Any, found: Any) -> None:
    """Update the two smallest of each row, and the name of the smallest."""
    builder, (sums, first) = pen.builder, found
    places = [
        pen.pointer(array.data, begin, kind)
        for array, kind in zip(arrays, (pen.wide, pen.wide, pen.names), strict=True)
    ]
    best, second = (builder.load(at, align=pen.size) for at in places[:2])
    who = builder.load(places[2], align=4)
    for q, value in enumerate(sums):
        closer = builder.fcmp_ordered("<", value, best)
        beaten = builder.select(closer, best, value)
        best = builder.select(closer, value, best)
        lower = builder.fcmp_ordered("<", beaten, second)
        second = builder.select(lower, beaten, second)
        name = builder.trunc(pen.plus(first, q), _NAME)
        who = builder.select(closer, pen.spread(name, pen.names), who)
    builder.store(best, places[0], align=pen.size)
    builder.store(second, places[1], align=pen.size)
    builder.store(who, places[2], align=4)


class _Pen:
    """What the writer of vector instructions says again and again."""

    def __init__(self, builder: Any, element: Any, lanes: int) -> None:
        self.builder, self.element, self.lanes = builder, element, lanes
        self.size = TILE_BYTES // lanes
        self.wide = ir.VectorType(element, lanes)
        self.names = ir.VectorType(_NAME, lanes)

    def times(self, number: Any, factor: int) -> Any:
        return self.builder.mul(number, ir.Constant(number.type, factor))

    def plus(self, number: Any, more: int) -> Any:
        return self.builder.add(number, ir.Constant(number.type, more))

    def pointer(self, data: Any, index: Any, kind: Any) -> Any:
        return self.builder.bitcast(self.builder.gep(data, [index]), kind.as_pointer())

    def number(self, data: Any, index: Any) -> Any:
        return self.builder.load(self.builder.gep(data, [index]))

    def vector(self, data: Any, index: Any) -> Any:
        return self.builder.load(self.pointer(data, index, self.wide), align=self.size)

    def spread(self, value: Any, kind: Any = None) -> Any:
        """Return a vector of copies of a value."""
        kind = self.wide if kind is None else kind
        blank = ir.Constant(kind, ir.Undefined)
        one = self.builder.insert_element(blank, value, ir.Constant(_NAME, 0))
        return self.builder.shuffle_vector(one, blank, ir.Constant(self.names, None))
