"""Neighbourhood components: the gradient, scikit-learn's answers, and every start."""

import numpy as np
import pytest
import sklearn.neighbors
from scipy.optimize import check_grad
from sklearn.datasets import load_iris

from infimum.errors import InvalidParameterError
from infimum.models.embedding import NeighborhoodComponentsAnalysis, _neighbor_odds
from infimum.models.embedding._neighbor_odds import NeighborOdds

X, Y = load_iris(return_X_y=True)


def plainly(A, X, y):
    """Return the expected number of hits by the definition."""
    Z = X @ A.T
    squares = ((Z[:, None] - Z) ** 2).sum(axis=2)
    np.fill_diagonal(squares, np.inf)
    odds = np.exp(-(squares - squares.min(axis=1, keepdims=True)))
    shares = odds / odds.sum(axis=1, keepdims=True)
    return float((shares * (y[:, None] == y)).sum())


@pytest.mark.parametrize("tile", [2**17, 500])
def test_tiles_add_up_to_the_definition(tile, rng, monkeypatch):
    monkeypatch.setattr(_neighbor_odds, "TILE", tile)
    mixed = rng.permutation(len(X))
    A = 0.5 * rng.standard_normal((3, 4))
    value, _ = NeighborOdds(X[mixed], Y[mixed]).judge(A)
    assert value == pytest.approx(plainly(A, X, Y), rel=1e-12)


def test_the_gradient_is_that_of_differences(rng):
    odds = NeighborOdds(X, Y)
    wrong = check_grad(
        lambda a: odds.judge(a.reshape(2, 4))[0],
        lambda a: odds.judge(a.reshape(2, 4))[1].ravel(),
        0.3 * rng.standard_normal(8),
    )
    assert wrong < 1e-4


def test_far_from_the_origin_nothing_is_lost():
    near, _ = NeighborOdds(X, Y).judge(np.eye(4))
    far, _ = NeighborOdds(X + 2.0**20, Y).judge(np.eye(4))
    assert far == pytest.approx(near, rel=1e-6)


@pytest.mark.parametrize("count", [None, 1, 2, 3])
def test_the_map_is_that_of_scikit_learn(count):
    ours = NeighborhoodComponentsAnalysis(count, random_state=0).fit(X, Y)
    theirs = sklearn.neighbors.NeighborhoodComponentsAnalysis(count, random_state=0)
    theirs.fit(X, Y)
    reached = plainly(theirs.components_, X, Y) / len(X)
    assert ours.expected_accuracy_ == pytest.approx(reached, abs=1e-6)
    assert ours.n_iter_ == theirs.n_iter_ - 1


@pytest.mark.parametrize("init", ["auto", "pca", "lda", "identity", "random", "given"])
def test_every_start_ends_no_worse_than_it_began(init):
    given = np.eye(2, 4)[:, ::-1] if init == "given" else init
    settings = {"init": given, "random_state": 0}
    first = NeighborhoodComponentsAnalysis(2, max_iter=1, **settings).fit(X, Y)
    last = NeighborhoodComponentsAnalysis(2, **settings).fit(X, Y)
    assert last.expected_accuracy_ >= first.expected_accuracy_ > 1 / 3
    assert last.transform(X).shape == (150, 2)


def test_a_warm_start_goes_on_where_the_first_fit_ended():
    model = NeighborhoodComponentsAnalysis(2, warm_start=True, max_iter=3).fit(X, Y)
    before = model.expected_accuracy_
    assert not model.converged_
    model.fit(X, Y)
    assert model.expected_accuracy_ > before
    assert model.set_params(max_iter=200).fit(X, Y).converged_


def test_the_map_serves_neighbours_where_units_hide_the_classes(rng):
    hidden = np.column_stack([X, 300.0 * rng.standard_normal((len(X), 2))])
    neighbours = sklearn.neighbors.KNeighborsClassifier(3)
    plain = neighbours.fit(hidden[::2], Y[::2]).score(hidden[1::2], Y[1::2])
    model = NeighborhoodComponentsAnalysis(2).fit(hidden[::2], Y[::2])
    neighbours.fit(model.transform(hidden[::2]), Y[::2])
    assert neighbours.score(model.transform(hidden[1::2]), Y[1::2]) > plain + 0.2


def test_each_iteration_is_told_with_its_number():
    told = []

    def callback(entries, number):
        told.append((entries.shape, number))

    NeighborhoodComponentsAnalysis(2, max_iter=4, callback=callback).fit(X, Y)
    assert told == [((8,), k) for k in range(1, 5)]


def test_maps_that_do_not_fit_are_refused_in_one_sentence():
    for init, count in ((np.ones((2, 3)), None), (np.eye(4), 2), (np.ones((5, 4)), 5)):
        with pytest.raises(InvalidParameterError, match=r"Analysis\.\w+ must"):
            NeighborhoodComponentsAnalysis(count, init=init).fit(X, Y)
    with pytest.raises(InvalidParameterError, match="n_components"):
        NeighborhoodComponentsAnalysis(5).fit(X, Y)
