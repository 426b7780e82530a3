"""The criteria of group fairness, measured with intervals."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.evaluation import confusion_table
from infimum.fairness import (
    CRITERIA,
    audit,
    calibration_by_group,
    flip_audit,
    form_groups,
    group_rates,
    measure_disparity,
    unfairness,
)
from infimum.models.linear import LogisticRegression


@pytest.fixture
def court(rng):
    """Return group, truth (1: does not reoffend) and decision (1: released)."""
    group = rng.choice(["north", "south"], 3000, p=[0.6, 0.4])
    good = rng.random(3000) < np.where(group == "north", 0.65, 0.45)
    score = good + 0.8 * rng.standard_normal(3000) + 0.3 * (group == "north")
    return group, good.astype(int), (score > 0.6).astype(int)


@pytest.mark.syllabus("S4B-118")
def test_every_group_has_its_own_table_of_outcomes_with_the_favourable_one_named(court):
    group, truth, released = court
    counted = group_rates(released, group, truth, favourable=1)
    assert [each.name for each in counted] == ["north", "south"]
    for each in counted:
        here = group == each.name
        table = confusion_table(truth[here], released[here])
        assert each.confusion == table
        assert each.rates["true positive rate"].value == table.recall
        assert each.rates["false positive rate"].value == table.false_positive_rate
        assert each.rates["positive predictive value"].value == table.precision
        omitted = 1 - table.negative_predictive_value
        assert each.rates["false omission rate"].value == pytest.approx(omitted)
    # Naming the other outcome exchanges the roles of the two error rates.
    mirrored = group_rates(released, group, truth, favourable=0)
    for one, other in zip(counted, mirrored, strict=True):
        assert one.rates["true positive rate"].value == pytest.approx(
            1 - other.rates["false positive rate"].value
        )
        assert other.rates["base rate"].value == pytest.approx(
            1 - one.rates["base rate"].value
        )


@pytest.mark.syllabus("S4B-119")
def test_demographic_parity_compares_selection_rates(court):
    group, _, released = court
    found = measure_disparity(released, group)
    shares = [released[group == name].mean() for name in ("north", "south")]
    assert found.difference == pytest.approx(abs(shares[0] - shares[1]))
    assert found.ratio == pytest.approx(min(shares) / max(shares))
    assert found.criterion == "demographic parity"
    assert found.proved
    lottery = np.random.default_rng(1).integers(0, 2, len(group))
    assert not measure_disparity(lottery, group).proved


@pytest.mark.syllabus("S4B-120")
def test_equalised_odds_compare_errors_in_both_directions(court):
    group, truth, released = court
    found = measure_disparity(released, group, truth, "separation")
    rates = {}
    for name in ("north", "south"):
        table = metrics.confusion_matrix(truth[group == name], released[group == name])
        rates[name] = table[:, 1] / table.sum(axis=1)  # false, then true positives
    gaps = np.abs(rates["north"] - rates["south"])
    assert found.difference == pytest.approx(gaps.max())
    one_sided = measure_disparity(released, group, truth, "equal opportunity")
    assert one_sided.difference == pytest.approx(gaps[1])
    other = measure_disparity(released, group, truth, "predictive equality")
    assert other.difference == pytest.approx(gaps[0])
    perfect = measure_disparity(truth, group, truth, "equalised odds")
    assert perfect.difference == 0.0


@pytest.mark.syllabus("S4B-121")
def test_predictive_parity_asks_what_a_decision_means(court):
    group, truth, released = court
    found = measure_disparity(released, group, truth, "sufficiency")
    gaps = [
        abs(
            truth[(group == "north") & (released == said)].mean()
            - truth[(group == "south") & (released == said)].mean()
        )
        for said in (0, 1)
    ]
    assert found.difference == pytest.approx(max(gaps))
    # A score in ten steps: the truth given each step, compared between groups.
    step = np.random.default_rng(2).integers(1, 11, len(group))
    fair = (np.random.default_rng(3).random(len(group)) < step / 11).astype(int)
    for value in range(1, 11):
        chosen = step == value
        assert not measure_disparity(fair[chosen], group[chosen]).proved


@pytest.mark.syllabus("S4B-122")
def test_calibration_within_groups_implies_sufficiency_but_not_conversely(rng):
    group = rng.choice(["a", "b"], 20_000)
    chance = rng.choice([0.2, 0.5, 0.8], 20_000)
    chance = np.where((group == "a") & (chance == 0.5), 0.8, chance)
    truth = (rng.random(20_000) < chance).astype(int)
    curves = calibration_by_group(truth, chance, group)
    assert all(curve.expected_error < 0.03 for curve in curves.values())
    for value in np.unique(chance):
        rows = chance == value
        assert not measure_disparity(truth[rows], group[rows]).proved
    # Halving every promise keeps its meaning equal in both groups, and breaks it.
    wrong = calibration_by_group(truth, chance / 2, group)
    assert all(curve.expected_error > 0.1 for curve in wrong.values())


@pytest.mark.syllabus("S4B-123", "S4B-124", "S4B-125")
def test_the_audit_shows_both_extreme_rules_beside_the_decisions(court):
    group, truth, released = court
    found = audit(released, group, truth)
    constant = {d.criterion: d for d in found.baselines["constant"]}
    assert constant["demographic parity"].difference == 0.0
    assert constant["equalised odds"].difference == 0.0
    assert constant["predictive parity"].difference > 0.1  # base rates differ
    attribute = {d.criterion: d for d in found.baselines["attribute"]}
    assert attribute["demographic parity"].difference == 1.0
    assert attribute["equalised odds"].difference == 1.0
    assert attribute["equal opportunity"].difference == 1.0
    assert attribute["predictive equality"].difference == 1.0
    between = found["demographic parity"].difference
    assert 0.0 < between < 1.0
    told = json.loads(json.dumps(found.to_dict()))
    assert set(told["baselines"]) == {"constant", "attribute"}


@pytest.mark.syllabus("S4B-135")
@given(st.integers(0, 10_000), st.floats(0.01, 100.0))
def test_unfairness_is_the_signed_difference_and_blind_to_scale(seed, scale):
    rng = np.random.default_rng(seed)
    attribute = rng.permutation(np.repeat([0, 1], [7, 12]))
    scores = rng.standard_normal(19)
    gap = unfairness(scores, attribute)
    by_hand = sum(scores[attribute == 1] > 0) / 12 - sum(scores[attribute == 0] > 0) / 7
    assert gap == pytest.approx(by_hand)
    assert unfairness(scale * scores, attribute) == gap
    assert unfairness(scores, 1 - attribute) == -gap
    parity = measure_disparity((scores > 0).astype(int), attribute)
    assert abs(gap) == pytest.approx(parity.difference)


@pytest.mark.syllabus("S4B-129")
def test_nineteen_names_belong_to_three_families():
    assert len(CRITERIA) == 19
    families = {name: each.family for name, each in CRITERIA.items()}
    counts = {
        family: list(families.values()).count(family) for family in families.values()
    }
    assert counts == {"independence": 5, "separation": 9, "sufficiency": 5}
    equivalent = {n for n, each in CRITERIA.items() if each.relation == "equivalent"}
    assert {"equalised odds", "demographic parity", "Cleary model"} <= equivalent
    assert "equal opportunity" not in equivalent
    # A relaxation never sees a larger difference than its family.
    rng = np.random.default_rng(0)
    group, truth, said = rng.integers(0, 2, (3, 300))
    for name, each in CRITERIA.items():
        if each.rates:
            part = measure_disparity(said, group, truth, name).difference
            whole = measure_disparity(said, group, truth, each.family).difference
            assert part <= whole + 1e-12


@pytest.mark.syllabus("S4B-130")
def test_decisions_of_people_are_audited_without_any_model():
    judges = ["release"] * 30 + ["keep"] * 10 + ["release"] * 12 + ["keep"] * 28
    towns = ["A"] * 40 + ["B"] * 40
    found = audit(judges, towns, favourable="release")
    assert found["demographic parity"].difference == pytest.approx(0.45)
    assert found["demographic parity"].proved
    assert found.impossibility is None
    assert [d.criterion for d in found.disparities] == ["demographic parity"]


def test_the_interval_of_a_disparity_covers_the_true_one(rng):
    covered = 0
    for _ in range(200):
        group = rng.integers(0, 3, 240)
        chosen = (rng.random(240) < np.array([0.5, 0.6, 0.75])[group]).astype(int)
        found = measure_disparity(chosen, group, confidence=0.9)
        covered += found.low <= 0.25 <= found.high
    assert covered / 200 >= 0.9


def test_equal_groups_are_rarely_accused(rng):
    accused = [
        measure_disparity(*rng.integers(0, 2, (3, 120)), criterion="separation").proved
        for _ in range(80)
    ]
    assert np.mean(accused) <= 0.05


def test_groups_without_rows_to_judge_by_are_said_to_be_unknown():
    found = measure_disparity(
        [1, 0, 1], ["a", "a", "b"], [1, 0, 0], "equal opportunity"
    )
    assert np.isnan(found.difference)
    assert "Too few rows" in found.sentence
    assert found.to_dict()["difference"] is None


def test_sensitive_columns_become_few_groups_with_names(rng):
    ages = rng.integers(18, 90, 500).astype(float)
    ages[:5] = np.nan
    groups = form_groups(ages, most=4)
    assert (groups[:5] == "missing").all()
    names, counts = np.unique(groups[5:], return_counts=True)
    assert len(names) == 4
    assert counts.min() > 90
    for name in names:
        low, high = map(float, name.split(" to "))
        inside = ages[groups == name]
        assert (inside.min(), inside.max()) == (low, high)
    assert set(form_groups([0, 1, 1, 0])) == {"0", "1"}
    assert set(form_groups([True, False, None])) == {"True", "False", "missing"}
    with pytest.raises(DataError, match="one value a row"):
        form_groups([])


def test_the_picture_shows_every_rate_of_every_group(court):
    group, truth, released = court
    found = audit(released, group, truth)
    figure = found.plot()
    assert len(figure.data) == 2
    rates = found.groups[0].rates
    np.testing.assert_allclose(figure.data[0].x, [r.value for r in rates.values()])


def test_what_cannot_be_measured_is_refused():
    with pytest.raises(DataError, match="needs the truth"):
        measure_disparity([1, 0], ["a", "b"], criterion="separation")
    with pytest.raises(InvalidParameterError, match="one of independence"):
        measure_disparity([1, 0], ["a", "b"], criterion="goodness")
    with pytest.raises(DataError, match="one decision, one group"):
        audit([1, 0, 1], ["a", "b"])
    with pytest.raises(DataError, match="0 and 1"):
        unfairness([1.0, 2.0], ["a", "b"])


def test_a_model_is_asked_again_with_only_the_group_changed():
    rng = np.random.default_rng(0)
    group = rng.integers(0, 2, 400)
    X = np.column_stack([group, group + rng.standard_normal(400)])
    y = (X[:, 1] + 2.0 * group + rng.standard_normal(400) > 1.0).astype(int)
    model = LogisticRegression().fit(X, y)
    found = audit(model.predict(X), group, y, X=X, model=model, attribute=0)
    alone = flip_audit(model, X, 0)
    assert found.flips.largest == alone.largest > 0.1
    assert len(found.proxies.proxies) == 1  # the group itself is no proxy
    frame = pd.DataFrame(X, columns=["group", "score"])
    named = LogisticRegression().fit(frame, y)
    again = audit(y, group, y, X=frame, model=named, attribute="group")
    assert [each.column for each in again.proxies.proxies] == ["score"]
    with pytest.raises(IncompatibleError, match="needs X and the attribute"):
        audit(y, group, y, model=model)
