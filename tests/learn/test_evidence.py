"""The evidence about a chosen model: every section says something, or why not."""

import json

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer

from infimum.evaluation import EnergyMeter
from infimum.evaluation.uncertainty.steadiness import weight_steadiness
from infimum.learn.evidence import SECTIONS, gather
from infimum.learn.folds import split_off_test
from infimum.learn.problem import pose
from infimum.models.ensembles import VotingRegressor
from infimum.models.linear import Lasso, LinearSVC, LogisticRegression, Ridge
from infimum.models.neighbors import KNeighborsClassifier
from infimum.models.trees import DecisionTreeClassifier

ENOUGH, BETS = 600.0, "empirical Bernstein by betting"


def rows(n=400, seed=4):
    rng = np.random.default_rng(seed)
    group = rng.choice(["a", "b"], n, p=[0.6, 0.4])
    size, noise = rng.normal(size=n) + (group == "a"), rng.normal(size=n)
    signal = 2 * size + rng.normal(size=n)
    return pl.DataFrame(
        {
            "size": size,
            "noise": noise,
            "group": group,
            "signal": signal,
            "verdict": np.where(signal > 1, "yes", "no"),
            "grade": np.digitize(signal, [0, 2]).astype(str),
        }
    )


@pytest.fixture(scope="module")
def gathered():
    """Return a function that fits a model to a target and gathers its evidence."""

    def run(estimator, target, **options):
        table = rows().select("size", "noise", "group", target)
        problem = pose(table, target)
        split = split_off_test(problem, 0)
        training, test = problem.only(split.train), problem.only(split.held_back)
        encoder = clone(training.encoder)
        encoder = FunctionTransformer() if options.pop("blended", False) else encoder
        steps = [("encoder", encoder), ("model", estimator)]
        pipeline = Pipeline(steps).fit(training.rows, training.y)
        given = {"classes": problem.classes, "task": problem.task, "seconds": ENOUGH}
        given |= {"sensitive": ["group"], "models_compared": 20, **options}
        given["again"] = lambda part: clone(pipeline).fit(part.rows, part.y)
        found = gather(pipeline, training, test.rows, test.y, **given)
        # What is gathered goes into a file as it is.
        assert json.loads(json.dumps(found, allow_nan=False)) == found
        return found

    return run


@pytest.fixture(scope="module")
def binary(gathered):
    return gathered(LogisticRegression(), "verdict")


def test_every_section_has_a_finding(binary):
    assert set(binary) == {*SECTIONS, "energy"} - {"costs", "cutoffs"}
    assert [name for name in binary if "reason" in binary[name]] == []
    parts = binary["examples"].values()
    assert [part["reason"] for part in parts if "reason" in part] == []


def test_the_union_bound_pays_for_the_models_compared(binary):
    bounds = binary["guarantees"]["bounds"]
    alone, among = (b for b in bounds if b["method"] == "Clopper-Pearson")
    assert (alone["comparisons"], among["comparisons"]) == (1, 20)
    assert alone["estimate"] < alone["bound"] < among["bound"]
    assert "20 models" in among["sentence"]
    methods = {b["method"] for b in bounds + binary["guarantees"]["vacuous"]}
    assert "Rademacher margin bound" in methods
    (brier,) = (b for b in bounds if "Brier" in b["quantity"])
    assert (brier["method"], brier["comparisons"]) == (BETS, 20)


def test_conformal_sets_are_measured_on_rows_that_did_not_calibrate(binary):
    told = binary["conformal"]
    assert told["kind"] == "sets"
    assert told["calibration_rows"] + told["coverage"]["n"] == 80
    assert told["coverage"]["kept"]
    assert sum(told["sizes"]["rows"]) == told["coverage"]["n"]


def test_conformal_intervals_keep_their_promise_for_numbers(gathered):
    found = gathered(Ridge(), "signal")
    cover = found["conformal"]["coverage"]
    assert cover["band_low"] <= cover["measured"] <= 1
    assert found["conformal"]["kind"] == "intervals"
    assert all(
        b["quantity"] == "mean absolute error" for b in found["guarantees"]["bounds"]
    )
    methods = [b["method"] for b in found["guarantees"]["bounds"]]
    assert methods == [BETS, BETS]
    assert "reason" in found["examples"]["near"]
    groups = found["fairness"]["columns"][0]["groups"]
    assert {group["name"] for group in groups} == {"a", "b"}
    for group in groups:
        assert all(r["low"] < r["value"] < r["high"] for r in group["rates"].values())


