"""t-SNE: three ways to one map, scikit-learn's divergence, new points on it."""

import numpy as np
import pytest
import sklearn.manifold
from scipy import sparse
from sklearn.datasets import load_digits

from infimum.errors import DataError, InvalidParameterError
from infimum.models.embedding import SNE, TSNE
from infimum.models.embedding.neighbor_maps._affinities import conditional_affinities
from infimum.models.embedding.neighbor_maps._charges import (
    FullCharges,
    GridCharges,
    TreeCharges,
)
from infimum.models.neighbors import KNeighborsClassifier


def digits(n=300):
    X, y = load_digits(return_X_y=True)
    return X[:n], y[:n]


@pytest.mark.parametrize("scale", [1e-4, 1.0, 15.0])
@pytest.mark.parametrize("way", [GridCharges(), TreeCharges(0.5)], ids=["grid", "tree"])
def test_grid_and_tree_give_the_field_of_all_pairs(scale, way):
    draw = np.random.default_rng(0)
    Y, charges = scale * draw.standard_normal((1500, 2)), draw.uniform(0.5, 1.5, 1500)
    potential, slope = FullCharges().field(Y, charges)
    near, near_slope = way.field(Y, charges)
    np.testing.assert_allclose(near, potential, rtol=0.05)
    apart = np.linalg.norm(near_slope - slope) / np.linalg.norm(slope)
    assert apart < (0.05 if scale > 1 else 0.01)


def test_a_finer_grid_and_a_narrower_angle_come_closer():
    Y = 20 * np.random.default_rng(0).standard_normal((800, 2))
    charges = np.ones(800)
    _, slope = FullCharges().field(Y, charges)

    def miss(way):
        return np.linalg.norm(way.field(Y, charges)[1] - slope) / np.linalg.norm(slope)

    assert miss(GridCharges(0.05)) < 1e-4 < miss(GridCharges(0.4)) < 0.05
    assert miss(TreeCharges(0.0)) < 1e-12 < miss(TreeCharges(0.2))
    assert miss(TreeCharges(0.2)) < miss(TreeCharges(0.8))


def test_fields_are_known_away_from_the_charges_and_for_equal_points():
    draw = np.random.default_rng(1)
    Y = np.repeat(draw.standard_normal((40, 3)), 3, axis=0)
    at = draw.standard_normal((20, 3))
    exact = FullCharges().field(Y, np.ones(120), at)
    for ours, theirs in zip(
        TreeCharges(0.0).field(Y, np.ones(120), at), exact, strict=True
    ):
        np.testing.assert_allclose(ours, theirs, rtol=1e-10)


@pytest.mark.parametrize("method", ["exact", "barnes_hut", "fft"])
def test_the_divergence_is_scikit_learns(method):
    X, _ = digits(200)
    theirs = sklearn.manifold.TSNE(
        perplexity=15,
        max_iter=500,
        random_state=0,
        method="exact" if method == "exact" else "barnes_hut",
    ).fit(X)
    ours = TSNE(perplexity=15, max_iter=500, random_state=0, method=method).fit(X)
    assert ours.kl_divergence_ < 1.05 * theirs.kl_divergence_
    assert ours.learning_rate_ == theirs.learning_rate_
    assert ours.embedding_.shape == (200, 2)
    steps, reached = zip(*ours.history_, strict=True)
    assert steps[-1] == ours.n_iter_
    assert reached[-1] == pytest.approx(ours.kl_divergence_)


@pytest.mark.parametrize("sides", [1, 3, 4])
def test_maps_have_the_dimensions_asked_for(sides):
    X, _ = digits(120)
    model = TSNE(sides, perplexity=10, max_iter=300, random_state=0).fit(X)
    assert model.embedding_.shape == (120, sides)
    assert model.history_[-1][1] < model.history_[0][1]
    assert model.get_feature_names_out().tolist() == [f"tsne{i}" for i in range(sides)]


def test_new_points_land_among_their_like_and_old_ones_on_themselves():
    X, y = digits(400)
    model = TSNE(perplexity=20, max_iter=500, random_state=0).fit(X[:300])
    np.testing.assert_array_equal(model.transform(X[:9]), model.embedding_[:9])
    placed = model.transform(X[300:])
    judge = KNeighborsClassifier(5).fit(model.embedding_, y[:300])
    plain = KNeighborsClassifier(5).fit(X[:300], y[:300])
    assert judge.score(placed, y[300:]) > plain.score(X[300:], y[300:]) - 0.08
    np.testing.assert_allclose(model.transform(X[310:312]), placed[10:12], atol=1e-8)


