"""PCA: four routes, one answer, and scikit-learn's."""

import numpy as np
import pytest
import sklearn.decomposition
from scipy import sparse
from sklearn.base import clone

from infimum.errors import IncompatibleError, InvalidParameterError
from infimum.models.embedding import PCA, IncrementalPCA
from infimum.models.embedding.axes._principal_axes import choose_route

ROUTES = ["full", "covariance_eigh", "gram", "arpack", "randomized", "auto"]
SHAPES = [(60, 7), (200, 20), (12, 40)]


def cloud(shape, seed=0, kind=np.float64):
    draw = np.random.default_rng(seed)
    return (draw.standard_normal(shape) * np.linspace(1, 4, shape[1]) + 5).astype(kind)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("count", [None, 1, 3, 0.7])
def test_every_route_gives_scikit_learns_answer(shape, route, count):
    X = cloud(shape)
    ours = PCA(count, svd_solver=route, random_state=0).fit(X)
    theirs = sklearn.decomposition.PCA(count, svd_solver="full").fit(X)
    assert ours.n_components_ == theirs.n_components_
    for name in (
        "explained_variance_",
        "explained_variance_ratio_",
        "singular_values_",
        "noise_variance_",
        "mean_",
    ):
        np.testing.assert_allclose(
            getattr(ours, name), getattr(theirs, name), rtol=1e-8, atol=1e-6
        )
    rank = min(shape[0] - 1, ours.n_components_)  # the mean takes one direction
    np.testing.assert_allclose(
        ours.transform(X)[:, :rank], theirs.transform(X)[:, :rank], atol=1e-6
    )


def test_minka_picks_the_dimension_scikit_learn_picks():
    for seed in range(5):
        X = cloud((100, 10), seed) * (np.arange(10) < 4) + cloud((100, 10), seed + 9)
        theirs = sklearn.decomposition.PCA("mle", svd_solver="full").fit(X)
        assert PCA("mle").fit(X).n_components_ == theirs.n_components_


@pytest.mark.parametrize(
    "model", [PCA(4, random_state=0), IncrementalPCA(4, batch_size=100)], ids=repr
)
def test_nothing_sparse_is_filled(model, monkeypatch):
    X = sparse.random_array((300, 80), density=0.1, rng=0, format="csr")
    dense = X.toarray()
    model = clone(model).fit(dense)
    plain = model.reconstruction_error(dense), model.score_samples(dense)
    theirs = sklearn.decomposition.PCA(4, svd_solver="full").fit(dense)
    if type(model) is PCA:
        np.testing.assert_allclose(plain[1], theirs.score_samples(dense))

    def refuse(*_, **__):
        raise AssertionError("a sparse table was filled")

    for kind in (sparse.csr_array, sparse.csc_array):
        monkeypatch.setattr(kind, "toarray", refuse)
        monkeypatch.setattr(kind, "todense", refuse)
    model.fit(X)
    assert model.transform(X).shape == (300, 4)
    assert model.reconstruction_error(X) == pytest.approx(plain[0])
    np.testing.assert_allclose(model.score_samples(X), plain[1], rtol=1e-6)


@pytest.mark.parametrize(
    ("shape", "count", "route"),
    [
        ((1000, 100), 100, "covariance_eigh"),
        ((20, 200), 20, "gram"),
        ((30, 20), 20, "full"),
        ((2000, 600), 5, "krylov"),
    ],
)
def test_the_shape_chooses_the_route(shape, count, route):
    assert choose_route(shape, count, stay_sparse=False) == route
    assert choose_route(shape, count, stay_sparse=True) == "krylov"


@pytest.mark.parametrize("shape", [(200, 20), (6, 80)], ids=str)
def test_the_route_that_a_shape_chooses_gives_scikit_learns_answer(shape):
    route = choose_route(shape, 3, stay_sparse=False)
    assert route == ("covariance_eigh" if shape[0] > shape[1] else "gram")
    X = cloud(shape)
    theirs = sklearn.decomposition.PCA(3, svd_solver="full").fit(X)
    named, free = PCA(3, svd_solver=route).fit(X), PCA(3).fit(X)
    np.testing.assert_array_equal(free.components_, named.components_)
    np.testing.assert_allclose(free.transform(X), theirs.transform(X), atol=1e-8)


