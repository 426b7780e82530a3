"""No error bound of graphs and rankings is below the true error; see the program."""

import numpy as np
import pytest

from benchmarks.bounds_of_graphs import ATTACKS, attack, eliminated


@pytest.mark.parametrize("name", ATTACKS)
def test_every_bound_dominates_the_true_error(name):
    pairs = attack(name, 25, seed=1)
    off, bound = np.array(pairs, dtype=float).T
    assert (off <= bound).all()
    if "proved" not in name:
        assert np.isfinite(bound).any()


def test_the_judge_solves_in_extended_precision(rng):
    A, x = np.longdouble(rng.random((6, 6))), np.longdouble(rng.random(6))
    found = eliminated(A, A @ x)
    assert np.abs(found - x).max() < 1e-15
