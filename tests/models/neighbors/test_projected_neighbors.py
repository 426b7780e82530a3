"""What the texts say about the cost of neighbours, few dimensions, and baselines."""

import numpy as np
import pytest
from scipy.spatial import Voronoi
from sklearn.datasets import load_digits, make_moons

from infimum.models.embedding import GaussianRandomProjection, measure_distortion
from infimum.models.linear import LogisticRegression
from infimum.models.neighbors import KNeighborsClassifier, NearestNeighbors


@pytest.mark.syllabus("S0A-047")
def test_neighbours_after_a_random_projection_classify_as_well():
    X, y = load_digits(return_X_y=True)
    X = np.hstack((X, X, X))  # 192 features
    train, test = slice(0, 1000), slice(1000, None)
    plain = KNeighborsClassifier(3).fit(X[train], y[train]).score(X[test], y[test])
    projection = GaussianRandomProjection(96, random_state=0).fit(X[train])
    # Entries of variance 1/d keep lengths; the printed n^(-1/2) would not.
    assert projection.components_.var() == pytest.approx(1 / 96, rel=0.05)
    Z = projection.transform(X)
    assert np.mean(np.sum(Z**2, axis=1) / np.sum(X**2, axis=1)) == pytest.approx(
        1.0, abs=0.1
    )
    few = KNeighborsClassifier(3).fit(Z[train], y[train]).score(Z[test], y[test])
    assert few > plain - 0.03


@pytest.mark.syllabus("S0A-046")
def test_distances_of_many_points_survive_a_drop_in_dimension():
    X = np.random.default_rng(0).standard_normal((60, 3000))
    Z = GaussianRandomProjection(eps=0.5, random_state=0).fit_transform(X)
    assert Z.shape[1] == 196  # of 3000, whatever their number
    assert measure_distortion(X, Z).within(0.5)


@pytest.mark.syllabus("S1-015")
def test_one_answer_compares_with_every_sample_and_feature():
    compared = []

    def distance(a, b):
        compared.append(len(a))
        return np.sqrt(np.sum((a - b) ** 2))

    for n, d in [(20, 3), (40, 3), (40, 6)]:
        compared.clear()
        X = np.random.default_rng(0).standard_normal((n, d))
        NearestNeighbors(n_neighbors=1, metric=distance).fit(X).kneighbors(X[:1])
        assert sum(compared) == n * d  # products and sums: O(nD)


@pytest.mark.syllabus("S1-024")
@pytest.mark.parametrize(("d", "edge"), [(1, 0.01), (10, 0.63096), (100, 0.95499)])
def test_a_cube_that_holds_a_hundredth_of_the_points_is_nearly_the_whole_cube(d, edge):
    assert 0.01 ** (1 / d) == pytest.approx(edge, abs=1e-5)
    X = np.random.default_rng(0).uniform(-1, 1, (4000, d))
    model = NearestNeighbors(metric="chebyshev", radius=edge).fit(X)
    inside = model.radius_neighbors(np.zeros((1, d)), return_distance=False)[0]
    assert 20 <= len(inside) <= 60  # 40 expected, of 4000


@pytest.mark.syllabus("S4A-013")
def test_regions_of_one_neighbour_are_cells_of_the_samples_and_of_many_smoother():
    X, y = make_moons(80, noise=0.35, random_state=0)
    grid = np.stack(np.meshgrid(np.linspace(-2, 3, 70), np.linspace(-2, 2, 70)), -1)
    places = grid.reshape(-1, 2)
    regions = {
        k: KNeighborsClassifier(k).fit(X, y).predict(places).reshape(70, 70)
        for k in (1, 15)
    }
    # Two neighbouring cells of Voronoi's diagram share an edge of equal distance.
    cells = Voronoi(X)
    one = NearestNeighbors(n_neighbors=2).fit(X)
    for (a, b), edge in zip(cells.ridge_points, cells.ridge_vertices, strict=True):
        if -1 in edge:
            continue
        middle = cells.vertices[edge].mean(axis=0)
        distances, names = one.kneighbors(middle[None])
        assert set(names[0]) == {a, b}
        np.testing.assert_allclose(distances[0, 0], distances[0, 1])

    def border(region):
        return np.sum(region[1:] != region[:-1]) + np.sum(
            region[:, 1:] != region[:, :-1]
        )

    assert border(regions[15]) < 0.8 * border(regions[1])


def two_gaussians(n, apart, seed):
    draw = np.random.default_rng(seed)
    y = draw.integers(0, 2, n)
    return draw.standard_normal((n, 2)) + apart * y[:, None], y


@pytest.mark.syllabus("S4A-015")
def test_more_samples_and_more_separated_classes_make_fewer_errors():
    def error(n, apart):
        test, truth = two_gaussians(1000, apart, 99)
        samples = [two_gaussians(n, apart, seed) for seed in range(8)]
        fits = [KNeighborsClassifier(5).fit(X, y) for X, y in samples]
        return 1 - np.mean([fit.score(test, truth) for fit in fits])

    errors = np.array([[error(n, a) for a in (0.5, 1.5, 3.0)] for n in (20, 100, 500)])
    assert np.all(np.diff(errors, axis=1) < 0)
    assert np.all(errors[2] < errors[0])


@pytest.mark.syllabus("S4A-016")
def test_ones_and_eights_are_told_apart_at_least_as_well_as_threes_and_eights():
    X, y = load_digits(return_X_y=True)

    def errors(a, b):
        rows = np.flatnonzero((y == a) | (y == b))
        train, test = rows[:250], rows[250:350]
        return [
            1 - KNeighborsClassifier(k).fit(X[train], y[train]).score(X[test], y[test])
            for k in (1, 3, 5, 7, 9)
        ]

    easy, hard = errors(1, 8), errors(3, 8)
    assert np.mean(easy) <= np.mean(hard)
    assert max(easy[:3]) <= 0.06
    assert max(hard[:3]) <= 0.06
    a, b = X[0], X[1]
    distance = NearestNeighbors(n_neighbors=1).fit(X[:1]).kneighbors(X[1:2])[0]
    assert distance[0, 0] == pytest.approx(np.sqrt(np.sum((a - b) ** 2)))


@pytest.mark.syllabus("S4A-020")
def test_neighbours_are_a_baseline_that_a_linear_rule_may_not_reach():
    def rings(n, seed):
        draw = np.random.default_rng(seed)
        X = draw.uniform(-2, 2, (n, 2))
        p = 1 / (1 + np.exp(-6 * (np.linalg.norm(X, axis=1) - 1.2)))
        return X, (draw.uniform(size=n) < p).astype(int), p

    test, truth, p = rings(1500, 99)
    bayes = np.mean(np.minimum(p, 1 - p))
    excess = []
    for n in (100, 1000, 8000):  # consistent: k grows, k/n falls
        X, y, _ = rings(n, n)
        model = KNeighborsClassifier(int(n**0.5) | 1).fit(X, y)
        excess.append(1 - model.score(test, truth) - bayes)
    assert excess[2] < 0.03 < excess[0]
    linear = 1 - LogisticRegression().fit(X, y).score(test, truth)
    assert linear - bayes > excess[0]
