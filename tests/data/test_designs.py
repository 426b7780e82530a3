"""Designs: five operations that say what plain NumPy says, whatever holds X."""

import inspect
import os
import subprocess
import sys

import numpy as np
import pytest
from scipy import sparse

from infimum.data import designs
from infimum.data.designs import (
    DenseDesign,
    Design,
    SparseDesign,
    StandardizedDesign,
    as_design,
    centred,
)
from infimum.data.designs.sparse import WORTH_THREADS

N, D = 37, 6
HOLDERS = {
    "C": np.ascontiguousarray,
    "F": np.asfortranarray,
    "CSR": sparse.csr_array,
    "CSC": sparse.csc_array,
    "csr_matrix": sparse.csr_matrix,
}


def table(rng):
    return rng.normal(size=(N, D)) * (rng.uniform(size=(N, D)) < 0.6)


@pytest.fixture(params=HOLDERS)
def holder(request):
    return request.param


@pytest.fixture(params=[np.float64, np.float32], ids=["float64", "float32"])
def precision(request):
    return request.param


@pytest.fixture(params=["plain", "standardised"])
def pair(request, holder, precision, rng):
    """Return a design and the dense array it stands for, in float64."""
    X = table(rng).astype(precision)
    design = as_design(HOLDERS[holder](X))
    if request.param == "plain":
        return design, X.astype(np.float64)
    shift, scale = rng.normal(size=D), rng.uniform(0.5, 2.0, size=D)
    standardised = StandardizedDesign(design, shift, scale)
    return standardised, (X.astype(np.float64) - shift) / scale


@pytest.fixture
def close(precision):
    tolerance = 1e-12 if precision is np.float64 else 2e-5

    def check(found, expected):
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance * 10)

    return check


def test_scores_and_pull_back_are_products_with_x(pair, close, rng):
    design, X = pair
    assert design.shape == X.shape
    for w, s in [
        (rng.normal(size=D), rng.normal(size=N)),
        (rng.normal(size=(D, 3)), rng.normal(size=(N, 3))),
    ]:
        close(design.scores(w), X @ w)
        close(design.pull_back(s), X.T @ s)


def test_gram_and_squared_norms_weigh_the_rows(pair, close, rng):
    design, X = pair
    s = rng.uniform(size=N)
    close(design.gram(), X.T @ X)
    close(design.gram(s), X.T @ (s[:, None] * X))
    close(design.squared_norms(), (X**2).sum(axis=0))
    close(design.squared_norms(s), s @ X**2)
    assert design.gram(s).dtype == design.squared_norms(s).dtype == np.float64


def test_columns_and_rows_are_smaller_designs(pair, close):
    design, X = pair
    columns, rows = np.array([4, 0, 3]), np.array([30, 2, 2, 11])
    close(design.columns(columns).toarray(), X[:, columns])
    close(design.rows(rows).toarray(), X[rows])
    close(design.toarray(), X)


@pytest.mark.parametrize("size", [1, 10, N, 100])
def test_row_blocks_cover_every_row_once_and_in_order(pair, close, size):
    design, X = pair
    seen = 0
    for where, block in design.row_blocks(size):
        assert where.start == seen
        assert 0 < block.shape[0] == where.stop - where.start <= size
        close(block.toarray(), X[where])
        seen = where.stop
    assert seen == N


def test_products_of_a_plain_design_stay_in_its_precision(holder, precision, rng):
    design = as_design(HOLDERS[holder](table(rng).astype(precision)))
    assert design.dtype == precision
    for w in (rng.normal(size=D), rng.normal(size=(D, 2))):
        assert design.scores(w).dtype == precision
    for s in (rng.normal(size=N), rng.normal(size=(N, 2))):
        assert design.pull_back(s).dtype == precision
    assert design.columns(np.arange(2)).dtype == precision
    assert design.rows(np.arange(2)).dtype == precision


def test_nothing_sparse_is_ever_filled(monkeypatch, rng):
    X = sparse.csr_array(table(rng))

    def refuse(*_, **__):
        raise AssertionError("a sparse design was filled")

    centred_design, _ = centred(as_design(X), np.full(N, 1 / N))
    assert isinstance(centred_design, StandardizedDesign)
    for kind in (sparse.csr_array, sparse.csc_array):
        monkeypatch.setattr(kind, "toarray", refuse)
        monkeypatch.setattr(kind, "todense", refuse)
    for design in (SparseDesign(X), centred_design):
        design.scores(np.ones(D))
        design.pull_back(np.ones(N))
        design.squared_norms(np.ones(N))
        for part in (design.columns(np.arange(3)), design.rows(np.arange(4))):
            inner = part.original if isinstance(part, StandardizedDesign) else part
            assert isinstance(inner, SparseDesign)
            assert sparse.issparse(inner.X)


