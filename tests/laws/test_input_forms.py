"""The same numbers in another form are the same table: every exported estimator."""

import inspect

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from infimum.data.canonical import canonical
from infimum.kernels import Gaussian, Polynomial
from infimum.models.graph import laplacian
from infimum.models.neighbors import kneighbors_graph, radius_neighbors_graph
from tests.laws.estimators import ESTIMATORS, answers, fitted, made, targets_for

ROWS, COLUMNS = 40, 4


def drawn(rng):
    """Return numbers that half precision holds exactly, a fifth of them 0."""
    X = rng.normal(size=(ROWS, COLUMNS)) * (rng.uniform(size=(ROWS, COLUMNS)) < 0.8)
    return np.abs(X).astype(np.float16).astype(np.float64)


def turned(X):
    """Return compressed rows whose entries come in the opposite order."""
    rows = sparse.csr_array(X)
    order = np.concatenate(
        [np.arange(rows.indptr[i], rows.indptr[i + 1])[::-1] for i in range(len(X))]
    )
    return sparse.csr_array(
        (rows.data[order], rows.indices[order], rows.indptr), shape=X.shape
    )


def twice(X):
    """Return compressed rows with two entries at each place, halves of the number."""
    rows = sparse.csr_array(X)
    pairs = np.repeat(0.5 * rows.data, 2), np.repeat(rows.indices, 2)
    return sparse.csr_array((*pairs, 2 * rows.indptr), shape=X.shape)


def with_zeros(X):
    stored = sparse.csr_array(np.where(X == 0, 7.0, X))
    stored.data[stored.data == 7.0] = 0.0
    return stored


def wide(X):
    rows = sparse.csr_array(X)
    places = rows.indices.astype(np.int64), rows.indptr.astype(np.int64)
    return sparse.csr_array((rows.data, *places), shape=X.shape)


def locked(X):
    X = X.copy()
    X.flags.writeable = False
    return X


def locked_rows(X):
    rows = sparse.csr_array(X)
    for part in (rows.data, rows.indices, rows.indptr):
        part.flags.writeable = False
    return rows


def strided(X):
    held = np.full((2 * len(X), 2 * X.shape[1]), np.nan)
    held[::2, ::2] = X
    return held[::2, ::2]


def mapped(X, folder):
    np.save(folder / "X.npy", X)
    return np.load(folder / "X.npy", mmap_mode="r")


NAMES = list("abcd")
DENSE = {
    "half": lambda X: X.astype(np.float16),
    "long": lambda X: X.astype(np.longdouble),
    "of the other end": lambda X: X.astype(">f8"),
    "in columns": np.asfortranarray,
    "strided": strided,
    "locked": locked,
    "a list": lambda X: X.tolist(),
    "objects": lambda X: X.astype(object),
    "pandas": lambda X: pd.DataFrame(X, columns=NAMES),
    "polars": lambda X: pl.DataFrame(X, schema=NAMES),
}
SPARSE = {
    "a matrix": sparse.csr_matrix,
    "zeros stored": with_zeros,
    "turned": turned,
    "twice": twice,
    "twice, by columns": lambda X: sparse.csc_array(twice(X.T).T),
    "columns": sparse.csc_array,
    "coordinates": sparse.coo_array,
    "wide positions": wide,
    "locked": locked_rows,
}
#: Grids and folds of the usual size would only take longer.
SHORT = {"alphas": 5, "n_alphas": 5, "Cs": 3, "cv": 3, "n_trials": 5}


def quick(kind):
    known = inspect.signature(kind).parameters
    return made(kind, **{n: v for n, v in SHORT.items() if n in known})


def told(kind, X, y):
    model = fitted(quick(kind), X, y)
    return answers(model, X)


def assert_same(found, known, form):
    assert found.keys() == known.keys()
    for verb, values in known.items():
        if values.dtype.kind == "f":
            np.testing.assert_allclose(
                found[verb], values, rtol=1e-6, atol=1e-6, err_msg=f"{form}: {verb}"
            )
        else:
            np.testing.assert_array_equal(found[verb], values, f"{form}: {verb}")


