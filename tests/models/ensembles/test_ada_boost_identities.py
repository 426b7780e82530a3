"""AdaBoost: what its rounds multiply to, what they bound, and what they descend."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import AdaBoostClassifier as TheirAdaBoost

from infimum.evaluation import calibration_curve
from infimum.losses import Exponential
from infimum.models.ensembles import AdaBoostClassifier
from infimum.models.ensembles.boosting._exponential_descent import exact_step
from infimum.models.trees import DecisionStump

ROUNDS = 60
EXPONENTIAL = Exponential()


@pytest.fixture(scope="module")
def tumours():
    X, y = load_breast_cancer(return_X_y=True)
    flipped = np.random.default_rng(0).uniform(size=len(y)) < 0.1
    return X, np.where(y ^ flipped, 1, -1)


@pytest.fixture(scope="module")
def boosted(tumours):
    return AdaBoostClassifier(n_estimators=ROUNDS).fit(*tumours)


def votes_of(model, X):
    return np.array([stump.predict(X) for stump in model.estimators_])


@pytest.mark.syllabus("S2-076", "S4A-184")
def test_the_rounds_are_those_of_the_algorithm(tumours, boosted):
    X, y = tumours
    D = np.full(len(y), 1 / len(y))
    f = np.zeros(len(y))
    for t in range(ROUNDS):
        h = DecisionStump().fit(X, y, sample_weight=D).predict(X)
        error = D @ (h != y)
        step = 0.5 * np.log(1 / error - 1)
        D = D * np.exp(-step * y * h)
        D /= D.sum()
        f += step * h
        assert boosted.weighted_errors_[t] == pytest.approx(error, rel=1e-9)
        assert boosted.steps_[t] == pytest.approx(step, rel=1e-9)
    np.testing.assert_allclose(boosted.row_weights_, D, rtol=1e-9)
    np.testing.assert_allclose(boosted.decision_function(X), f, rtol=1e-9, atol=1e-9)
    assert (boosted.predict(X) == np.sign(f)).all()


@pytest.mark.syllabus("S2-076", "S4A-184")
def test_scikit_learn_boosts_the_same_stumps_to_the_same_vote(tumours, boosted):
    X, y = tumours
    theirs = TheirAdaBoost(DecisionStump(), n_estimators=ROUNDS).fit(X, y)
    weights = theirs.estimator_weights_
    np.testing.assert_allclose(weights, 2 * boosted.steps_, rtol=1e-9)
    np.testing.assert_allclose(weights, boosted.estimator_weights_, rtol=1e-9)
    assert (theirs.predict(X) == boosted.predict(X)).all()


@pytest.mark.syllabus("S2-077", "S2-087", "S2-088")
def test_three_wrong_of_ten_make_a_hand_example():
    X = np.arange(10.0)[:, None]
    y = np.array([1, 1, 1, -1, -1, -1, 1, 1, 1, -1])
    model = AdaBoostClassifier(n_estimators=1).fit(X, y)
    assert model.weighted_errors_[0] == pytest.approx(0.3)
    assert model.steps_[0] == pytest.approx(0.5 * np.log(7 / 3))
    assert model.normalizers_[0] == pytest.approx(0.9165151, abs=1e-7)
    heavier = AdaBoostClassifier(n_estimators=1).fit(X, y, [1] * 6 + [0.5] * 3 + [1])
    wrong = heavier.estimators_[0].predict(X) != y
    assert wrong[6:9].all()
    assert heavier.weighted_errors_[0] == pytest.approx(1.5 / 8.5)


@pytest.mark.syllabus("S2-078", "S4A-184")
def test_after_each_update_the_last_learner_is_a_coin_toss(tumours):
    X, y = tumours
    for rounds in (1, 2, 7, 25):
        model = AdaBoostClassifier(n_estimators=rounds).fit(X, y)
        D = model.row_weights_
        assert D.sum() == pytest.approx(1.0, abs=1e-12)
        wrong = model.estimators_[-1].predict(X) != y
        assert D @ wrong == pytest.approx(0.5, abs=1e-12)


@pytest.mark.syllabus("S2-079")
@pytest.mark.parametrize("unit", [1e-3, 1.0, 40.0])
def test_the_vote_is_a_weighted_majority_in_any_unit(unit, tumours, boosted):
    X, _ = tumours
    tally = (unit * boosted.steps_) @ votes_of(boosted, X)
    assert (np.sign(tally) == boosted.predict(X)).all()


@pytest.mark.syllabus("S2-081", "S2-082", "S2-083", "S2-084", "S4A-183", "S4A-187")
def test_every_round_keeps_the_error_below_its_bounds(tumours, boosted):
    X, y = tumours
    edges = 0.5 - boosted.weighted_errors_
    np.testing.assert_allclose(boosted.edges_, edges)
    assert (edges > 0).all()  # every learner is a weak learner
    errors = np.array([np.mean(names != y) for names in boosted.staged_predict(X)])
    epsilon = boosted.weighted_errors_
    product = np.cumprod(2 * np.sqrt(epsilon * (1 - epsilon)))
    np.testing.assert_allclose(boosted.training_error_bound_, product, rtol=1e-12)
    np.testing.assert_allclose(product, np.cumprod(np.sqrt(1 - 4 * edges**2)))
    exponential = np.exp(-2 * np.cumsum(edges**2))
    least = np.minimum.accumulate(edges)
    uniform = np.exp(-2 * np.arange(1, ROUNDS + 1) * least**2)
    assert (errors <= product).all()
    assert (product <= exponential).all()
    assert (exponential <= uniform * (1 + 1e-12)).all()


@pytest.mark.syllabus("S2-084", "S4A-187")
def test_a_uniform_edge_leaves_no_error_after_log_n_rounds(rng):
    X = rng.normal(size=(60, 4))
    y = np.sign(X.sum(axis=1))
    model = AdaBoostClassifier(n_estimators=400).fit(X, y)
    gamma = model.edges_.min()
    enough = int(np.log(len(y)) / (2 * gamma**2)) + 1
    bounds = np.append(model.training_error_bound_, 0.0)
    assert bounds[-2] < 1 / len(y) or len(model.steps_) >= enough
    first = int(np.argmax(bounds < 1 / len(y)))
    assert first < enough
    for names in list(model.staged_predict(X))[first:]:
        assert (names == y).all()


@pytest.mark.syllabus("S2-085", "S2-086")
def test_weights_unroll_and_the_risk_is_the_product_of_the_normalisers(
    tumours, boosted
):
    X, y = tumours
    terms = EXPONENTIAL.value(y, boosted.decision_function(X))
    product = np.prod(boosted.normalizers_)
    assert terms.mean() == pytest.approx(product, rel=1e-12)
    np.testing.assert_allclose(
        boosted.row_weights_, terms / len(y) / product, rtol=0, atol=1e-12
    )
    assert np.mean(boosted.predict(X) != y) <= product
    for count, scores in enumerate(boosted.staged_decision_function(X), 1):
        risk = EXPONENTIAL.value(y, scores).mean()
        assert risk == pytest.approx(np.prod(boosted.normalizers_[:count]), rel=1e-12)


@pytest.mark.parametrize("algorithm", ["discrete", "real"])
@pytest.mark.parametrize("learning_rate", [1.0, 0.3])
def test_the_product_holds_for_every_step_and_kind_of_score(
    algorithm, learning_rate, tumours
):
    X, y = tumours
    model = AdaBoostClassifier(
        n_estimators=30, algorithm=algorithm, learning_rate=learning_rate
    ).fit(X, y)
    risk = EXPONENTIAL.value(y, model.decision_function(X)).mean()
    assert risk == pytest.approx(model.training_error_bound_[-1], rel=1e-12)
    assert np.mean(model.predict(X) != y) <= risk


@pytest.mark.syllabus("S2-087", "S2-088", "S2-092")
@pytest.mark.parametrize("error", [0.01, 0.2, 0.3, 0.49])
def test_the_step_minimises_the_normaliser(error):
    def normaliser(step):
        return error * np.exp(step) + (1 - error) * np.exp(-step)

    found = minimize_scalar(normaliser, bounds=(0, 5), method="bounded")
    step = exact_step(error, 2)
    assert step == pytest.approx(0.5 * np.log((1 - error) / error), rel=1e-12)
    assert step == pytest.approx(found.x, abs=1e-4)
    assert normaliser(step) <= found.fun
    assert normaliser(step) == pytest.approx(2 * np.sqrt(error * (1 - error)))
    # √(ε(1 - ε)) grows on [0, 1/2]: the least error is the best to have.
    better = exact_step(0.9 * error, 2)
    less = 0.9 * error * np.exp(better) + (1 - 0.9 * error) * np.exp(-better)
    assert less < normaliser(step)


def all_stumps(X):
    """Every stump of a small table, as columns of predictions."""
    columns = []
    for x in X.T:
        columns += [np.where(x <= t, 1.0, -1.0) for t in np.unique(x)]
    return np.column_stack([*columns, *[-column for column in columns]])


@pytest.mark.syllabus("S2-089", "S2-091")
def test_boosting_is_greedy_coordinate_descent_with_exact_steps(rng):
    X = rng.normal(size=(40, 3))
    y = np.sign(X[:, 0] * X[:, 1] + 0.4 * rng.normal(size=40))
    H = all_stumps(X)
    model = AdaBoostClassifier(n_estimators=12).fit(X, y)
    f = np.zeros(40)
    for t, votes in enumerate(votes_of(model, X)):
        slopes = EXPONENTIAL.derivative(y, f) @ H  # of the risk, along each stump
        D = EXPONENTIAL.value(y, f)
        D /= D.sum()
        agreement = (D * y) @ H
        best = np.argmin(slopes)
        # The steepest coordinate agrees most and errs least, by 1 - 2ε.
        assert agreement[best] == pytest.approx(agreement.max())
        assert agreement.max() == pytest.approx(1 - 2 * model.weighted_errors_[t])
        assert (D * y) @ votes == pytest.approx(agreement.max())
        along = minimize_scalar(
            lambda s, f=f, h=votes: EXPONENTIAL.value(y, f + s * h).mean(),
            bounds=(0, 6),
            method="bounded",
            options={"xatol": 1e-10},
        )
        assert model.steps_[t] == pytest.approx(along.x, abs=1e-6)
        f = f + model.steps_[t] * votes


@pytest.mark.syllabus("S2-090")
def test_the_second_order_model_of_a_round_is_good_to_third_order(tumours):
    X, y = tumours
    model = AdaBoostClassifier(n_estimators=5).fit(X, y)
    f = list(model.staged_decision_function(X))[3]
    h, error = model.estimators_[4].predict(X), model.weighted_errors_[4]
    Z = EXPONENTIAL.value(y, f).sum()
    D = EXPONENTIAL.value(y, f) / Z

    def surrogate(step):
        return Z * np.sum(D * (1 - step * y * h + step**2 / 2))

    def risk(step):
        return EXPONENTIAL.value(y, f + step * h).sum()

    misses = [abs(risk(s) - surrogate(s)) for s in (0.08, 0.04, 0.02)]
    assert misses[0] / misses[1] == pytest.approx(8, rel=0.1)
    assert misses[1] / misses[2] == pytest.approx(8, rel=0.1)
    assert minimize_scalar(surrogate).x == pytest.approx(1 - 2 * error, rel=1e-6)
    assert model.steps_[4] > 1 - 2 * error  # the exact step goes further


@pytest.mark.syllabus("S2-075", "S4A-183")
def test_rules_hardly_better_than_chance_are_boosted_to_accuracy(rng):
    X = rng.choice([-1.0, 1.0], size=(700, 151))
    y = np.sign(X.sum(axis=1))
    model = AdaBoostClassifier(n_estimators=400).fit(X[:600], y[:600])
    assert (model.weighted_errors_ < 0.5).all()
    alone = [np.mean(s.predict(X[600:]) == y[600:]) for s in model.estimators_[:100]]
    assert np.mean(alone) < 0.58
    assert np.mean(model.predict(X[:600]) == y[:600]) > 0.99
    assert np.mean(model.predict(X[600:]) == y[600:]) > 0.85


@pytest.mark.syllabus("S4A-186")
def test_three_stumps_separate_ten_points_that_none_does_alone():
    plus = [[9, 6], [2, 3], [10, 5], [1, 9], [6, 4]]
    minus = [[5, 2], [8, 8], [4, 7], [3, 10], [7, 1]]
    X, y = np.array(plus + minus, dtype=float), np.repeat([1, -1], 5)
    model = AdaBoostClassifier(n_estimators=3).fit(X, y)
    np.testing.assert_allclose(model.weighted_errors_, [0.3, 3 / 14, 3 / 22])
    np.testing.assert_allclose(model.steps_, [0.42, 0.65, 0.92], atol=0.005)
    errors = [np.mean(stump.predict(X) != y) for stump in model.estimators_]
    assert min(errors) >= 0.3
    assert (model.predict(X) == y).all()
    before = np.full(10, 0.1)
    for rounds in (1, 2, 3):
        part = AdaBoostClassifier(n_estimators=rounds).fit(X, y)
        wrong = part.estimators_[-1].predict(X) != y
        assert (part.row_weights_[wrong] > before[wrong]).all()
        assert (part.row_weights_[~wrong] < before[~wrong]).all()
        before = part.row_weights_


@pytest.mark.syllabus("S2-095")
def test_the_score_gives_the_posterior_of_an_additive_model(rng):
    X = rng.uniform(-2, 2, size=(12_000, 2))
    chance = 1 / (1 + np.exp(-(1.2 * X[:, 0] - 0.8 * X[:, 1])))
    y = np.where(rng.uniform(size=len(X)) < chance, 1, -1)
    model = AdaBoostClassifier(n_estimators=60).fit(X[:8000], y[:8000])
    shares = model.predict_proba(X[8000:])[:, 1]
    f = model.decision_function(X[8000:])
    np.testing.assert_allclose(shares, 1 / (1 + np.exp(-2 * f)), rtol=1e-12)
    curve = calibration_curve(y[8000:] == 1, shares)
    assert curve.expected_error < 0.03
    assert np.abs(shares - chance[8000:]).mean() < 0.05
    wrong = calibration_curve(y[8000:] == 1, 1 / (1 + np.exp(-f)))  # without the 2
    assert wrong.expected_error > 2 * curve.expected_error
