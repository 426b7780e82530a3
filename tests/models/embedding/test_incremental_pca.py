"""PCA in batches: scikit-learn's answer, sparse or dense, and that of PCA at last."""

import numpy as np
import pytest
import sklearn.decomposition
from scipy import sparse
from sklearn.datasets import load_digits

from infimum.errors import InvalidParameterError
from infimum.models.embedding import PCA, IncrementalPCA


def cloud(n=200, d=12, seed=0):
    draw = np.random.default_rng(seed)
    return draw.standard_normal((n, d)) * np.linspace(1, 4, d) + 5


@pytest.mark.parametrize("count", [None, 1, 5])
@pytest.mark.parametrize("size", [20, 50, 200])
def test_batches_give_scikit_learns_answer(count, size):
    X = cloud()
    ours = IncrementalPCA(count, batch_size=size).fit(X)
    theirs = sklearn.decomposition.IncrementalPCA(count, batch_size=size).fit(X)
    for name in (
        "components_",
        "explained_variance_",
        "explained_variance_ratio_",
        "singular_values_",
        "mean_",
        "var_",
        "noise_variance_",
        "n_samples_seen_",
    ):
        np.testing.assert_allclose(
            getattr(ours, name), getattr(theirs, name), atol=1e-8, err_msg=name
        )


def test_all_components_in_batches_are_those_of_all_data_at_once():
    X = cloud()
    batches, whole = IncrementalPCA(batch_size=40), PCA().fit(X)
    for start in range(0, 200, 40):
        batches.partial_fit(X[start : start + 40])
    np.testing.assert_allclose(
        batches.explained_variance_, whole.explained_variance_, rtol=1e-10
    )
    np.testing.assert_allclose(
        np.abs(batches.transform(X)), np.abs(whole.transform(X)), atol=1e-8
    )
    np.testing.assert_allclose(batches.get_covariance(), whole.get_covariance())


def test_sparse_batches_give_the_answer_of_dense_ones():
    X = sparse.random_array((300, 60), density=0.1, rng=0, format="csr")
    thin, thick = IncrementalPCA(3), IncrementalPCA(3)
    for start in range(0, 300, 100):
        thin.partial_fit(X[start : start + 100])
        thick.partial_fit(X[start : start + 100].toarray())
    np.testing.assert_allclose(thin.singular_values_, thick.singular_values_)
    np.testing.assert_allclose(thin.components_, thick.components_, atol=1e-6)
    np.testing.assert_allclose(thin.noise_variance_, thick.noise_variance_)
    np.testing.assert_allclose(thin.transform(X), thick.transform(X.toarray()))


def test_few_components_lose_little_to_batches():
    X = load_digits().data
    batches = IncrementalPCA(16, batch_size=100).fit(X)
    best = PCA(16).fit(X).reconstruction_error(X)
    assert best <= batches.reconstruction_error(X) < 1.05 * best


def test_whitened_scores_have_unit_variance_and_lead_back():
    X = cloud()
    for model in (IncrementalPCA(5, whiten=True, batch_size=50), PCA(5, whiten=True)):
        Z = model.fit_transform(X)
        np.testing.assert_allclose(Z.var(axis=0, ddof=1), 1.0, rtol=0.15)
        apart = np.sum((X - model.inverse_transform(Z)) ** 2, axis=1)
        assert model.reconstruction_error(X) == pytest.approx(apart.mean())
        low, high = model.explained_variance_interval(0.95).T
        assert np.all(low < model.explained_variance_)
        assert np.all(model.explained_variance_ < high)


def test_intervals_of_the_variance_cover_it_as_often_as_they_say():
    truth = np.array([25.0, 9.0, 1.0])
    hits = [
        (low <= truth) & (truth <= high)
        for low, high in (
            PCA()
            .fit(np.random.default_rng(s).standard_normal((400, 3)) * np.sqrt(truth))
            .explained_variance_interval(0.9)
            .T
            for s in range(150)
        )
    ]
    assert np.all(np.abs(np.mean(hits, axis=0) - 0.9) < 0.08)


def test_changed_minds_are_told_and_leave_the_model():
    X = cloud()
    model = IncrementalPCA(3).partial_fit(X)
    before = model.components_
    with pytest.raises(InvalidParameterError, match="changed from 3 to 4"):
        model.set_params(n_components=4).partial_fit(X)
    assert model.components_ is before
    with pytest.raises(InvalidParameterError, match="first batch of at least"):
        IncrementalPCA(5).partial_fit(X[:3])
    with pytest.raises(InvalidParameterError, match="n_components"):
        IncrementalPCA(50).fit(X)


@pytest.mark.syllabus("S4A-197")
def test_eigenfaces_are_pictures_that_add_up_to_the_samples():
    X = load_digits().data  # pictures of 8 × 8 grey values, here digits
    pca = PCA(30).fit(X)
    faces = pca.components_.reshape(30, 8, 8)
    assert faces.shape == (30, 8, 8)
    face = X[:1]
    errors = []
    for count in (1, 5, 10, 30):
        scores = pca.transform(face)
        scores[:, count:] = 0.0
        errors.append(np.linalg.norm(pca.inverse_transform(scores) - face))
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.35 * np.linalg.norm(face - pca.mean_)
    # Ink only where digits have ink: a column that is always blank has no weight.
    np.testing.assert_allclose(pca.components_[:, X.var(axis=0) == 0], 0.0, atol=1e-9)
