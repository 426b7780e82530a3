"""A proof from a rougher f is the proof from f itself, since it knows how rough."""

import numpy as np
import pytest
from scipy import sparse

from infimum.certificates import certify_support_vectors
from infimum.kernels import Gaussian
from infimum.objectives import KernelCache, SupportVectorDual, kernel_tiles
from infimum.solvers import WorkingSetDescent
from infimum.solvers._certain_scores import Sketch, certain_scores
from infimum.solvers.support_vectors import _variable_selection


def problem(kind, rng, n=1_200):
    X = rng.normal(size=(n, 5))
    wave = np.sin(2.0 * X[:, 0]) + X[:, 1] + 0.3 * rng.normal(size=n)
    signs = np.where(wave > 0.0, 1.0, -1.0)
    duals = {
        "classes": SupportVectorDual.classification(signs, np.full(n, 3.0)),
        "squared": SupportVectorDual.classification(signs, np.ones(n), squared=True),
        "values": SupportVectorDual.regression(wave, np.ones(n), 0.4),
        "share": SupportVectorDual.nu_classification(signs, np.ones(n), 0.3),
        "tube": SupportVectorDual.nu_regression(wave, np.ones(n), 0.3),
        "novelty": SupportVectorDual.one_class(np.ones(n), 0.1 * n),
    }
    return X, duals[kind]


@pytest.mark.parametrize("rows", [np.asarray, sparse.csr_array], ids=["dense", "csr"])
def test_sums_of_rounded_values_are_within_the_error_they_admit(rows, rng):
    X = rng.normal(size=(900, 30)) * (rng.random((900, 30)) < 0.4)
    tiles = kernel_tiles(Gaussian(3.0), rows(X), None, np.float32)
    cache = KernelCache(tiles, 1.0)
    members = np.sort(rng.permutation(900)[:400])
    factors = 10.0 * rng.normal(size=400)
    truth = Gaussian(3.0)(X)[:, members] @ factors
    cache.add(members[:150], np.ones(150), np.zeros(900))  # keeps these rows
    sums, errors = cache.bounded_sums(members, factors)
    assert np.all(np.abs(sums - truth) <= errors)
    assert np.abs(sums - truth).max() > 0.0
    assert errors.max() <= 1e-4 * np.abs(factors).sum()


@pytest.mark.parametrize(
    "kind", ["classes", "squared", "values", "share", "tube", "novelty"]
)
def test_a_proof_with_a_sketch_is_that_of_f_everywhere(kind, rng, monkeypatch):
    X, dual = problem(kind, rng)

    def run():
        return WorkingSetDescent().solve(
            dual, lambda dtype: kernel_tiles(Gaussian(2.0), X, None, dtype), single=True
        )

    sketched = run()
    monkeypatch.setattr(_variable_selection, "FEW", 10**9)
    whole = run()
    np.testing.assert_array_equal(sketched.point, whole.point)
    np.testing.assert_allclose(sketched.offsets, whole.offsets, rtol=1e-12)
    for proof in (sketched.certificate, whole.certificate):
        assert proof.primal == pytest.approx(whole.certificate.primal, rel=1e-13)
        assert proof.dual == pytest.approx(whole.certificate.dual, rel=1e-13)
    np.testing.assert_allclose(sketched.scores, whole.scores, atol=1e-3)
    assert (sketched.scores != whole.scores).any()


@pytest.mark.parametrize("kind", ["classes", "values", "novelty"])
def test_f_is_computed_where_a_sketch_leaves_doubt_and_hardly_elsewhere(kind, rng):
    X, dual = problem(kind, rng)
    tiles = kernel_tiles(Gaussian(2.0), X)
    solved = WorkingSetDescent().solve(
        dual, lambda dtype: kernel_tiles(Gaussian(2.0), X, None, dtype)
    )
    truth = dual.scores(tiles, solved.point)
    left: list[int] = []
    for error in (1e-6, 1e-2, 1.0, 1e3):
        wrong = truth + error * rng.uniform(-1.0, 1.0, size=len(truth))
        sketch = Sketch(wrong, np.full(len(truth), error))
        scores, rough = certain_scores(dual, solved.point, tiles, sketch)
        vague = np.flatnonzero(rough)
        exact = np.delete(np.arange(len(truth)), vague)
        np.testing.assert_allclose(scores[exact], truth[exact], rtol=1e-9, atol=1e-12)
        np.testing.assert_array_equal(scores[vague], wrong[vague])
        found = certify_support_vectors(dual, solved.point, scores)
        right = certify_support_vectors(dual, solved.point, truth)
        assert found.primal == pytest.approx(right.primal, rel=1e-12)
        assert found.dual == pytest.approx(right.dual, rel=1e-12)
        left.append(len(vague))
    assert left == sorted(left, reverse=True)
    assert left[0] > 0.1 * len(truth)
    assert left[-1] < 0.01 * len(truth)


def test_an_unknown_rounding_bounds_nothing():
    X = np.random.default_rng(0).normal(size=(30, 2))
    tiles = kernel_tiles(None, Gaussian()(X))
    _, errors = KernelCache(tiles, 1.0).bounded_sums(np.arange(5), np.ones(5))
    assert np.isinf(errors).all()
