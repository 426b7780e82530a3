"""Fairness as the lectures tell it: proxies, flips, rates, distorted data, words."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.special import logit
from sklearn.metrics import accuracy_score, confusion_matrix

from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.fairness import (
    analogy,
    association,
    audit,
    calibration_by_group,
    complete_rates,
    direction_scores,
    disparity,
    flip_audit,
    group_rates,
    proxy_audit,
    simulate_detection,
    simulate_feedback,
    simulate_measurement,
    simulate_reporting,
)
from infimum.models.linear import LinearSVC, LogisticRegression


@pytest.fixture
def town(rng):
    n = 4000
    group = rng.choice(["a", "b"], n)
    zip_code = np.where(rng.random(n) < 0.9, group == "a", group == "b")
    income = 1.5 * zip_code + rng.standard_normal(n)
    repaid = (income + 0.5 * rng.standard_normal(n) > 0.7).astype(int)
    names = np.where(zip_code, "north", "south")
    return {"zip": names, "income": income, "noise": rng.random(n)}, group, repaid


@pytest.mark.syllabus("S4B-105")
def test_dropping_the_group_leaves_its_proxies(town):
    table, group, repaid = town
    found = proxy_audit(table, group, repaid)
    assert [each.column for each in found.proxies] == ["zip", "income", "noise"]
    assert found.proxies[0].association == pytest.approx(0.8, abs=0.04)
    expected = abs(np.corrcoef(table["income"], group == "a")[0, 1])
    assert found.proxies[1].association == pytest.approx(expected)
    assert found.proxies[2].association < 0.1
    rates = [each.rates["selection rate"].value for each in found.without_group]
    assert abs(rates[0] - rates[1]) > 0.2  # no group among the columns, and yet
    assert "zip (0." in found.sentence
    assert "still by" in found.sentence
    alone = proxy_audit(pl.DataFrame(table), group)
    assert alone.proxies == found.proxies
    assert alone.without_group == ()
    matrix = np.column_stack([table["income"], table["noise"]])
    named = proxy_audit(matrix, group, names=["income", "noise"])
    assert named.proxies[0].column == "income"


@pytest.mark.syllabus("S4B-106")
def test_flips_return_the_offsets_of_the_groups():
    chances = np.array([0.25, 0.36, 0.77, 0.95])
    model = LogisticRegression()
    X = np.vstack([np.eye(4), np.eye(4)])
    model.fit(X, [0, 1] * 4)
    model.coef_, model.intercept_ = logit(chances)[None, :], np.zeros(1)

    class Coded:
        """A model that sees the group as one column of names."""

        classes_ = np.array(["no", "yes"])

        def predict_proba(self, table):
            order = ["asian", "white", "hispanic", "black"]
            places = [order.index(race) for race in table["race"]]
            return model.predict_proba(np.eye(4)[places])

    people = pl.DataFrame({"race": ["asian", "black"], "grade": [3.9, 3.9]})
    asked = ["asian", "white", "hispanic", "black"]
    found = flip_audit(Coded(), people, "race", asked)
    assert found.means == pytest.approx(chances)
    assert found.probabilities == pytest.approx(np.vstack([chances, chances]))
    assert found.largest == pytest.approx(0.7)
    assert flip_audit(Coded(), people, "race").values == ("asian", "black")
    other = flip_audit(Coded(), people, "race", asked, favourable="no")
    assert other.means == pytest.approx(1 - chances)
    assert people["race"].to_list() == ["asian", "black"]  # the table is not changed


def test_flips_of_arrays_and_data_frames_agree(rng):
    X = np.column_stack([rng.integers(0, 2, 50), rng.standard_normal(50)])
    model = LogisticRegression().fit(X, (X.sum(axis=1) > 0.5).astype(int))
    plain = flip_audit(model, X, 0)

    class Named:
        classes_ = model.classes_

        def predict_proba(self, table):
            return model.predict_proba(np.asarray(table))

    frame = pd.DataFrame(X, columns=["sex", "x"])
    assert flip_audit(Named(), frame, "sex").probabilities == pytest.approx(
        plain.probabilities
    )


@pytest.mark.syllabus("S4B-107")
def test_the_ratio_of_selection_rates_is_that_of_coverage(rng):
    group = rng.choice(["white", "black"], 3000)
    served = (rng.random(3000) < np.where(group == "white", 0.8, 0.35)).astype(int)
    found = disparity(group_rates(served, group), "demographic parity")
    shares = [served[group == name].mean() for name in ("white", "black")]
    assert found.ratio == pytest.approx(min(shares) / max(shares))
    assert 1 / found.ratio > 2  # more than twice as likely
    assert audit(served, group)["demographic parity"].ratio == found.ratio


@pytest.mark.syllabus("S4B-108")
def test_unequal_reporting_makes_equal_streets_unequal():
    found = simulate_reporting([0.3, 0.3], [0.8, 0.2], 50_000, seed=1)
    assert found.true == pytest.approx([0.3, 0.3], abs=0.01)
    assert found.recorded == pytest.approx([0.24, 0.06], abs=0.01)
    same = simulate_reporting([0.3, 0.3], [1.0, 1.0], 1000)
    assert np.array_equal(same.true, same.recorded)


@pytest.mark.syllabus("S4B-110")
def test_analogies_add_differences(rng):
    base = {word: rng.standard_normal(20) for word in ("France", "England", "Spain")}
    capital = rng.standard_normal(20)
    pairs = {"Paris": "France", "London": "England", "Madrid": "Spain"}
    space = {**base, **{city: base[land] + capital for city, land in pairs.items()}}
    space |= {f"word{i}": rng.standard_normal(20) for i in range(50)}
    assert analogy(space, "France", "Paris", "England")[0][0] == "London"
    assert analogy(space, "Paris", "France", "London", count=3)[0][0] == "England"
    wrong = np.array(space["France"]) - space["Paris"] + space["England"]
    assert wrong @ space["London"] < np.array(space["London"]) @ space["London"]
    scores = direction_scores(space, "Paris", "France", ["London", "England"])
    assert scores["London"] > 0 > scores["England"] - 0.5
    same = {"he": [1.0, 0], "she": [-1.0, 0], "nurse": [-0.6, 0.8], "boss": [0.6, 0.8]}
    assert direction_scores(same, "he", "she", ["nurse", "boss"]) == pytest.approx(
        {"nurse": -0.6, "boss": 0.6}
    )


@pytest.mark.syllabus("S4B-111", "S4B-112", "S4B-113")
def test_calibrated_scores_and_unequal_errors_live_together(rng):
    black, white = complete_rates(0.58, 0.42, 0.52), complete_rates(0.33, 0.22, 0.39)
    assert black.positive_predictive_value == pytest.approx(0.65, abs=0.005)
    assert white.positive_predictive_value == pytest.approx(0.59, abs=0.005)
    assert black.false_omission_rate == pytest.approx(0.34, abs=0.005)
    assert white.false_omission_rate == pytest.approx(0.29, abs=0.005)
    # Taking 58 and 33 % for base rates contradicts the calibration.
    wrong = [complete_rates(s, f, s) for s, f in ((0.58, 0.42), (0.33, 0.22))]
    assert [round(w.positive_predictive_value, 2) for w in wrong] == [0.70, 0.55]
    group = np.repeat(["black", "white"], [50_000, 50_000])
    risk = np.where(
        group == "black", rng.beta(2, 1.85, 100_000), rng.beta(2, 3.1, 100_000)
    )
    y = (rng.random(100_000) < risk).astype(int)
    curves = calibration_by_group(y, risk, group)
    assert all(curve.expected_error < 0.02 for curve in curves.values())
    decided = (risk > 0.5).astype(int)
    found = {each.name: each.rates for each in group_rates(decided, group, y)}
    rates = {k: v["false positive rate"].value for k, v in found.items()}
    for name in ("black", "white"):
        here = group == name
        (kept, accused), _ = confusion_matrix(y[here], decided[here])
        assert rates[name] == pytest.approx(accused / (kept + accused))
    assert rates["black"] > rates["white"] + 0.1
    completed = complete_rates(
        found["black"]["selection rate"].value,
        rates["black"],
        found["black"]["base rate"].value,
    )
    seen = found["black"]["positive predictive value"].value
    assert completed.positive_predictive_value == pytest.approx(seen)


@pytest.mark.syllabus("S4B-114")
def test_what_is_not_detected_biases_the_labels():
    found = simulate_detection([0.4, 0.4], [0.9, 0.45], [[0.2, 0.7]] * 2, 50_000)
    assert found["true"] == pytest.approx([0.4, 0.4], abs=0.01)
    assert found["recorded"] == pytest.approx([0.36, 0.18], abs=0.01)
    assert found["false positive rate"] == pytest.approx([0.2, 0.2], abs=0.01)
    expected = [(0.6 * 0.2 + 0.04 * 0.7) / 0.64, (0.6 * 0.2 + 0.22 * 0.7) / 0.82]
    assert found["recorded false positive rate"] == pytest.approx(expected, abs=0.01)


@pytest.mark.syllabus("S4B-115")
def test_a_minority_drowns_in_the_overall_accuracy():
    group = np.repeat(["many", "few"], [950, 50])
    y = np.ones(1000, dtype=int)
    said = np.where(group == "few", 0, 1)
    found = audit(said, group, y)
    assert found.overall.rates["error rate"].value == pytest.approx(0.05)
    by_group = {each.name: each.rates["error rate"].value for each in found.groups}
    assert by_group == {"few": 1.0, "many": 0.0}
    assert accuracy_score(y, said) == pytest.approx(0.95)


@pytest.mark.syllabus("S4B-116")
def test_patrols_find_crime_where_they_are_sent():
    found = simulate_feedback([0.3, 0.3], start=[6.0, 4.0], rounds=800, visits=20)
    assert abs(found.shares[-1][0] - 0.5) > 0.02  # equal rates, unequal patrols
    mended = simulate_feedback(
        [0.3, 0.3], start=[6.0, 4.0], rounds=800, visits=20, corrected=True
    )
    assert mended.shares[-1] == pytest.approx([0.5, 0.5], abs=0.03)


@pytest.mark.syllabus("S4B-117")
def test_cost_is_no_measure_of_need():
    found = simulate_measurement(0.6, share=0.4)
    assert found.by_need == pytest.approx(0.4, abs=0.03)
    assert found.by_cost < 0.2
    assert simulate_measurement(1.0).by_cost == pytest.approx(0.3, abs=0.03)
    assert simulate_measurement(0.6, seed=3) == simulate_measurement(0.6, seed=3)


def test_association_is_zero_for_constants_and_ignores_missing_numbers():
    assert association([1.0, 1.0], ["a", "b"]) == 0.0
    assert association(["x", "x"], ["a", "b"]) == 0.0
    assert association([1.0, np.nan, 2.0, 1.0], list("aabb")) == pytest.approx(
        association([1.0, 2.0, 1.0], list("abb"))
    )


def test_what_cannot_be_audited_is_refused(rng, town):
    table, group, _ = town
    with pytest.raises(DataError, match="2 groups"):
        proxy_audit(table, ["a"] * 4000)
    with pytest.raises(DataError, match="two outcomes"):
        proxy_audit(table, group, np.ones(4000))
    with pytest.raises(DataError, match="value for each"):
        proxy_audit({"x": [1, 2]}, group)
    X = rng.standard_normal((30, 2))
    with pytest.raises(IncompatibleError, match="probabilities"):
        flip_audit(LinearSVC().fit(X, X[:, 0] > 0), X, 0)
    model = LogisticRegression().fit(X, X[:, 0] > 0)
    with pytest.raises(DataError, match="no column"):
        flip_audit(model, X, 7)
    with pytest.raises(DataError, match="no outcome"):
        flip_audit(model, X, 0, favourable="maybe")
    with pytest.raises(DataError, match="true positive rate would be"):
        complete_rates(0.9, 0.1, 0.2)
    with pytest.raises(InvalidParameterError):
        complete_rates(0.5, 0.5, 0.0)
    with pytest.raises(DataError, match="no word 'queen'"):
        analogy({"king": [1.0], "man": [2.0]}, "man", "king", "queen")
    with pytest.raises(DataError, match="same vector"):
        direction_scores({"a": [1.0], "b": [1.0]}, "a", "b", ["a"])
    with pytest.raises(DataError, match="probabilities in"):
        simulate_reporting([1.2], [0.1])
