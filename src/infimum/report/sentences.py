"""What the report says in words: the answer first, findings as titles."""

from typing import Any

from infimum.report.numbers import count, duration, figure, percent, power

__all__ = ["answer", "certificate_words", "tiles", "titles"]

_TWO_CLASSES = 2

Plain = dict[str, Any]


def answer(result: Plain) -> list[str]:
    """Return the answer in sentences: what was learned, how good, how sure."""
    quality = _regression_quality if _regression(result) else _classification_quality
    return [_learned(result), *quality(result), _ending(result)]


def tiles(result: Plain) -> list[dict[str, str]]:
    """Return the few numbers that matter, each with what it means."""
    proof, data = result["proof"], result["data"]
    return [
        *(_regression_tiles if _regression(result) else _classification_tiles)(result),
        {
            "value": f"{result['choice']['weights']} of {data['features']}",
            "name": "features in use",
            "note": result["choice"]["label"],
        },
        {
            "value": power(proof["relative_gap"]),
            "name": "relative gap",
            "note": "optimality proved" if proof["closed"] else "NOT proved",
        },
    ]


def titles(result: Plain) -> dict[str, str]:
    """Return the title of each section; a title says what is found there."""
    return {
        "leaderboard": _leaderboard_title(result),
        "path": _path_title(result),
        "gap": _gap_title(result),
        "weights": _weights_title(result),
        "exam": _exam_title(result),
        "bound": _bound_title(result),
        "data": _data_title(result),
    }


def certificate_words(result: Plain) -> str:
    """Explain the certificate in two sentences, with this model's numbers."""
    proof = result["proof"]
    reached, floor = figure(proof["primal"], 10), figure(proof["dual"], 10)
    share = power(proof["relative_gap"])
    return (
        f"The model reaches a penalised training risk of {reached}, and convex duality "
        f"shows that no weights whatsoever can go below {floor}. Another solver could "
        f"gain at most a share of {share} of what there is to gain, and the command "
        "“infimum certify” checks this again from the model file and the data alone."
    )


def _regression(result: Plain) -> bool:
    return bool(result["task"] == "regression")


def _learned(result: Plain) -> str:
    data, choice = result["data"], result["choice"]
    if choice["name"] == "baseline":
        return (
            f"Nothing in {data['source']} predicts {data['target']} clearly better "
            "than always giving the same answer, so that is the model."
        )
    return (
        f"From {count(data['train_rows'])} rows of {data['source']}, a linear model "
        f"({choice['label']}) learned to predict {data['target']}; it uses "
        f"{choice['weights']} of {data['features']} features."
    )


def _classification_quality(result: Plain) -> list[str]:
    exam = result["exam"]
    metrics, bound = exam["metrics"], exam["bound"]
    gain = metrics["baseline_error"] - metrics["error"]
    comparison = "instead of" if gain > 0 else "no better than"
    rows, wrong = count(exam["rows"]), percent(metrics["error"])
    guessing, sure = percent(metrics["baseline_error"]), percent(bound["confidence"], 0)
    said = [
        (
            f"On {rows} rows it had never seen it is wrong in {wrong} of cases, "
            f"{comparison} {guessing} for always answering the most frequent class; "
            f"with {sure} confidence the true error rate is at most "
            f"{percent(bound['upper'])}."
        )
    ]
    if metrics["auc"] is not None and len(result["classes"]) == _TWO_CLASSES:
        said.append(
            f"It ranks a random “{result['classes'][-1]}” above a random "
            f"“{result['classes'][0]}” in {percent(metrics['auc'])} of pairs "
            f"(AUC {metrics['auc']:.3f})."
        )
    return said


def _regression_quality(result: Plain) -> list[str]:
    exam = result["exam"]
    metrics, bound = exam["metrics"], exam["bound"]
    rows, explained = count(exam["rows"]), percent(max(metrics["r2"], 0), 0)
    said = [
        (
            f"On {rows} rows it had never seen its typical error (RMSE) is "
            f"{figure(metrics['rmse'])}, where always answering the mean has "
            f"{figure(metrics['baseline_rmse'])}; it explains {explained} of the "
            "variance."
        )
    ]
    if bound["limit"] is not None:
        said.append(
            f"With {percent(bound['confidence'], 0)} confidence, at least "
            f"{percent(bound['coverage'], 0)} of all future predictions are off by at "
            f"most {figure(bound['limit'])}."
        )
    return said


