"""Laws that every kernel obeys. Adding one to `infimum.kernels` adds it here."""

import inspect
import re
from dataclasses import fields, replace

import numpy as np
import pytest
from scipy import sparse

from infimum.errors import DataError, InvalidParameterError
from infimum.kernels import Gaussian, Kernel, check_definite, kernel_distances
from infimum.kernels.vectors import VectorKernel
from tests.kernels.shelf import EXPORTED, SHELF


def named(kernel):
    """Return a name that is the same in every process: no addresses."""
    return re.sub(r" at 0x[0-9a-f]+", "", repr(kernel))[:70]


on_the_shelf = pytest.mark.parametrize(
    "kernel, things", SHELF, ids=[named(k) for k, _ in SHELF]
)
on_vectors = pytest.mark.parametrize(
    "kernel, X",
    [(k, X) for k, X in SHELF if isinstance(k, VectorKernel)],
    ids=[named(k) for k, _ in SHELF if isinstance(k, VectorKernel)],
)


def part(things, positions):
    """Return some of a collection, as a collection of the same kind."""
    if isinstance(things, np.ndarray):
        return things[positions]
    return [things[i] for i in positions]


def test_the_laws_meet_every_kernel():
    met = {type(kernel) for kernel, _ in SHELF}
    for cls in EXPORTED:
        assert cls in met or inspect.isabstract(cls), cls.__name__
    assert len(EXPORTED) >= 50


@pytest.mark.syllabus("S0B-145", "S3-078")
@on_the_shelf
def test_a_gram_matrix_is_symmetric_and_positive_semidefinite(kernel, things):
    gram = kernel(things)
    assert gram.shape == (len(things), len(things))
    assert np.array_equal(gram, gram.T)
    check = check_definite(gram)
    assert check.asymmetry == 0.0
    if kernel.definite:
        assert check.definite, check.smallest


@on_the_shelf
def test_the_diagonal_needs_no_gram_matrix(kernel, things):
    gram = kernel(things)
    scale = np.abs(gram).max(initial=1e-300)
    diagonal = kernel.diagonal(things)
    np.testing.assert_allclose(diagonal, gram.diagonal(), atol=1e-12 * scale)


@on_the_shelf
def test_rectangles_are_parts_of_the_square(kernel, things):
    rows, columns = [0, 2, 3], [1, 3, len(things) - 1, 2]
    gram = kernel(things)
    part_of_it = kernel(part(things, rows), part(things, columns))
    scale = np.abs(gram).max(initial=1e-300)
    np.testing.assert_allclose(
        part_of_it, gram[np.ix_(rows, columns)], rtol=1e-9, atol=1e-7 * scale
    )
    turned = kernel(part(things, columns), part(things, rows))
    np.testing.assert_allclose(part_of_it, turned.T, rtol=1e-9, atol=1e-7 * scale)


@on_the_shelf
def test_nothing_compared_is_an_empty_matrix(kernel, things):
    none = part(things, [])
    assert kernel(none).shape == (0, 0)
    assert kernel(none, things).shape == (0, len(things))
    assert kernel(things, none).shape == (len(things), 0)
    assert kernel.diagonal(none).shape == (0,)


@pytest.mark.syllabus("S0B-148")
@pytest.mark.parametrize(
    "kernel, things",
    [(k, t) for k, t in SHELF if k.definite],
    ids=[named(k) for k, _ in SHELF if k.definite],
)
def test_cauchy_and_schwarz_hold_in_feature_space(kernel, things):
    gram, diagonal = kernel(things), kernel.diagonal(things)
    bound = np.multiply.outer(diagonal, diagonal)
    assert (gram**2 <= bound * (1 + 1e-9) + 1e-12).all()
    apart = kernel_distances(kernel, things)
    detour = apart[:, :, None] + apart[None, :, :]
    assert (apart[:, None, :] <= detour + 1e-6 * (1 + apart.max())).all()


@on_the_shelf
def test_kernels_are_values_of_frozen_dataclasses(kernel, things):
    assert isinstance(kernel, Kernel)
    first = next(iter(type(kernel).__dataclass_fields__), None)
    with pytest.raises(AttributeError):
        setattr(kernel, first or "anything", 1)


@on_vectors
def test_single_precision_stays_single(kernel, X):
    single = X.astype(np.float32)
    gram = kernel(single)
    assert gram.dtype == np.float32
    assert kernel(single, single[:3]).dtype == np.float32
    assert kernel.diagonal(single).dtype == np.float32
    exact = kernel(single.astype(np.float64))
    np.testing.assert_allclose(gram, exact, rtol=1e-3, atol=1e-3 * np.abs(exact).max())


@on_vectors
def test_sparse_rows_give_the_same_numbers(kernel, X):
    thin = np.where(np.abs(X) > 0.4, X, 0.0)
    expected = kernel(thin)
    for kind in (sparse.csr_array, sparse.csc_matrix, sparse.coo_array):
        np.testing.assert_allclose(kernel(kind(thin)), expected, atol=1e-7)
        mixed = kernel(kind(thin), thin[:4])
        np.testing.assert_allclose(mixed, expected[:, :4], atol=1e-7)
        assert kernel.diagonal(kind(thin)) == pytest.approx(kernel.diagonal(thin))
    np.testing.assert_allclose(kernel(thin[:4], kind(thin)), expected[:4], atol=1e-7)


@on_vectors
def test_blocks_do_not_show(kernel, X, monkeypatch):
    many = np.concatenate([X] * 12)
    expected = kernel(many)
    monkeypatch.setattr("infimum.kernels.vectors._rows.BLOCK", 1)
    np.testing.assert_allclose(kernel(many), expected, atol=1e-12)
    sparse_rows = kernel(sparse.csr_array(many), many)
    np.testing.assert_allclose(sparse_rows, expected, atol=1e-7 * expected.max())


@on_vectors
def test_vectors_of_different_lengths_are_refused(kernel, X):
    with pytest.raises(DataError, match="one length"):
        kernel(X, X[:, :2])
    with pytest.raises(DataError, match="matrix of numbers"):
        kernel(X[0])
    with pytest.raises(DataError, match="matrix of numbers"):
        kernel([["a"]])
    assert kernel([], X).shape == (0, len(X))


@pytest.mark.parametrize("cls", EXPORTED, ids=lambda cls: cls.__name__)
def test_numbers_outside_their_domain_are_refused_by_name(cls):
    ready = next((k for k, _ in SHELF if type(k) is cls), Gaussian())
    for field in fields(ready):
        if "domain" in field.metadata:
            with pytest.raises(InvalidParameterError, match=rf"\.{field.name} must be"):
                replace(ready, **{field.name: "much"})