@pytest.mark.syllabus("S4B-155")
def test_the_column_that_carries_the_signal_matters_most(binary):
    first, *others = binary["importance"]["columns"]
    assert first["column"] == "size"
    assert first["drop"] > 4 * first["error"] > 0
    noise = next(each for each in others if each["column"] == "noise")
    assert abs(noise["drop"]) < 4 * noise["error"] + 0.02
    effect = binary["effects"]["columns"][0]
    assert effect["column"] == "size"
    assert effect["mean"][-1] > effect["mean"][0]
    assert effect["local"]["effects"][-1] > effect["local"]["effects"][0]


@pytest.mark.parametrize(
    "model, method",
    [
        (LogisticRegression(), "linear"),
        (DecisionTreeClassifier(max_leaf_nodes=6), "tree"),
        (KNeighborsClassifier(15), "exact"),
    ],
    ids=["linear", "tree", "neighbours"],
)
def test_shapley_values_add_up_to_the_answer(gathered, model, method):
    told = gathered(model, "verdict")["examples"]["shapley"]
    assert told["method"] == method
    for row in told["rows"]:
        total = told["base"] + sum(share["share"] for share in row["shares"])
        assert total == pytest.approx(row["answer"], abs=1e-6)


@pytest.mark.syllabus("S4B-156")
def test_the_counterfactual_turns_the_decision_and_leaves_the_sensitive(binary):
    told = binary["examples"]["counterfactual"]
    assert told["changes"]
    assert told["before"] != told["after"]
    assert "group" not in {change["column"] for change in told["changes"]}
    assert "would be" in told["sentence"]


def test_the_closest_calls_come_in_order(binary):
    distances = [row["distance"] for row in binary["examples"]["near"]["rows"]]
    assert distances == sorted(distances)
    assert distances[0] < 0.3


@pytest.mark.syllabus("S4B-119", "S4B-120", "S4B-121", "S4B-125", "S4B-126", "S4B-141")
def test_groups_that_differ_are_seen_to_differ(binary):
    told = binary["fairness"]["columns"][0]
    by_name = {row["criterion"]: row for row in told["criteria"]}
    rates = {g["name"]: g["rates"]["selection rate"] for g in told["groups"]}
    parity = by_name["demographic parity"]
    gap = abs(rates["a"]["value"] - rates["b"]["value"])
    assert parity["difference"] == pytest.approx(gap)
    assert parity["low"] <= parity["difference"] <= parity["high"]
    extremes = told["baselines"]
    assert extremes["constant"]["demographic parity"] == 0.0
    assert extremes["attribute"]["demographic parity"] == 1.0
    families = {row["family"] for row in told["criteria"]}
    assert families == {"independence", "separation", "sufficiency"}
    base = {g["name"]: g["rates"]["base rate"]["value"] for g in told["groups"]}
    assert told["impossibility"]["difference"] == pytest.approx(base["a"] - base["b"])
    assert told["impossibility"]["proved"]
    assert "one has to choose" in told["impossibility"]["sentence"]
    for curve in told["trade_offs"]:
        # Measured on rows that had no say: nothing forces the curve to rise.
        measured = sum(group["n"] for group in told["groups"])
        assert curve["chosen_on"] + curve["measured_on"] == measured
        assert curve["price_low"] <= curve["price"] <= curve["price_high"]
        # No fair rule is proved to beat the free one.
        assert curve["price_high"] >= 0


def test_models_without_probabilities_are_explained_by_scores(gathered):
    found = gathered(LinearSVC(), "verdict")
    assert found["effects"]["of"].startswith("score of")
    assert found["examples"]["near"]["unit"] == "score"
    assert found["conformal"]["coverage"]["kept"]


def test_many_classes_are_explained_too(gathered):
    found = gathered(LogisticRegression(), "grade")
    assert [name for name in found if "reason" in found[name]] == []
    assert found["importance"]["score"] == "accuracy"


def test_the_same_seed_gives_the_same_evidence(gathered, binary):
    again = gathered(LogisticRegression(), "verdict")
    assert {k: v for k, v in again.items() if k != "energy"} == {
        k: v for k, v in binary.items() if k != "energy"
    }


