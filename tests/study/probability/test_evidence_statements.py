"""Bayes' rule on tables and graphs, and decisions after it."""

from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from infimum.distributions import Bernoulli, Beta, Gamma, Poisson, least_cost
from infimum.errors import DataError
from infimum.study.probability import (
    DirectedModel,
    FiniteSpace,
    NamedTable,
    combine_evidence,
    decide_by_draws,
    grid_posterior,
    permute_to_independence,
    posterior,
)

#: Age → illness → two tests; a value of 1 says yes.
TESTS = DirectedModel(
    {"age": (), "ill": ("age",), "first": ("ill",), "second": ("ill",)},
    {
        "age": [0.9, 0.1],
        "ill": [[0.9985, 0.0015], [0.991, 0.009]],
        "first": [[0.99, 0.01], [0.0, 1.0]],
        "second": [[0.95, 0.05], [0.01, 0.99]],
    },
)


@pytest.mark.syllabus("S0A-019")
def test_the_cheapest_class_under_a_table_of_costs():
    stages = np.array([[0.7, 0.25, 0.05], [0.4, 0.3, 0.3]])
    costs = np.array([[0, 1, 1], [4, 0, 1], [20, 5, 0]])  # rows: the truth
    decided = least_cost(stages, costs)
    for p, choice in zip(stages, decided, strict=True):
        risks = [sum(p[y] * costs[y, z] for y in range(3)) for z in range(3)]
        assert choice == int(np.argmin(risks))
    assert decided.tolist() != stages.argmax(axis=1).tolist()


@pytest.mark.syllabus("S0A-031", "S0A-033", "S4B-271")
def test_marginal_and_conditional_tables(rng):
    table = NamedTable(rng.dirichlet(np.ones(24)).reshape(2, 3, 4), ("x", "y", "z"))
    p = table.probabilities
    assert table.marginal("x").probabilities == pytest.approx(p.sum(axis=(1, 2)))
    assert table.marginal("z", "x").probabilities == pytest.approx(p.sum(axis=1).T)
    given = table.conditional({"y": 2})
    assert given.names == ("x", "z")
    assert given.probabilities == pytest.approx(p[:, 2] / p[:, 2].sum())
    # Two different joints with the same marginals.
    even = NamedTable(np.full((2, 2), 0.25))
    tied = NamedTable([[0.5, 0.0], [0.0, 0.5]])
    for name in ("X", "Y"):
        assert even.marginal(name).probabilities == pytest.approx(
            tied.marginal(name).probabilities
        )
    assert even.independent("X", "Y")
    assert not tied.independent("X", "Y")
    product = NamedTable.product(even.marginal("X"), even.marginal("Y"))
    assert product.probabilities == pytest.approx(even.probabilities)
    with pytest.raises(DataError, match="probability 0"):
        NamedTable([[0.5, 0.0], [0.5, 0.0]]).conditional({"Y": 1})
    with pytest.raises(DataError, match="'Y' has the values 0 to 1, got -1"):
        NamedTable([[0.5, 0.0], [0.5, 0.0]]).conditional({"Y": -1})
    coin = DirectedModel({"x": ()}, {"x": [0.5, 0.5]})
    with pytest.raises(DataError, match="'x' has the values 0 to 1, got 5"):
        coin.query("x", {"x": 5})
    with pytest.raises(DataError, match="no variable 'Q'"):
        even.marginal("Q")
    with pytest.raises(DataError, match="different name"):
        NamedTable(np.full((2, 2), 0.25), ("a",))


@pytest.mark.syllabus("S0A-032")
def test_a_permuted_sample_is_independent(rng):
    x = rng.normal(size=4000)
    y = x + 0.2 * rng.normal(size=4000)
    same, mixed = permute_to_independence(x, y, random_state=0)
    assert np.array_equal(same, x)
    assert np.array_equal(np.sort(mixed), np.sort(y))
    assert np.corrcoef(x, y)[0, 1] > 0.9
    assert abs(np.corrcoef(same, mixed)[0, 1]) < 4 / np.sqrt(4000)


@pytest.mark.syllabus("S0A-034", "S0A-035")
def test_one_test_for_a_rare_disease():
    prior = [0.0015, 0.9985]
    found = combine_evidence(prior, [1.0, 0.01])
    assert found[0] == pytest.approx(0.1306, abs=5e-5)
    assert combine_evidence(prior, [0.0, 0.99]).tolist() == [0.0, 1.0]
    exact = FiniteSpace(
        {
            ("+", "ill"): Fraction("0.0015"),
            ("+", "well"): Fraction("0.01") * Fraction("0.9985"),
            ("-", "well"): Fraction("0.99") * Fraction("0.9985"),
        }
    )
    assert float(exact.probability(lambda w: w[0] == "+")) == pytest.approx(0.011485)
    ill = exact.bayes(lambda w: w[1] == "ill", lambda w: w[0] == "+")
    assert float(ill) == pytest.approx(found[0])
    with pytest.raises(DataError, match="probability 0"):
        combine_evidence([1.0, 0.0], [0.0, 1.0])


