"""What the texts say of nearest neighbours, with the library's own models."""

import numpy as np
import pytest
from scipy.spatial.distance import hamming
from sklearn import neighbors as theirs

from infimum.kernels import EditDistance, Gaussian, kernel_distances
from infimum.models.neighbors import (
    KNeighborsClassifier,
    KNeighborsRegressor,
    NearestNeighbors,
    TieWarning,
    condense,
    edit,
    neighbor_error,
    suggest_n_neighbors,
)


def two_clouds(n, apart=2.0, seed=0):
    draw = np.random.default_rng(seed)
    y = draw.integers(0, 2, n)
    X = draw.standard_normal((n, 2))
    X[:, 0] += apart * y
    return X, y


@pytest.mark.syllabus("S1-013")
def test_one_neighbour_repeats_the_nearest_label_and_never_errs_on_its_samples():
    X, y = two_clouds(80)
    Q, _ = two_clouds(50, seed=1)
    model = KNeighborsClassifier(1).fit(X, y)
    nearest = [np.argmin(((X - q) ** 2).sum(axis=1)) for q in Q]
    np.testing.assert_array_equal(model.predict(Q), y[nearest])
    peer = theirs.KNeighborsClassifier(1, algorithm="brute").fit(X, y)
    np.testing.assert_array_equal(model.predict(Q), peer.predict(Q))
    assert model.score(X, y) == 1.0


@pytest.mark.syllabus("S1-014")
def test_the_normalised_hamming_distance_is_a_metric_of_the_search():
    bits = np.random.default_rng(0).integers(0, 2, (6, 11))
    far, names = NearestNeighbors(metric="hamming").fit(bits).kneighbors(bits, 6)
    for i in range(6):
        expected = [hamming(bits[i], bits[j]) for j in names[i]]
        np.testing.assert_allclose(far[i], expected)


@pytest.mark.syllabus("S1-016")
def test_one_wrong_label_spoils_exactly_its_cell():
    X, y = two_clouds(60, apart=8.0)
    Q = np.random.default_rng(2).uniform(-3, 11, (500, 2))
    noisy = y.copy()
    noisy[7] = 1 - noisy[7]
    before = KNeighborsClassifier(1).fit(X, y).predict(Q)
    after = KNeighborsClassifier(1).fit(X, noisy).predict(Q)
    cell = NearestNeighbors(n_neighbors=1).fit(X).kneighbors(Q)[1][:, 0] == 7
    assert cell.any()
    np.testing.assert_array_equal(before != after, cell)


@pytest.mark.syllabus("S1-017")
def test_the_sign_of_the_sum_or_mean_of_odd_many_labels_is_their_vote():
    X, y = two_clouds(70)
    Q, _ = two_clouds(40, seed=3)
    signs = 2.0 * y - 1.0
    mean = KNeighborsRegressor(7).fit(X, signs).predict(Q)
    names = NearestNeighbors(n_neighbors=7).fit(X).kneighbors(Q)[1]
    np.testing.assert_allclose(mean, signs[names].sum(axis=1) / 7)
    vote = KNeighborsClassifier(7).fit(X, signs).predict(Q)
    np.testing.assert_array_equal(np.sign(mean), vote)
    peer = theirs.KNeighborsRegressor(7).fit(X, signs)
    np.testing.assert_allclose(mean, peer.predict(Q))


@pytest.mark.syllabus("S1-018", "S4A-012")
def test_few_neighbours_repeat_noise_all_give_the_majority_and_even_ones_can_tie():
    X, y = two_clouds(90)
    Q, _ = two_clouds(30, seed=4)
    shares = KNeighborsClassifier(89).fit(X[:89], y[:89]).predict_proba(Q)
    np.testing.assert_allclose(shares, [[1 - y[:89].mean(), y[:89].mean()]] * 30)
    assert KNeighborsClassifier(1).fit(X, y).score(X, y) == 1.0
    with pytest.warns(TieWarning, match="odd"):
        KNeighborsClassifier(4).fit(X, y)
    for n in (1, 2, 10, 500, 10**6):
        assert suggest_n_neighbors(n) % 2 == 1
        assert abs(suggest_n_neighbors(n) - max(1.0, np.log(n))) <= 1.0


@pytest.mark.syllabus("S0A-043")
def test_seven_neighbours_cast_whole_votes_and_the_majority_wins():
    X, y = two_clouds(100, apart=1.5)
    Q, _ = two_clouds(300, apart=1.5, seed=5)
    model = KNeighborsClassifier(7).fit(X, y)
    votes = 7 * model.predict_proba(Q)[:, 1]
    np.testing.assert_allclose(votes, votes.round(), atol=1e-12)
    assert set(votes.round().astype(int)) == set(range(8))
    np.testing.assert_array_equal(model.predict(Q), votes > 3.5)