def test_without_time_every_section_but_the_promises_says_so(gathered):
    found = gathered(LogisticRegression(), "verdict", seconds=0.0)
    owed = {"guarantees", "conformal", "probabilities"}
    late = [name for name in found if "reason" in found[name]]
    assert set(late) == set(SECTIONS) - owed - {"costs", "cutoffs"}
    assert all("no time left" in found[name]["reason"] for name in late)


@pytest.mark.parametrize(
    "error, promised", [(0.3, 0.9), (0.08, 0.95), (0.03, 0.95), (None, 0.9)]
)
def test_sets_promise_more_than_single_labels_reach(gathered, error, promised):
    # 40 rows calibrate: 99 % would need 99 of them.
    found = gathered(LogisticRegression(), "verdict", expected_error=error, seconds=0.0)
    told = found["conformal"]
    assert told["coverage"]["promised"] == promised
    assert told["size_low"] <= told["coverage"]["size"] <= told["size_high"]


@pytest.mark.parametrize("target", ["verdict", "signal"])
def test_weights_are_told_with_their_standard_errors(gathered, target):
    model = LogisticRegression() if target == "verdict" else Ridge()
    told = gathered(model, target)["weights"]
    by_name = {each["feature"]: each for each in told["features"]}
    size, noise = by_name["size"], by_name["noise"]
    assert told["features"][0]["feature"] == "size"
    assert abs(size["values"][0]) > 4 * size["errors"][0] > 0
    assert abs(noise["values"][0]) < 4 * noise["errors"][0]
    assert size["in_use"] == 1


def test_the_standard_errors_of_least_squares_are_the_textbook_ones():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    y = X @ [1.0, 0.0] + rng.normal(size=400)
    model = Ridge(alpha=1e-9).fit(X, y)
    found = weight_steadiness(model, X, y, seconds=ENOUGH)
    left = y - model.predict(X)
    centred = X - X.mean(axis=0)
    textbook = np.sqrt(left @ left / 397 * np.diag(np.linalg.inv(centred.T @ centred)))
    np.testing.assert_allclose(found.errors[0], textbook, rtol=0.45)
    assert weight_steadiness(model, X, y, seconds=0.0) is None


def test_a_model_without_weights_says_so(gathered):
    found = gathered(DecisionTreeClassifier(max_leaf_nodes=4), "verdict")
    assert found["weights"]["reason"] == "The model has no weights."


def test_groups_are_told_what_was_said_and_what_came(binary):
    for told in binary["fairness"]["columns"][0]["calibration"].values():
        assert 0 <= told["low"] <= told["observed"] <= told["high"] <= 1
        assert 0 < told["promised"] < 1


def test_a_blend_of_pipelines_is_explained_by_its_members(gathered):
    table = rows().select("size", "noise", "group", "signal")
    problem = pose(table, "signal")
    members = [
        ("ridge", make_pipeline(clone(problem.encoder), Ridge())),
        ("lasso", make_pipeline(clone(problem.encoder), Lasso(alpha=0.1))),
    ]
    told = gathered(VotingRegressor(members), "signal", blended=True)
    shares = told["examples"]["shapley"]
    assert (shares["method"], shares["background"]) == ("members", 100)
    for row in shares["rows"]:
        total = shares["base"] + sum(share["share"] for share in row["shares"])
        assert total == pytest.approx(row["answer"], abs=1e-6)


def test_without_sensitive_columns_fairness_is_not_measured(gathered):
    found = gathered(LogisticRegression(), "verdict", sensitive=[])
    assert found["fairness"]["columns"] == []
    found = gathered(LogisticRegression(), "verdict", sensitive=["age"])
    assert "no column 'age'" in found["fairness"]["columns"][0]["reason"]


def test_a_model_that_fails_costs_no_result():
    class Broken:
        def predict(self, X):
            raise ZeroDivisionError("of all things")

    problem = pose(rows().select("size", "noise", "signal"), "signal")
    given = {"classes": problem.classes, "task": problem.task}
    found = gather(Broken(), problem, problem.rows, problem.y, **given)
    assert "of all things" in found["weights"]["reason"] == found["effects"]["reason"]


def test_the_energy_of_the_whole_job_is_told_if_it_was_metered(gathered, binary):
    with EnergyMeter() as meter:
        found = gathered(LogisticRegression(), "verdict", meter=meter, seconds=0.0)
    assert found["energy"]["of"] == "the whole job"
    assert binary["energy"]["of"] != "the whole job"
    assert found["energy"]["joules"] > 0
