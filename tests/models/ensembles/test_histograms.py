"""Histograms of strewn rows, eight features to a word, are what counting gives."""

import numpy as np
import pytest

from infimum.compiled.boosting.boost_columns import BENDS, COUNTS, SLOPES
from infimum.compiled.boosting.boost_grains import pack
from infimum.compiled.boosting.boost_rows import eight_to_a_word, fill_more

NONE = np.empty((0, 0), dtype=np.int64)


@pytest.mark.parametrize("d", [1, 4, 5, 12, 28, 33, 41])
@pytest.mark.parametrize("n", [9, 20_000], ids=["few", "several-blocks"])
def test_packed_sums_are_those_of_each_bin(d, n, rng):
    stride = 12
    codes = rng.integers(0, stride, size=(d, n)).astype(np.uint8)
    words = np.zeros((n, -(-d // 8)), dtype=np.uint64)
    eight_to_a_word(codes, words)
    slopes, bends = rng.integers(-4095, 4096, n), rng.integers(0, 2048, n)
    memory = np.empty(n, dtype=np.int64)
    pack(slopes / 4.0, bends / 8.0, 4.0, 8.0, memory.view(np.int32)[:n])
    rows = np.flatnonzero(rng.uniform(size=n) < 0.9).astype(np.int32)
    planes = np.zeros((3, -(-d // 4) * 4 * stride), dtype=np.int64)
    fill_more(words, rows, memory, NONE, stride, planes)
    ends = np.arange(d) * stride
    for plane, each in ((COUNTS, np.ones(n)), (BENDS, bends), (SLOPES, slopes)):
        for start, column in zip(ends, codes, strict=True):
            counted = np.bincount(column[rows], each[rows], stride)
            np.testing.assert_array_equal(
                planes[plane, start : start + stride], counted
            )
    wide = np.zeros_like(planes)
    fill_more(words, rows, slopes, bends[None], stride, wide)
    np.testing.assert_array_equal(
        wide[:, : d * stride], planes[:, : d * stride], strict=True
    )
    several = np.zeros_like(planes)
    fill_more(words, rows, slopes, np.stack([bends, np.full(n, 3)]), stride, several)
    wide[COUNTS] *= 3
    np.testing.assert_array_equal(several[:, : d * stride], wide[:, : d * stride])