@pytest.mark.syllabus("S0A-044", "S4A-017")
def test_texts_are_neighbours_by_edit_distance_or_by_any_function():
    words = ["kitten", "mitten", "sitting", "house", "mouse"]
    kinds = ["cat", "cat", "cat", "home", "home"]
    by_name = KNeighborsClassifier(1, metric="edit_distance").fit(words, kinds)
    assert by_name.predict(["bitten", "louse"]).tolist() == ["cat", "home"]
    assert by_name.kneighbors(["sitting"], 2)[0].tolist() == [[0.0, 3.0]]

    def lengths(a, b):
        return abs(len(a) - len(b))

    by_length = KNeighborsClassifier(1, metric=lengths).fit(words, kinds)
    assert by_length.predict(["xxxxx"]).tolist() == ["home"]
    assert EditDistance().distances(["kitten"], ["sitting"]) == 3.0


def test_a_kernel_measures_in_its_feature_space():
    X, _ = two_clouds(40)
    far, names = NearestNeighbors(metric=Gaussian(), n_neighbors=3).fit(X).kneighbors(X)
    expected = kernel_distances(Gaussian(), X)
    np.testing.assert_allclose(
        far, np.take_along_axis(expected, names, axis=1), atol=1e-7
    )
    np.testing.assert_array_equal(
        names, NearestNeighbors(n_neighbors=3).fit(X).kneighbors(X)[1]
    )


@pytest.mark.syllabus("S0A-045", "S4A-018")
def test_the_mean_of_seven_neighbours_is_smoother_than_one():
    draw = np.random.default_rng(6)
    X = np.sort(draw.uniform(0, 6, 120))[:, None]
    y = np.sin(X[:, 0]) + 0.4 * draw.standard_normal(120)
    grid = np.linspace(0, 6, 800)[:, None]
    one, seven = (KNeighborsRegressor(k).fit(X, y).predict(grid) for k in (1, 7))
    assert np.abs(np.diff(seven)).sum() < 0.5 * np.abs(np.diff(one)).sum()


@pytest.mark.syllabus("S0A-048")
def test_the_tree_finds_what_comparing_with_all_finds():
    X, _ = two_clouds(2000)
    Q, _ = two_clouds(100, seed=7)
    tree = NearestNeighbors(algorithm="kd_tree").fit(X).kneighbors(Q)
    every = NearestNeighbors(algorithm="brute").fit(X).kneighbors(Q)
    np.testing.assert_array_equal(tree[1], every[1])
    np.testing.assert_allclose(tree[0], every[0])


@pytest.mark.syllabus("S4A-011")
def test_ties_go_to_the_first_class_and_distances_may_be_given():
    far = np.array([[0.0, 1.0, 2.0], [1.0, 0.0, 3.0], [2.0, 3.0, 0.0]])
    model = KNeighborsClassifier(2, metric="precomputed")
    with pytest.warns(TieWarning):
        model.fit(far, [1, 0, 1])
    assert model.predict([[1.0, 1.0, 9.0], [1.0, 9.0, 1.0]]).tolist() == [0, 1]


@pytest.mark.syllabus("S4A-014")
def test_training_error_depends_on_whether_a_point_is_its_own_neighbour():
    own, left_out, test = [], [], []
    for seed in range(10):
        X, y = two_clouds(500, seed=seed)
        Z, z = two_clouds(100, seed=100 + seed)
        model = KNeighborsClassifier(7).fit(X, y)
        own.append(1 - model.score(X, y))
        left_out.append(np.mean(model.predict(None) != y))
        test.append(1 - model.score(Z, z))
    spread = np.std(test) / np.sqrt(10) + np.std(left_out) / np.sqrt(10)
    assert abs(np.mean(left_out) - np.mean(test)) < 3 * spread
    assert np.mean(own) < np.mean(left_out)
    one = KNeighborsClassifier(1).fit(X, y)
    assert one.score(X, y) == 1.0
    assert np.mean(one.predict(None) != y) > 0.1


@pytest.mark.syllabus("S1-027", "S1-029")
def test_the_error_formula_is_what_repeated_noise_gives():
    draw = np.random.default_rng(8)
    X, Q = draw.uniform(0, 1, (50, 1)), np.array([[0.3], [0.8]])
    truth, at = np.sin(4 * X[:, 0]), np.sin(4 * Q[:, 0])
    error = neighbor_error(X, truth, Q, at, 7, 0.25)
    assert error.variance == 0.25 / 7
    rounds = 3000
    Y = truth[:, None] + 0.5 * draw.standard_normal((50, rounds))
    answers = KNeighborsRegressor(7).fit(X, Y).predict(Q)
    expected = KNeighborsRegressor(7).fit(X, truth).predict(Q)
    margin = 4 * np.sqrt(0.25 / 7 / rounds)
    np.testing.assert_allclose(answers.mean(axis=1), expected, atol=margin)
    fresh = at[:, None] + 0.5 * draw.standard_normal((2, rounds))
    squares = (fresh - answers) ** 2
    far = np.abs(squares.mean(axis=1) - error.total)
    assert (far < 4 * squares.std(axis=1) / np.sqrt(rounds)).all()


def test_editing_drops_the_outvoted_and_condensing_keeps_the_rule():
    X, y = two_clouds(120, apart=8.0)
    noisy = y.copy()
    noisy[:3] = 1 - noisy[:3]
    kept = edit(X, noisy)
    np.testing.assert_array_equal(noisy[kept], y[kept])
    few = condense(X, y)
    assert len(few) < 20
    assert KNeighborsClassifier(1).fit(X[few], y[few]).score(X, y) == 1.0
