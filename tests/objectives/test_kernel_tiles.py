"""Tiles are cut to keep cores busy; what they hold is the kernel all the same."""

import numpy as np
import pytest

from infimum.kernels import Gaussian
from infimum.kernels._cores import even_pieces
from infimum.kernels.vectors._rows import SERIAL
from infimum.objectives import kernel_tiles


@pytest.mark.parametrize("rows", [1, 64, 70, 200])
@pytest.mark.parametrize(("kind", "digits"), [(np.float32, 1e-5), (np.float64, 1e-12)])
def test_rows_in_any_number_are_the_kernel(rows, kind, digits):
    X = np.random.default_rng(0).standard_normal((9_000, 3))
    chosen = np.random.default_rng(1).permutation(9_000)[:rows]
    block = kernel_tiles(Gaussian(), X, None, kind).block(chosen)
    wanted = np.array([np.exp(-0.5 * ((X - X[i]) ** 2).sum(axis=1)) for i in chosen])
    np.testing.assert_allclose(block, wanted, atol=digits)


def test_rows_go_where_they_are_sent_and_nowhere_else():
    X = np.random.default_rng(2).standard_normal((5_000, 2))
    tiles, out = kernel_tiles(Gaussian(), X), np.full((6, 5_000), -1.0)
    tiles.write(np.array([7, 3]), out, np.array([4, 1]))
    np.testing.assert_allclose(out[[4, 1]], tiles.block(np.array([7, 3])))
    assert (out[[0, 2, 3, 5]] == -1.0).all()


@pytest.mark.parametrize("count", [0, 1, 64, 65, 1_000])
def test_even_pieces_cover_everything_and_hardly_differ(count):
    pieces = even_pieces(count, 64)
    assert [i for piece in pieces for i in range(count)[piece]] == list(range(count))
    lengths = [piece.stop - piece.start for piece in pieces]
    assert max(lengths, default=0) <= 64
    assert max(lengths, default=0) - min(lengths, default=0) <= 1


def test_large_gram_matrices_and_tiles_are_one_arithmetic(rng):
    X = rng.normal(size=(1100, 3))
    X[7] = X[3]
    gram = Gaussian(2.0)(X)
    assert gram.size > SERIAL
    small = np.block(
        [
            [Gaussian(2.0)(X[a : a + 550], X[b : b + 550]) for b in (0, 550)]
            for a in (0, 550)
        ]
    )
    np.testing.assert_allclose(gram, small, rtol=1e-13, atol=1e-15)
    np.testing.assert_array_equal(gram, gram.T)
    assert gram.max() == 1.0
    tiles = kernel_tiles(Gaussian(2.0), X)
    np.testing.assert_allclose(tiles.block(np.arange(1100)), gram, rtol=1e-13)
