"""Learning theory under known laws: risks, their parts, consistency."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import ks_2samp
from sklearn.metrics import zero_one_loss

from infimum.distributions import least_cost
from infimum.errors import DataError
from infimum.models.neighbors import KNeighborsClassifier
from infimum.study.probability import JointTable
from infimum.theory import (
    FiniteBound,
    FiniteClass,
    Histograms,
    Hoeffding,
    Intervals,
    MemorizingClassifier,
    Thresholds,
    VCBound,
    consistency_curve,
    excess_risk,
    mean_path,
    risk_in_class,
    symmetrization,
    uniform_deviation,
)


@pytest.fixture
def law(rng):
    return JointTable(rng.dirichlet(np.ones(24)).reshape(12, 2))


@pytest.mark.syllabus("S4B-060", "S3-004", "S3-005", "S3-006", "S4A-023", "S4A-024")
def test_risk_and_bayes_rule_are_exact(law, rng):
    rules = np.array(list(product([0, 1], repeat=12)))
    risks = np.array([law.risk(rule) for rule in rules])
    best = law.bayes_rule()
    assert law.risk(best) == pytest.approx(risks.min())
    eta = law.regression_function
    assert law.risk(best) == pytest.approx(law.marginal @ np.minimum(eta, 1 - eta))
    places, labels = law.sample(100_000, 1)
    for rule in (best, rules[rng.integers(len(rules))]):
        drawn = np.mean(rule[places] != labels)
        assert law.risk(rule) == pytest.approx(
            drawn, abs=Hoeffding().radius(10**5, 1e-9)
        )


@pytest.mark.syllabus("S4A-022", "S3-001", "S3-003")
def test_costs_may_depend_on_the_input_and_on_the_kind_of_error(rng):
    law = JointTable(rng.dirichlet(np.ones(12)).reshape(4, 3))
    costs = rng.random((4, 3, 3)) * (1 - np.eye(3))
    rules = list(product(range(3), repeat=4))
    by_hand = [
        sum(
            law.probabilities[x, y] * costs[x, y, rule[x]]
            for x in range(4)
            for y in range(3)
        )
        for rule in rules
    ]
    assert [law.risk(rule, costs=costs) for rule in rules] == pytest.approx(by_hand)
    assert law.risk(law.bayes_rule(costs), costs=costs) == pytest.approx(min(by_hand))
    same = costs[0]
    given = law.probabilities / law.marginal[:, None]
    assert law.bayes_rule(same).tolist() == least_cost(given, same).tolist()
    # An action may be no label at all, and a loss may be negative.
    gain = law.expected_loss([0.5, 1.0, -1.0, 2.0], lambda y, a: -a * y)
    assert gain == pytest.approx(
        -sum(
            law.probabilities[x] @ [0, 1, 2] * a for x, a in enumerate([0.5, 1, -1, 2])
        )
    )


@pytest.mark.syllabus("S3-002")
def test_one_prediction_is_judged_by_several_criteria():
    storm = JointTable([[0.1, 0.2, 0.7]])  # where it lands: at 0, 100 or 250 km
    where = [0.0, 100.0, 250.0]
    mean = storm.best_predictions(where)
    assert mean[0] == pytest.approx(195)
    nearest = storm.expected_loss([250.0], lambda y, a: np.abs(y - a), where)
    assert nearest < storm.expected_loss(mean, lambda y, a: np.abs(y - a), where)
    squared = [
        storm.expected_loss([a], lambda y, a: (y - a) ** 2, where) for a in (195, 250)
    ]
    assert squared[0] < squared[1]
    assert storm.risk([2]) == pytest.approx(0.3)  # right or wrong
    log_loss = [
        -storm.probabilities[0] @ np.log(q) for q in ([0.1, 0.2, 0.7], [1 / 3] * 3)
    ]
    assert log_loss[0] < log_loss[1]  # the likelihood of a density


@pytest.mark.syllabus("S4B-061", "S3-009", "S3-010", "S3-011", "S2-098")
def test_empirical_risk_minimisation_is_brute_force(law):
    places, labels = law.sample(40, 5)
    for hypotheses in (Thresholds(), Intervals()):
        best = hypotheses.minimize(places, labels)
        said = hypotheses.predict(best.parameters, places) > 0
        assert best.risk == pytest.approx(zero_one_loss(labels, said))
        every = hypotheses.patterns(np.arange(12)) > 0
        assert best.risk == pytest.approx(
            min(np.mean(rule[places] != labels) for rule in every)
        )
        assert risk_in_class(law, hypotheses) == pytest.approx(
            min(law.risk(rule) for rule in every)
        )


@pytest.mark.syllabus("S3-007", "S3-008")
def test_the_empirical_risk_of_one_rule_converges(law):
    rule = np.arange(12) % 2
    places, labels = law.sample(50_000, 2)
    path = mean_path(rule[places] != labels, delta=1e-6)
    assert np.all(np.abs(path.means - law.risk(rule)) <= path.radius)
    assert path.radius[-1] < 0.02


@pytest.mark.syllabus("S3-012", "S3-013", "S3-014", "S3-015", "S4B-062", "S4A-039")
def test_the_parts_of_the_excess_risk_add_up(law):
    small, large = Thresholds(), FiniteClass(np.array(list(product([0, 1], repeat=12))))
    for seed in range(20):
        sample = law.sample(30, seed)
        parts = excess_risk(law, small, sample, returned=7.0)
        assert parts.total == pytest.approx(
            parts.approximation + parts.estimation + parts.optimisation
        )
        assert parts.approximation >= 0
        assert parts.estimation >= -1e-12
        rich = excess_risk(law, large, sample)
        assert rich.approximation == pytest.approx(0, abs=1e-12)
        assert rich.optimisation == 0
        assert parts.approximation == excess_risk(
            law, small, law.sample(9, 99)
        ).best - (parts.bayes)
    early = [
        excess_risk(law, small, law.sample(30, s), returned=5.0) for s in range(60)
    ]
    assert min(each.optimisation for each in early) < 0  # luck


@pytest.mark.syllabus("S4B-066")
def test_the_uniform_deviation_of_half_lines_is_the_kolmogorov_smirnov_statistic(rng):
    certain = JointTable.of(np.full(30, 1 / 30), np.ones(30))
    for seed in range(5):
        places, labels = certain.sample(50, seed)
        found = uniform_deviation(certain, Thresholds(), (places, labels))
        assert found == pytest.approx(ks_2samp(places, np.arange(30)).statistic)


@pytest.mark.syllabus("S4B-067", "S2-103", "S4B-068", "S2-096")
def test_twice_the_uniform_deviation_bounds_the_estimation_error(law):
    n, hypotheses, above = 60, Thresholds(), 0
    gamma = FiniteBound.of(13).width(n, 0.2)  # 13 labellings of 12 points
    best = risk_in_class(law, hypotheses)
    for seed in range(200):
        sample = law.sample(n, seed)
        gap = uniform_deviation(law, hypotheses, sample)
        parts = excess_risk(law, hypotheses, sample)
        assert parts.estimation <= 2 * gap + 1e-12
        above += parts.fitted > best + 2 * gamma
    assert above <= 40
    large = [
        uniform_deviation(law, hypotheses, law.sample(20_000, s)) for s in range(5)
    ]
    assert max(large) < 0.03


@pytest.mark.syllabus("S4B-062", "S4A-025", "S4B-094")
def test_consistent_learners_and_one_that_is_not(rng):
    x = np.linspace(0, 1, 40)
    law = JointTable.of(np.full(40, 1 / 40), np.where((x > 0.3) & (x < 0.6), 0.9, 0.2))
    in_class = risk_in_class(law, Thresholds())

    def half_lines(places, labels):
        best = Thresholds().minimize(places, labels).parameters
        return (np.arange(40) >= best).astype(int)

    def neighbours(places, labels):
        k = 2 * int(len(places) ** 0.5 / 2) + 1  # k grows, k/n vanishes
        model = KNeighborsClassifier(k).fit(x[places, None], labels)
        return model.predict(x[:, None])

    sizes, options = (20, 200, 2000), {"epsilon": 0.03, "repetitions": 40}
    within = consistency_curve(half_lines, law, sizes, best=in_class, **options)
    assert within.shares[0] > within.shares[-1]
    assert within.shares[-1] <= 0.1
    bayes = consistency_curve(half_lines, law, sizes, **options)
    assert bayes.shares.tolist() == [1.0, 1.0, 1.0]  # the class is too small
    stone = consistency_curve(neighbours, law, sizes, **options)
    assert stone.shares[0] > 0.5
    assert stone.shares[-1] <= 0.1
    assert np.all((stone.low <= stone.shares) & (stone.shares <= stone.high))


@pytest.mark.syllabus("S4B-065")
def test_learning_by_heart_has_no_training_error_and_learns_nothing(rng):
    fresh = rng.random((4000, 1))
    for n in (10, 1000):
        X = rng.random((n, 1))
        y = np.where(X[:, 0] > 0.5, 1, -1)
        model = MemorizingClassifier().fit(X, y)
        assert np.array_equal(model.predict(X), y)
        wrong = np.mean(model.predict(fresh) != np.where(fresh[:, 0] > 0.5, 1, -1))
        assert wrong == pytest.approx(0.5, abs=Hoeffding().radius(4000, 1e-6))
    # The class of all labellings deviates by 1/2 whatever n: it has infinite capacity.
    everything = Histograms(2**30).growth(2 * n)
    assert 2 * np.sqrt(np.log(2) * 2) < VCBound(2 * n).width(n, 0.05)
    assert everything == 2 ** (2 * n)


@pytest.mark.syllabus("S4B-077")
def test_symmetrisation_bounds_the_deviation_by_a_ghost_sample():
    law = JointTable.of(np.full(20, 1 / 20), np.full(20, 0.5))
    seen = [
        symmetrization(law, Thresholds(), n, epsilon, repetitions=400)
        for n, epsilon in ((60, 0.19), (200, 0.1), (200, 0.12))
    ]
    assert all(each.applies and each.holds for each in seen)
    assert 0 < seen[1].deviation < 1
    assert not symmetrization(law, Thresholds(), 10, 0.1, repetitions=5).applies


def test_what_does_not_fit_is_refused(law):
    with pytest.raises(DataError, match="12 points"):
        uniform_deviation(law, Thresholds(), law.sample(5, 0), points=np.ones(3))
    with pytest.raises(DataError, match="at least one row"):
        uniform_deviation(law, Thresholds(), ([], []))
    with pytest.raises(DataError, match="Costs have a row"):
        law.risk(np.zeros(12), costs=np.ones((5, 5)))
    with pytest.raises(DataError, match="12 inputs a decision"):
        law.risk([0, 1])
    with pytest.raises(DataError, match="a target for each"):
        law.best_predictions([1.0])
    three = JointTable([[0.2, 0.3, 0.5]])
    assert three.pointwise_error([1])[0] == pytest.approx(0.7)
    with pytest.raises(DataError, match="2 labels"):
        risk_in_class(three, Thresholds())
