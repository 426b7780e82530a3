"""What cannot be had together, over joint laws and over data."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from infimum.errors import DataError
from infimum.fairness import audit, group_rates, impossibility, table_gaps


def laws(seed, n=200):
    """Draw joint laws of (group, decision, truth), many of them near the corners."""
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.full(8, 0.5), size=n).reshape(n, 2, 2, 2)


def from_rates(base, high, low, share=0.5):
    """Return the law with these base, true positive and false positive rates."""
    table = np.empty((2, 2, 2))
    for group, weight in enumerate((share, 1 - share)):
        positive, negative = weight * base[group], weight * (1 - base[group])
        table[group, 1] = [negative * low[group], positive * high[group]]
        table[group, 0] = [negative * (1 - low[group]), positive * (1 - high[group])]
    return table


@pytest.mark.syllabus("S4B-126")
@settings(max_examples=50)
@given(
    base=st.tuples(st.floats(0.05, 0.95), st.floats(0.05, 0.95)),
    high=st.floats(0.05, 1.0),
    low=st.floats(0.0, 0.95),
)
def test_separated_decisions_that_use_the_truth_are_neither_independent_nor_sufficient(
    base, high, low
):
    assume(abs(base[0] - base[1]) > 0.02)
    gaps = table_gaps(from_rates(base, (high, high), (low, low)))
    assert gaps["separation"] == pytest.approx(0.0, abs=1e-9)
    # Independence fails exactly by (TPR - FPR) times the difference of base rates.
    expected = abs(high - low) * abs(base[0] - base[1])
    assert gaps["independence"] == pytest.approx(expected, abs=1e-9)
    if low > 0.02 and high < 0.98:  # decisions of both kinds err
        assert gaps["sufficiency"] > 1e-5


@pytest.mark.syllabus("S4B-126")
@settings(max_examples=25)
@given(st.integers(0, 10_000))
def test_no_law_has_two_criteria_when_base_rates_differ(seed):
    for table in laws(seed):
        gaps = table_gaps(table)
        if gaps["base rate"] < 0.05 or table.min() < 1e-3:
            continue
        pairs = [
            max(gaps["independence"], gaps["sufficiency"]),
            max(gaps["separation"], gaps["sufficiency"]),
        ]
        assert min(pairs) > 1e-6


@pytest.mark.syllabus("S4B-126")
def test_decisions_by_lot_have_independence_and_separation_together():
    # So the first statement needs decisions that depend on the truth.
    lot = table_gaps(from_rates((0.2, 0.7), (0.4, 0.4), (0.4, 0.4)))
    assert lot["independence"] == pytest.approx(0.0)
    assert lot["separation"] == pytest.approx(0.0)
    assert lot["sufficiency"] == pytest.approx(0.5)
    # And decisions that never err have separation and sufficiency together.
    perfect = table_gaps(from_rates((0.2, 0.7), (1.0, 1.0), (0.0, 0.0)))
    assert perfect["separation"] == perfect["sufficiency"] == 0.0
    assert perfect["independence"] == pytest.approx(0.5)
    # With equal base rates all three can be had.
    equal = table_gaps(from_rates((0.4, 0.4), (0.8, 0.8), (0.3, 0.3)))
    assert max(equal.values()) == pytest.approx(0.0)


@pytest.mark.syllabus("S4B-126")
def test_the_impossibility_is_stated_when_the_data_prove_different_base_rates(rng):
    group = rng.choice(["a", "b"], 2000)
    truth = (rng.random(2000) < np.where(group == "a", 0.6, 0.4)).astype(int)
    said = np.where(rng.random(2000) < 0.8, truth, 1 - truth)
    found = audit(said, group, truth).impossibility
    assert found.proved
    assert len(found.statements) == 3
    assert found.low <= 0.2 <= found.high
    assert "one has to choose" in found.sentence
    same = (rng.random(2000) < 0.5).astype(int)
    nothing = impossibility(group_rates(said, group, same))
    assert not nothing.proved
    assert nothing.statements == ()
    assert "do not prove" in nothing.sentence


@pytest.mark.syllabus("S4B-126")
def test_only_what_concerns_the_decisions_is_said_to_be_impossible(rng):
    group = rng.choice(["a", "b"], 2000)
    truth = (rng.random(2000) < np.where(group == "a", 0.6, 0.4)).astype(int)
    # Decisions that never erred have equal error rates and equal predictive values.
    flawless = impossibility(group_rates(truth, group, truth))
    assert len(flawless.statements) == 2
    assert "sometimes" not in flawless.sentence
    # Decisions that are all alike have equal selection rates and equal error rates.
    alike = impossibility(group_rates(np.ones(2000, int), group, truth))
    assert len(alike.statements) == 2
    assert "depends on the truth" not in alike.sentence
    # Decisions that always err have what those that never err have.
    wrong = table_gaps(from_rates((0.2, 0.7), (0.0, 0.0), (1.0, 1.0)))
    assert wrong["separation"] == wrong["sufficiency"] == 0.0


def test_laws_of_a_wrong_shape_and_missing_truths_are_refused():
    with pytest.raises(DataError, match="shape"):
        table_gaps(np.ones((2, 2)))
    with pytest.raises(DataError, match="truth"):
        impossibility(group_rates([1, 0], ["a", "b"]))
