"""Deciding when the laws are known, in the words of the lecture."""

from itertools import product

import numpy as np
import pytest

from infimum.distributions import DecisionProblem, Normal, least_cost
from infimum.errors import DataError, InvalidParameterError
from infimum.study.probability import JointTable

MALE, FEMALE = Normal(178.0, 49.0), Normal(165.0, 49.0)


def heights(share=0.5, costs=()):
    return DecisionProblem(
        (MALE, FEMALE), (share, 1 - share), costs, ("male", "female")
    )


@pytest.fixture
def table(rng):
    return JointTable(rng.dirichlet(np.ones(10)).reshape(5, 2))


@pytest.mark.syllabus("S4A-027")
def test_the_prior_alone_says_the_same_to_everybody():
    x = np.linspace(140, 200, 50)
    assert set(heights(0.7).decide(x, "prior")) == {"male"}
    assert set(heights(0.2).decide(x, "prior")) == {"female"}
    assert len(heights(0.7).thresholds("prior", 140, 200)) == 0


@pytest.mark.syllabus("S4A-028")
def test_the_likelihood_alone_ignores_how_frequent_the_classes_are():
    x = np.linspace(140, 200, 200)
    rare, even = heights(0.01), heights(0.5)
    likelier = np.where(MALE.density(x) > FEMALE.density(x), "male", "female")
    assert np.array_equal(rare.decide(x, "likelihood"), likelier)
    assert np.array_equal(even.decide(x, "likelihood"), even.decide(x, "posterior"))
    assert not np.array_equal(rare.decide(x, "likelihood"), rare.decide(x, "posterior"))


@pytest.mark.syllabus("S4A-029")
@pytest.mark.parametrize("share", [0.1, 0.5, 0.8])
def test_the_posterior_moves_the_threshold_by_the_log_odds_of_the_prior(share):
    problem = heights(share)
    x = np.array([150.0, 171.0, 190.0])
    joint = np.column_stack([share * MALE.density(x), (1 - share) * FEMALE.density(x)])
    bayes = joint / joint.sum(axis=1, keepdims=True)
    assert problem.posteriors(x) == pytest.approx(bayes)
    expected = (178 + 165) / 2 + 49 * np.log((1 - share) / share) / (178 - 165)
    assert problem.thresholds("posterior", 100, 240) == pytest.approx([expected])
    uniform = heights(0.5).thresholds("posterior", 100, 240)
    assert uniform == pytest.approx([171.5])


@pytest.mark.syllabus("S4A-030")
def test_costs_move_the_decision_to_the_least_conditional_risk(rng):
    x = np.linspace(140, 200, 61)
    plain = heights(0.4)
    assert np.array_equal(plain.decide(x, "cost"), plain.decide(x, "posterior"))
    costs = ((0.0, 1.0), (4.0, 0.0))  # to call a woman male costs four times as much
    problem = heights(0.4, costs)
    chance = problem.posteriors(x)[:, 0]
    male = problem.decide(x, "cost") == "male"
    assert np.array_equal(male, chance >= 4 / (4 + 1))
    risks = problem.conditional_risks(x)
    assert risks[:, 0] == pytest.approx(4 * (1 - chance))
    assert risks[:, 1] == pytest.approx(chance)
    # Any number of classes, any table of prices.
    shares, prices = rng.dirichlet(np.ones(4), size=30), rng.uniform(size=(4, 4))
    by_hand = [min(range(4), key=lambda z, p=p: p @ prices[:, z]) for p in shares]
    assert least_cost(shares, prices).tolist() == by_hand


@pytest.mark.syllabus("S4A-031")
def test_male_or_female_at_160_by_four_rules():
    problem = heights(0.9, ((0.0, 1.0), (200.0, 0.0)))
    rules = ("prior", "likelihood", "posterior", "cost")
    decisions = {rule: problem.decide([160.0], rule)[0] for rule in rules}
    assert decisions == {
        "prior": "male",
        "likelihood": "female",
        "posterior": "female",
        "cost": "female",
    }
    edges = [problem.thresholds(rule, 120, 240)[0] for rule in rules[1:]]
    assert (
        edges[1] < edges[0] < edges[2]
    )  # a prior for men, a price on calling it wrong
    assert problem.decide([164.0], "posterior")[0] == "male"
    assert problem.decide([164.0], "cost")[0] == "female"
    text = problem.describe(160.0, 120, 240)
    assert text.count("\n") == 3
    assert "likelihood at 160: female; changes at: 171.50" in text


@pytest.mark.syllabus("S4A-032")
def test_the_regression_function_is_the_conditional_probability_of_one(table):
    P = table.probabilities
    eta = table.regression_function
    assert eta == pytest.approx(P[:, 1] / P.sum(axis=1))
    # E[Y | X = x] with Y in {0, 1} is the same number.
    mean = (P @ np.array([0.0, 1.0])) / P.sum(axis=1)
    assert eta == pytest.approx(mean)
    # Near 0 or 1 the label is easy to tell, near 1/2 it is hard.
    best = table.pointwise_error(table.bayes_classifier())
    assert best == pytest.approx(0.5 - np.abs(eta - 0.5))


@pytest.mark.syllabus("S4A-033")
def test_marginal_and_regression_function_determine_the_law(table):
    again = JointTable.of(table.marginal, table.regression_function)
    assert again.probabilities == pytest.approx(table.probabilities)
    mu, eta = table.marginal, table.regression_function
    assert table.probabilities[:, 1] == pytest.approx(eta * mu)
    assert table.probabilities[:, 0] == pytest.approx((1 - eta) * mu)


@pytest.mark.syllabus("S4A-034")
def test_the_threshold_at_one_half_is_the_best_of_all_classifiers(table):
    eta, best = table.regression_function, table.bayes_classifier()
    assert np.array_equal(best, (eta >= 0.5).astype(int))
    least = table.risk(best)
    for rule in product((0, 1), repeat=5):
        assert least <= table.risk(rule) + 1e-15
        excess = table.marginal @ (np.abs(2 * eta - 1) * (np.array(rule) != best))
        assert table.risk(rule) - least == pytest.approx(excess)
        regret = (2 * eta - 1) * (best - np.array(rule))
        errors = table.pointwise_error(rule) - table.pointwise_error(best)
        assert errors == pytest.approx(regret)
        assert (regret >= 0).all()


def test_costs_on_a_table_move_the_threshold(table):
    rule = table.bayes_classifier(false_positive=3.0, false_negative=1.0)
    assert np.array_equal(rule, (table.regression_function >= 0.75).astype(int))
    for other in product((0, 1), repeat=5):
        assert table.risk(rule, 3.0, 1.0) <= table.risk(other, 3.0, 1.0) + 1e-15


def test_problems_that_are_none_are_refused():
    with pytest.raises(DataError, match="priors must be 2"):
        DecisionProblem((MALE, FEMALE), (0.5, 0.6))
    with pytest.raises(DataError, match="costs must be a 2 × 2 table"):
        DecisionProblem((MALE, FEMALE), (0.5, 0.5), ((0.0, 1.0),))
    with pytest.raises(InvalidParameterError, match="rule must be one of"):
        heights().decide([170.0], "gut")
    with pytest.raises(DataError, match="two or more columns"):
        JointTable(np.full((2, 2), 0.3))