def test_a_new_point_cannot_be_placed_better_nearby():
    X, _ = digits(150)
    model = TSNE(perplexity=10, max_iter=300, random_state=0).fit(X[:149])
    place = model.transform(X[149:])[0]
    distances, names = model.neighbors_.kneighbors(X[149:])

    def cost(y):
        chances, _ = conditional_affinities(distances, 10)
        squares = np.sum((y - model.embedding_) ** 2, axis=1)
        pulls = chances[0] @ np.log1p(squares[names[0]])
        return pulls + np.log(np.sum(1 / (1 + squares)))

    turns = np.linspace(0, 2 * np.pi, 12)
    for angle in turns:
        nearby = place + 0.1 * np.array([np.cos(angle), np.sin(angle)])
        assert cost(place) <= cost(nearby) + 1e-6


def test_starts_metrics_and_sparse_samples():
    X, _ = digits(100)
    given = np.random.default_rng(0).standard_normal((100, 2)) * 1e-4
    settings = {"perplexity": 10, "max_iter": 60, "random_state": 0}
    for init in ("pca", "mds", "random", given):
        assert np.isfinite(TSNE(init=init, **settings).fit(X).kl_divergence_)
    near = TSNE(metric="manhattan", init="mds", **settings).fit(X)
    distances = np.abs(X[:, None] - X).sum(axis=2)
    told = TSNE(metric="precomputed", init="mds", **settings).fit(distances)
    np.testing.assert_allclose(near.kl_divergence_, told.kl_divergence_, rtol=1e-6)
    np.testing.assert_allclose(
        told.transform(distances[:3]), told.embedding_[:3], atol=1e-12
    )
    settings["max_iter"] = 500  # exaggerated steps magnify rounding; rest forgets it
    thin = TSNE(**settings).fit(sparse.csr_array(X))
    np.testing.assert_array_equal(thin.bandwidths_, TSNE(**settings).fit(X).bandwidths_)
    assert thin.kl_divergence_ == pytest.approx(
        TSNE(**settings).fit(X).kl_divergence_, rel=0.2
    )


def test_equal_points_and_a_constant_table_give_a_map():
    X = np.repeat(np.random.default_rng(0).standard_normal((10, 3)), 6, axis=0)
    assert np.isfinite(TSNE(perplexity=5, max_iter=60).fit(X).embedding_).all()
    flat = TSNE(perplexity=5, max_iter=60, random_state=0).fit(np.ones((20, 3)))
    assert np.isfinite(flat.embedding_).all()


@pytest.mark.parametrize("method", ["fft", "barnes_hut", "exact"])
def test_the_same_seed_gives_the_same_map(method):
    X, _ = digits(120)
    maps = [
        TSNE(perplexity=9, max_iter=100, init="random", random_state=3, method=method)
        .fit(X)
        .embedding_
        for _ in range(2)
    ]
    np.testing.assert_array_equal(*maps)


def test_wrong_requests_are_told_in_one_sentence_and_leave_the_map():
    X, _ = digits(60)
    model = TSNE(perplexity=5, max_iter=50, random_state=0).fit(X)
    before = model.embedding_
    for change, said in [
        ({"perplexity": 60}, "less than the number of samples"),
        ({"method": "fft", "n_components": 3}, "maps in the plane"),
        ({"method": "barnes_hut", "n_components": 4}, "up to 3 dimensions"),
        ({"init": np.ones((3, 2))}, "must have the shape"),
        ({"init": "else"}, "one of"),
        ({"init": np.full((60, 2), np.nan)}, "not finite"),
        ({"learning_rate": 1e100, "method": "fft"}, "flew apart"),
        ({"metric": "precomputed"}, "must be square"),
    ]:
        wrong = model.set_params(**change)
        with pytest.raises((InvalidParameterError, DataError), match=said):
            wrong.fit(X)
        assert model.embedding_ is before
        model.set_params(**TSNE(perplexity=5, max_iter=50).get_params())
    with pytest.raises(InvalidParameterError, match="init='pca' needs features"):
        TSNE(perplexity=5, metric="precomputed").fit(np.zeros((9, 9)))


def test_sne_comes_to_rest():
    X, _ = digits(100)
    model = SNE(perplexity=10, random_state=0).fit(X)
    assert model.kl_divergence_ < 60
    assert np.isfinite(model.transform(X[:3] + 0.5)).all()
