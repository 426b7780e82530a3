"""Numeric transformers pass scikit-learn's battery, keep float32 and keep sparse."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.utils.estimator_checks import check_estimator

from infimum.errors import DataError, InvalidParameterError
from infimum.study.features import (
    InterceptColumn,
    PolynomialBasis,
    QuadraticMonomials,
    SineBasis,
    Standardizer,
)

TRANSFORMERS = [
    InterceptColumn(),
    PolynomialBasis(3),
    QuadraticMonomials(),
    QuadraticMonomials("ordered"),
    QuadraticMonomials("isometric"),
    SineBasis(4),
    Standardizer(with_mean=False),
    Standardizer("variance", with_mean=False),
]
each = pytest.mark.parametrize("transformer", TRANSFORMERS, ids=repr)


@pytest.mark.parametrize("transformer", [*TRANSFORMERS, Standardizer()], ids=repr)
def test_scikit_learn_contract(transformer):
    results = check_estimator(transformer, on_skip=None)
    statuses = {r["check_name"]: r["status"] for r in results}
    skipped = {name for name, status in statuses.items() if status == "skipped"}
    assert set(statuses.values()) <= {"passed", "skipped"}
    assert skipped <= {"check_array_api_input"}
    assert len(results) >= 35


@each
def test_sparse_input_gives_the_same_numbers_and_stays_sparse(transformer, rng):
    X = np.where(rng.random((30, 6)) < 0.3, rng.standard_normal((30, 6)), 0.0)
    dense = transformer.fit_transform(X)
    for kind in (sparse.csr_matrix, sparse.csc_array, sparse.coo_array):
        image = transformer.fit(kind(X)).transform(kind(X))
        assert sparse.issparse(image)
        assert image.toarray() == pytest.approx(dense, abs=1e-14)


@pytest.mark.parametrize("transformer", [*TRANSFORMERS, Standardizer()], ids=repr)
def test_single_precision_in_is_single_precision_out(transformer, rng):
    X = rng.standard_normal((20, 3))
    image = transformer.fit_transform(X.astype(np.float32))
    assert image.dtype == np.float32
    assert image == pytest.approx(transformer.fit_transform(X), abs=1e-5)


@each
def test_every_column_has_one_name(transformer, rng):
    X = rng.standard_normal((5, 3))
    width = transformer.fit_transform(X).shape[1]
    names = transformer.get_feature_names_out(["a", "b", "c"])
    assert len(names) == width
    if getattr(transformer, "pairs", "") != "ordered":
        assert len(set(names)) == width


def test_a_sparse_matrix_is_not_centred_silently():
    with pytest.raises(DataError, match="with_mean=False"):
        Standardizer().fit(sparse.eye_array(3, format="csr"))


@pytest.mark.parametrize(
    "transformer, owner",
    [
        (SineBasis(0), "SineBasis.n_functions"),
        (PolynomialBasis(1.5), "PolynomialBasis.degree"),
        (QuadraticMonomials("all"), "QuadraticMonomials.pairs"),
        (Standardizer("range"), "Standardizer.scale"),
    ],
)
def test_a_parameter_outside_its_domain_is_named(transformer, owner):
    with pytest.raises(InvalidParameterError, match=owner):
        transformer.fit([[1.0], [2.0]])


def test_standardizing_can_be_undone(rng):
    X = rng.standard_normal((12, 3)) * [1, 100, 1e-3] + [5, 0, -7]
    for transformer in (Standardizer(), Standardizer("variance", with_mean=False)):
        image = transformer.fit_transform(X)
        assert transformer.inverse_transform(image) == pytest.approx(X)
    flat = Standardizer(with_mean=False).fit(sparse.csr_array(X))
    there = flat.transform(sparse.csr_array(X))
    assert flat.inverse_transform(there).toarray() == pytest.approx(X)