def _ending(result: Plain) -> str:
    proof = result["proof"]
    said = (
        "The fit is proved optimal by its duality gap."
        if proof["closed"]
        else "The fit is NOT proved optimal: its duality gap is still open."
    )
    endings = {
        "budget": " The race ended when its time was up; the best so far was taken.",
        "interrupted": " The race was interrupted; the best so far was taken.",
    }
    return said + endings.get(result["ended"], "")


def _classification_tiles(result: Plain) -> list[dict[str, str]]:
    metrics, bound = result["exam"]["metrics"], result["exam"]["bound"]
    area = {
        "value": figure(metrics["auc"]),
        "name": "AUC on test rows",
        "note": "0.5 is guessing, 1 is perfect",
    }
    sure = percent(bound["confidence"], 0)
    error = {
        "value": percent(metrics["error"]),
        "name": "error on test rows",
        "note": f"at most {percent(bound['upper'])}, {sure} sure",
    }
    return [area, error]


def _regression_tiles(result: Plain) -> list[dict[str, str]]:
    metrics, bound = result["exam"]["metrics"], result["exam"]["bound"]
    limit = f"9 in 10 within {figure(bound['limit'])}" if bound["limit"] else ""
    return [
        {
            "value": figure(metrics["rmse"]),
            "name": "RMSE on test rows",
            "note": limit or f"the mean has {figure(metrics['baseline_rmse'])}",
        },
        {
            "value": percent(max(metrics["r2"], 0), 0),
            "name": "variance explained",
            "note": f"the mean has RMSE {figure(metrics['baseline_rmse'])}",
        },
    ]


def _leaderboard_title(result: Plain) -> str:
    choice = result["choice"]
    if choice["name"] == "baseline":
        return "No model clearly beats the constant answer"
    if choice["name"] == choice["best_name"]:
        return f"{choice['label']} is best, and simplest within the noise"
    return (
        f"{choice['label']} is the simplest that {choice['best_label']} does not "
        "clearly beat"
    )


def _path_title(result: Plain) -> str:
    choice, better = result["choice"], result["criterion"]["greater_is_better"]
    loss = abs(choice["best_score"] - choice["score"])
    if loss == 0:
        return "The simplest admissible setting is also the best one"
    word = "costs" if better else "adds"
    return f"Simplicity {word} {figure(loss, 2)} of {result['criterion']['label']}"


def _gap_title(result: Plain) -> str:
    proofs = [lane["proof"] for lane in result["lanes"] if lane["proof"]]
    closed = sum(proof["closed"] for proof in proofs)
    if proofs and closed == len(proofs):
        slowest = max(
            lane["trace"][-1]["seconds"] for lane in result["lanes"] if lane["trace"]
        )
        return f"Every contender proved its optimum within {duration(slowest)}"
    return f"{closed} of {len(proofs)} contenders proved their optimum"


def _weights_title(result: Plain) -> str:
    largest = result["coefficients"]
    if not largest:
        return "The model uses no feature"
    return f"“{largest[0]['feature']}” weighs most"


def _exam_title(result: Plain) -> str:
    metrics = result["exam"]["metrics"]
    if _regression(result):
        return (
            f"The test rows are off by {figure(metrics['median_absolute'])} at median"
        )
    curve = result["exam"]["curves"].get("calibration")
    if not curve:
        return f"{percent(metrics['accuracy'])} of the test rows are right"
    return (
        f"{percent(metrics['accuracy'])} of the test rows are right; probabilities are "
        f"off by {percent(curve['expected_error'])} on average"
    )


def _bound_title(result: Plain) -> str:
    bound = result["exam"]["bound"]
    if bound["kind"] == "error rate":
        return f"The true error rate is at most {percent(bound['upper'])}"
    if bound["limit"] is None:
        return "Too few test rows to bound the error"
    return (
        f"{percent(bound['coverage'], 0)} of predictions are off by at most "
        f"{figure(bound['limit'])}"
    )


def _data_title(result: Plain) -> str:
    data = result["data"]
    rows = f"{count(data['rows'])} rows"
    missing = sum(column["missing"] for column in data["columns"])
    state = f"{count(missing)} values missing" if missing else "nothing missing"
    return f"{rows}, {state}" if data["columns"] else f"{rows}, sparse"