every_kind = pytest.mark.parametrize("kind", ESTIMATORS.values(), ids=ESTIMATORS)


@every_kind
def test_every_form_of_a_dense_table_gives_the_same_answer(kind, rng, tmp_path):
    X = drawn(rng)
    y = targets_for(quick(kind), X, rng)
    known = told(kind, X, y)
    for form, shaped in DENSE.items():
        assert_same(told(kind, shaped(X), y), known, form)
    assert_same(told(kind, mapped(X, tmp_path), y), known, "mapped")
    whole = np.round(4 * X)
    for form, narrow in {"whole": np.int64, "bool": bool}.items():
        given = whole.astype(narrow)
        known = told(kind, given.astype(float), y)
        assert_same(told(kind, given, y), known, form)


@pytest.mark.parametrize(
    "kind",
    [k for k in ESTIMATORS.values() if made(k).__sklearn_tags__().input_tags.sparse],
    ids=lambda kind: kind.__name__,
)
def test_every_form_of_a_sparse_table_gives_the_same_answer(kind, rng):
    X = drawn(rng)
    y = targets_for(quick(kind), X, rng)
    known = told(kind, sparse.csr_array(X), y)
    assert_same(known, told(kind, X, y), "dense")
    for form, shaped in SPARSE.items():
        given = shaped(X)
        before = [p.copy() for p in parts(given)]
        assert_same(told(kind, given, y), known, form)
        for part, was in zip(parts(given), before, strict=True):
            np.testing.assert_array_equal(part, was, f"{form}: what was given changed")


def parts(given):
    if given.format == "coo":
        return given.data, *given.coords
    return given.data, given.indices, given.indptr


@every_kind
def test_every_form_of_targets_gives_the_same_answer(kind, rng):
    X = drawn(rng)
    y = targets_for(quick(kind), X, rng)
    if y.dtype.kind == "f":
        y = y.astype(np.float16).astype(float)
    known = told(kind, X, y)
    forms = [y.tolist(), locked(y), np.repeat(y, 2, axis=0)[::2]]
    forms += [y.astype(np.float16)] if y.dtype.kind == "f" else [y.astype(np.int8)]
    if y.ndim == 1:
        forms += [pd.Series(y), pl.Series(y)]
    for given in forms:
        assert_same(told(kind, X, given), known, type(given).__name__)


def test_entries_given_twice_are_added_in_the_type_they_were_given_in():
    two = sparse.csr_array((np.ones(2, dtype=bool), [0, 0], [0, 2]), shape=(1, 2))
    assert (
        two.toarray().tolist() == canonical(two).toarray().tolist() == [[True, False]]
    )


def test_what_is_in_order_is_not_copied(rng):
    rows = sparse.csr_array(drawn(rng))
    assert canonical(rows) is rows
    assert canonical(rows.toarray().tolist()) == rows.toarray().tolist()


@pytest.mark.parametrize("kernel", [Gaussian(1.0), Polynomial(2)], ids=repr)
def test_a_kernel_adds_up_entries_given_twice(kernel, rng):
    X = drawn(rng)
    given = twice(X)
    np.testing.assert_allclose(kernel(given), kernel(X), rtol=1e-12)
    assert given.nnz == twice(X).nnz


def test_the_laplacian_of_a_graph_leaves_its_weights_alone(rng):
    W = np.triu(rng.uniform(size=(6, 6)) > 0.5, 1).astype(float)
    weights = with_zeros(W + W.T)
    laplacian(weights)
    assert weights.nnz == 36


@pytest.mark.parametrize("graph", [kneighbors_graph, radius_neighbors_graph])
def test_a_graph_of_the_rows_of_a_frame_does_not_ask_for_their_names(graph, rng):
    X = drawn(rng)
    made = graph(pd.DataFrame(X, columns=NAMES), 2, include_self=True)
    np.testing.assert_array_equal(
        made.toarray(), graph(X, 2, include_self=True).toarray()
    )