def test_sparse_input_is_centred_without_being_made_dense():
    X = sparse.random_array((300, 80), density=0.1, rng=0, format="csr")
    ours = PCA(4, random_state=0).fit(X)
    theirs = sklearn.decomposition.PCA(4, svd_solver="full").fit(X.toarray())
    np.testing.assert_allclose(
        ours.explained_variance_, theirs.explained_variance_, rtol=1e-9
    )
    np.testing.assert_allclose(
        ours.explained_variance_ratio_, theirs.explained_variance_ratio_, rtol=1e-9
    )
    np.testing.assert_allclose(
        np.abs(ours.transform(X)), np.abs(theirs.transform(X.toarray())), atol=1e-6
    )
    with pytest.raises(IncompatibleError, match="would make sparse data dense"):
        PCA(svd_solver="full").fit(X)


def test_residuals_bound_the_error_of_every_squared_singular_value():
    X = cloud((900, 600))
    loose = PCA(5, svd_solver="arpack", tol=1e-3, random_state=0).fit(X)
    exact = np.linalg.svd(X - X.mean(axis=0), compute_uv=False) ** 2
    distance = np.abs(loose.singular_values_[:, None] ** 2 - exact).min(axis=1)
    assert loose.residuals_.max() > 1e-6 * exact[0]  # stopped early on purpose
    assert np.all(distance <= loose.residuals_ * (1 + 1e-9))


def test_a_distant_mean_costs_no_digits():
    X = cloud((500, 6)) + 1e6
    for route in ROUTES:
        found = PCA(3, svd_solver=route, random_state=0).fit(X)
        np.testing.assert_allclose(
            found.explained_variance_,
            PCA(3, svd_solver="full").fit(X - 1e6).explained_variance_,
            rtol=1e-6,
        )


@pytest.mark.parametrize("route", ROUTES)
def test_single_precision_stays_single_and_close(route):
    X = cloud((200, 10), kind=np.float32)
    ours = PCA(3, svd_solver=route, random_state=0).fit(X)
    assert ours.components_.dtype == ours.transform(X).dtype == np.float32
    exact = PCA(3, svd_solver="full").fit(X.astype(np.float64))
    np.testing.assert_allclose(
        ours.explained_variance_, exact.explained_variance_, rtol=1e-4
    )


def test_whitened_scores_have_unit_covariance_and_invert():
    X = cloud((200, 5))
    white = PCA(whiten=True).fit(X)
    scores = white.transform(X)
    np.testing.assert_allclose(np.cov(scores.T), np.eye(5), atol=1e-10)
    np.testing.assert_allclose(white.inverse_transform(scores), X, atol=1e-10)


def test_the_density_of_the_model_is_scikit_learns():
    X = cloud((100, 6))
    ours, theirs = PCA(2).fit(X), sklearn.decomposition.PCA(2).fit(X)
    np.testing.assert_allclose(ours.score_samples(X), theirs.score_samples(X))
    np.testing.assert_allclose(ours.get_precision(), theirs.get_precision(), atol=1e-10)
    flat = np.outer(np.arange(5.0), [1.0, 1.0])
    with pytest.raises(IncompatibleError, match="no density"):
        PCA(1).fit(flat).score(flat)


def test_intervals_of_the_explained_variance_cover_the_truth():
    truth = np.array([16.0, 4.0, 1.0])
    inside = 0
    for seed in range(200):
        draw = np.random.default_rng(seed)
        X = draw.standard_normal((400, 3)) * np.sqrt(truth)
        limits = PCA().fit(X).explained_variance_interval(0.9)
        inside += int(limits[0, 0] <= truth[0] <= limits[0, 1])
    # Binomial(200, 0.9): four standard deviations either way.
    assert abs(inside - 180) <= 4 * np.sqrt(200 * 0.9 * 0.1)


@pytest.mark.parametrize("count", [-1, 8, 1.5, "many"])
def test_impossible_numbers_of_components_are_refused(count):
    with pytest.raises(InvalidParameterError, match=r"PCA\.n_components"):
        PCA(count).fit(cloud((60, 7)))


@pytest.mark.parametrize("units", [1e-8, 1.0, 1e8])
@pytest.mark.parametrize("route", ["full", "covariance_eigh", "gram"])
def test_evidence_spends_no_axis_on_what_rounding_leaves(route, units):
    X = cloud((80, 5))
    flat = units * np.hstack([X, X[:, :2] + X[:, 2:4], np.ones((80, 1))])
    assert PCA("mle", svd_solver=route).fit(flat).n_components_ <= 5


@pytest.mark.parametrize("route", ["full", "covariance_eigh", "gram"])
def test_data_of_lower_rank_have_no_density_by_any_route(route):
    X = cloud((80, 5))
    flat = np.hstack([X, X[:, :2] + X[:, 2:4]])
    with pytest.raises(IncompatibleError, match="no density"):
        PCA(svd_solver=route).fit(flat).score(flat)