@pytest.mark.syllabus("S0A-036", "S0A-037", "S0A-038")
def test_age_and_two_tests():
    assert combine_evidence([0.009, 0.991], [1.0, 0.01])[0] == pytest.approx(
        0.476, abs=5e-4
    )
    both = combine_evidence([0.009, 0.991], [1.0, 0.01], [0.99, 0.05])
    assert both[0] == pytest.approx(0.947, abs=5e-4)
    answers = {
        (0, None): 0.1306,
        (1, None): 0.476,
        (1, 1): 0.947,
    }
    joint = TESTS.joint()
    for (age, second), told in answers.items():
        evidence = {"age": age, "first": 1}
        if second is not None:
            evidence["second"] = second
        found = TESTS.query("ill", evidence).probabilities[1]
        assert found == pytest.approx(told, abs=5e-4)
        enumerated = joint.conditional(evidence).marginal("ill").probabilities[1]
        assert found == pytest.approx(enumerated)
    assert joint.independent("first", "second", given=["ill"])
    assert not joint.independent("first", "second")


def test_elimination_equals_enumeration_on_random_graphs(rng):
    for _ in range(10):
        names = [f"v{k}" for k in range(6)]
        sizes = rng.integers(2, 4, size=6)
        parents, tables = {}, {}
        for k, name in enumerate(names):
            above = [n for n in names[:k] if rng.uniform() < 0.4]
            shape = [sizes[names.index(n)] for n in above]
            parents[name] = above
            tables[name] = rng.dirichlet(np.ones(sizes[k]), size=shape)
        model = DirectedModel(parents, tables)
        found = model.query(["v0", "v5"], {"v3": 1})
        told = model.joint().conditional({"v3": 1}).marginal("v0", "v5")
        assert found.probabilities == pytest.approx(told.probabilities)


@pytest.mark.parametrize(
    ("parents", "tables", "message"),
    [
        ({"a": ("b",), "b": ("a",)}, {}, "has a cycle"),
        ({"a": ("z",)}, {"a": [[1.0]]}, "is no variable"),
        ({"a": ()}, {"a": [0.5, 0.6]}, "sums to 1"),
        ({"a": ()}, {}, "has no table"),
        (
            {"a": (), "b": ("a",)},
            {"a": [0.5, 0.5], "b": [[1.0, 0.0]]},
            "has 1 values of 'a'",
        ),
    ],
)
def test_graphs_that_are_no_models(parents, tables, message):
    with pytest.raises(DataError, match=message):
        DirectedModel(parents, tables)
    with pytest.raises(DataError, match="probability 0"):
        DirectedModel({"a": ()}, {"a": [1.0, 0.0]}).query("a", {"a": 1})


@pytest.mark.syllabus("S0A-063")
def test_an_eyewitness_in_a_full_bar():
    found = combine_evidence([1 / 50, 49 / 50], [0.9, 0.1])
    assert found[0] == pytest.approx(0.1552, abs=5e-5)


@pytest.mark.syllabus("S3-119", "S3-121", "S3-122", "S3-124")
def test_three_losses_and_their_answers():
    belief = posterior(Gamma(2.0, 1.0), Poisson(), [1, 0, 3])
    points = np.linspace(1e-3, 8, 4001)
    grid = grid_posterior(Gamma(2.0, 1.0), Poisson, [1, 0, 3], points)
    step = points[1] - points[0]
    assert grid.decide("squared") == pytest.approx(belief.mean, abs=step)
    assert grid.decide("absolute") == pytest.approx(belief.median, abs=step)
    assert grid.decide("zero_one") == pytest.approx(belief.mode, abs=step)
    assert grid.median == pytest.approx(belief.median, abs=1e-4)
    reference = stats.gamma(belief.shape, scale=belief.scale)
    assert belief.median == pytest.approx(reference.ppf(0.5))
    assert grid.risk(belief.mean) == pytest.approx(belief.variance, rel=1e-5)
    # Dear underestimates move the answer to a high quantile.
    dear = grid.decide(lambda a, t: np.where(a < t, 4 * (t - a), a - t))
    assert dear == pytest.approx(reference.ppf(0.8), abs=2 * step)
    drawn = belief.sample(200_000, random_state=0)
    assert decide_by_draws(drawn) == pytest.approx(belief.mean, abs=0.02)
    assert decide_by_draws(drawn, "absolute") == pytest.approx(belief.median, abs=0.02)
    by_loss = decide_by_draws(drawn[:4000], lambda a, t: (a - t) ** 2, points[::40])
    assert by_loss == pytest.approx(belief.mean, abs=0.1)
    with pytest.raises(DataError, match="one finite draw"):
        decide_by_draws([])


@pytest.mark.syllabus("S3-123")
def test_the_mode_answers_the_loss_of_zero_and_one():
    values = np.array([0, 1, 1, 2, 2, 2, 3])
    assert decide_by_draws(values, "zero_one") == 2.0
    points = np.linspace(1e-4, 1 - 1e-4, 3001)
    grid = grid_posterior(Beta(2.0, 2.0), Bernoulli, [1, 1, 0, 1], points)
    narrow = grid.decide(lambda a, t: (np.abs(a - t) > 0.01).astype(float))
    mode = posterior(Beta(2.0, 2.0), Bernoulli(), [1, 1, 0, 1]).mode
    assert narrow == pytest.approx(mode, abs=2e-3)