@pytest.mark.parametrize("precision", [np.float64, np.float32])
@pytest.mark.parametrize("shape", [(700, 900), (3, 200_000), (600_000, 1)])
def test_norms_of_large_columns_are_the_same_in_either_order(shape, precision, rng):
    X = rng.standard_normal(shape).astype(precision)
    shares = rng.random(shape[0])
    for s in (None, shares):
        by_column = DenseDesign(np.asfortranarray(X)).squared_norms(s)
        by_row = DenseDesign(np.ascontiguousarray(X)).squared_norms(s)
        assert by_column.dtype == np.float64
        np.testing.assert_allclose(by_column, by_row, rtol=1e-12)


def test_a_dense_array_is_wrapped_without_a_copy(rng):
    for X in (table(rng), np.asfortranarray(table(rng)), table(rng).astype("f4")):
        design = as_design(X)
        assert isinstance(design, DenseDesign)
        assert design.X is X
        assert np.shares_memory(next(iter(design.row_blocks(5)))[1].X, X)
        assert as_design(design) is design


@pytest.mark.parametrize("kind", HOLDERS)
def test_centring_removes_the_weighted_means(kind, rng):
    X, weights = table(rng) + 3.0, rng.uniform(size=N)
    weights /= weights.sum()
    design, means = centred(as_design(HOLDERS[kind](X)), weights)
    np.testing.assert_allclose(means, weights @ X, rtol=1e-13)
    np.testing.assert_allclose(design.pull_back(weights), 0.0, atol=1e-13)
    np.testing.assert_allclose(design.toarray(), X - weights @ X, atol=1e-13)


def test_a_mean_far_from_zero_survives_single_precision(rng):
    X = (rng.normal(size=(400, 2)) + np.array([1e4, 0.0])).astype(np.float32)
    weights = np.full(400, 1 / 400)
    design, means = centred(as_design(X), weights)
    exact = X.astype(np.float64)
    np.testing.assert_allclose(means, exact.mean(axis=0), rtol=1e-12, atol=1e-9)
    variances = exact.var(axis=0)
    np.testing.assert_allclose(design.squared_norms(weights), variances, rtol=1e-4)


def test_every_exported_design_was_tested_above():
    kinds = {
        kind
        for kind in vars(designs).values()
        if inspect.isclass(kind) and issubclass(kind, Design) and kind is not Design
    }
    assert kinds == {DenseDesign, SparseDesign, StandardizedDesign}


PRODUCTS = f"""
import hashlib
import numpy as np
from scipy import sparse
from infimum.data.designs import SparseDesign
rng = np.random.default_rng(0)
X = sparse.random_array((3000, 400), density=0.2, rng=rng, format="csr")
assert X.nnz > {WORTH_THREADS}
w, s = rng.normal(size=400), rng.normal(size=3000)
design = SparseDesign(X)
assert np.allclose(design.scores(w), X @ w)
assert np.allclose(design.pull_back(s), X.T @ s)
print(hashlib.sha256(design.scores(w).tobytes()).hexdigest())
print(hashlib.sha256(design.pull_back(s).tobytes()).hexdigest())
"""


def test_sparse_products_do_not_depend_on_the_number_of_threads():
    answers = []
    for threads in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", PRODUCTS],
            env={**os.environ, "NUMBA_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        )
        answers.append(run.stdout.split())
    assert len(answers[0]) == 2
    assert answers[0] == answers[1]


def test_lengths_about_the_mean_are_those_of_centred_columns(pair, close, rng):
    design, X = pair
    shares, others = rng.dirichlet(np.ones(N), size=2)
    moved, means = centred(design, shares)
    for weights in (shares, others, shares.copy()):
        close(moved.squared_norms(weights), weights @ (X - means) ** 2)
    some = np.array([0, 2])
    close(moved.columns(some).squared_norms(shares), shares @ (X - means)[:, some] ** 2)
