"""Every sentence agrees with the numbers beside it, whatever the outcome."""

import copy

import numpy as np
import pytest

from infimum.evaluation import measure_coverage
from infimum.report.intervals import explained
from infimum.report.proofs import certificate_words, certified_beside
from infimum.report.sentences import answer, titles

PROOF = {
    "primal": 0.5, "dual": 0.5, "gap": 0.0, "relative_gap": 0.0, "tolerance": 1e-6,
    "closed": True, "reason": "",
}  # fmt: skip


def contender(name, folds, *, proof=None, label=None):
    return {
        "name": name, "label": label or name.title(), "folds": folds, "proof": proof,
        "values": [1.0, 2.0], "trace": [], "scores": [0.8, 0.7], "pick": 1,
    }  # fmt: skip


def outcome(winner, contenders, *, proof=None, ended="finished", guess=None, folds=5):
    known = {each["name"]: each for each in contenders}[winner]
    return {
        "goal": "binary", "classes": ["no", "yes"], "contenders": contenders,
        "proof": proof,
        "ended": ended, "guess": guess, "coefficients": [],
        "criterion": {
            "metric": "auc", "label": "AUC", "greater_is_better": True, "reason": "",
        },
        "data": {
            "source": "t.csv", "target": "y", "train_rows": 80, "features": 3,
            "folds": folds, "columns": [], "rows": 100,
        },
        "choice": {
            "name": winner, "label": known["label"], "weights": 2, "score": 0.8,
            "best_name": winner, "best_label": known["label"], "best_score": 0.8,
            "spread": 0.01,
        },
        "exam": {
            "rows": 20,
            "metrics": {
                "error": 0.1, "baseline_error": 0.4, "auc": 0.9, "accuracy": 0.9,
            },
            "bound": {
                "kind": "error rate", "confidence": 0.95, "upper": 0.3, "low": 0.05,
                "high": 0.3,
            },
            "curves": {"intervals": {}},
        },
    }  # fmt: skip


def drawn_outcomes():
    """Draw winners, folds, proofs and endings."""
    rng = np.random.default_rng(4)
    names = ["baseline", "ridge", "boosting", "tree", "lasso"]
    for _ in range(200):
        count = int(rng.integers(1, 6))
        kept = names[:count]
        folds = [int(rng.integers(0, 6)) for _ in kept]
        folds[0] = max(folds)
        contenders = [
            contender(n, f, proof=PROOF if n in ("ridge", "lasso")
                      and rng.random() < 0.5 else None)
            for n, f in zip(kept, folds, strict=True)
        ]  # fmt: skip
        winner = kept[int(rng.integers(count))]
        proof = PROOF if winner in ("ridge", "lasso") else None
        ended = ("finished", "budget")[int(rng.integers(2))]
        yield outcome(winner, contenders, proof=proof, ended=ended)


@pytest.mark.parametrize("result", list(drawn_outcomes()))
def test_few_folds_or_models_are_announced_at_once_and_nothing_else_is(result):
    said = answer(result)
    ran = [each for each in result["contenders"] if each["folds"]]
    alone = {each["name"] for each in ran} <= {"baseline"}
    most = max((each["folds"] for each in ran), default=0)
    hurried = bool(ran) and not alone and (most < 2 or len(ran) <= 2)
    assert ("The choice rests on" in " ".join(said[:2])) == hurried


@pytest.mark.parametrize("result", list(drawn_outcomes()))
def test_a_sentence_points_at_proofs_only_if_there_are_some(result):
    words = certificate_words(result)
    there = any(each["proof"] for each in result["contenders"])
    if result["proof"] is None:
        assert ("proofs below" in words) == there
    if not there and result["proof"] is None:
        assert "proved" not in titles(result)["gap"].replace("could be proved", "")


@pytest.mark.parametrize("result", list(drawn_outcomes()))
def test_a_certified_model_stands_beside_a_winner_without_proof_and_only_there(result):
    said = certified_beside(result)
    others = [c for c in result["contenders"] if c["name"] != "baseline" and c["proof"]]
    assert bool(said) == (result["proof"] is None and bool(others))
    assert not said or any(each["label"] in said for each in others)
    assert (said in answer(result)) == bool(said)


def test_a_constant_answer_is_not_said_to_be_all_there_is():
    said = answer(
        outcome("baseline", [contender("baseline", 1), contender("ridge", 1)])
    )
    assert any("Nothing that was tried" in each for each in said)
    assert not any(each.startswith("Nothing in ") for each in said)


def test_the_guess_of_the_task_stands_in_front_with_the_option_that_changes_it():
    guess = {"words": "10 classes", "others": ["regression"]}
    result = outcome(
        "ridge", [contender("ridge", 5), contender("a", 5), contender("b", 5)]
    )
    assert not any("was taken for" in each for each in answer(result))
    told = answer({**copy.deepcopy(result), "guess": guess})
    assert (
        told[1] == "y was taken for 10 classes; --task regression takes it otherwise."
    )


@pytest.mark.parametrize(
    ("share", "words"), [(0.9, "agrees"), (0.99, "above"), (0.7, "below")]
)
def test_coverage_above_and_below_the_band_is_said_to_be_so(share, words):
    n = 2000
    answers = np.tile([0.0, share], (n, 1))
    told = measure_coverage(answers, (np.arange(n) + 0.5) / n, 0.9)
    assert f"which {words}" in told.sentence.replace("is above", "above").replace(
        "is below", "below"
    )


@pytest.mark.parametrize("low", np.linspace(-0.9, 0.6, 7))
def test_a_negative_share_of_the_variance_is_put_in_words(low):
    exam = {"metrics": {"r2": 0.7}, "curves": {"intervals": {"r2": [low, 0.9]}}}
    said = explained({"exam": exam})
    assert "−" not in said
    assert "-" not in said
    assert ("leave open whether" in said) == (low < 0)
