"""Sentences of the report: the answer first, findings as titles."""

from typing import Any

from infimum.learn.tasks import guessed
from infimum.report.endings import ending
from infimum.report.findings import span
from infimum.report.intervals import ends_of, explained
from infimum.report.multilabel import multilabel_answer
from infimum.report.names import cut, quoted
from infimum.report.novelty import novelty_answer
from infimum.report.numbers import count, duration, figure, give, percent
from infimum.report.proofs import certified_beside
from infimum.report.quantiles import wanted_quantile
from infimum.report.steadiness import weight_errors

__all__ = [
    "answer",
    "heading",
    "learned_from",
    "nested_words",
    "titles",
]

_TWO_CLASSES, _LONGEST_TARGET = 2, 90
#: A choice by fewer folds or models than this is announced first.
_SEVERAL_FOLDS, _FEW_MODELS = 2, 2

Plain = dict[str, Any]


def answer(result: Plain) -> list[str]:
    """Return the answer in sentences: what was learned, how good, how sure."""
    special = {"novelty": novelty_answer, "multilabel": multilabel_answer}
    if result.get("goal") in special:
        return special[result["goal"]](result)
    quality = _regression_quality if _regression(result) else _classification_quality
    said = [_learned(result), *_taken_for(result), *quality(result)]
    said += [*_not_covered(result), _ending(result), certified_beside(result)]
    said = [each for each in said if each]
    return [*said[:1], *_hurried(result), *said[1:]]


def heading(result: Plain) -> str:
    """Return the title of the page: what is predicted."""
    target = cut(result["data"]["target"], _LONGEST_TARGET)
    if (wanted := wanted_quantile(result)) is None:
        return f"Predicting {target}"
    return f"Predicting the {percent(wanted, 0)} quantile of {target}"


def nested_words(result: Plain) -> str:
    """Say what the whole procedure scores, choosing included."""
    choice, label = result["choice"], result["criterion"]["label"]
    if choice.get("nested_score") is None:
        return ""
    spread = choice.get("nested_spread")
    sure = f" ± {figure(spread, 2)}" if spread else ""
    if choice["name"] == "blend":
        return (
            "The blend, each fold judged with the members, settings and shares that "
            f"the other folds taught, has {label} {figure(choice['nested_score'])}"
            f"{sure}; that it was taken at all was decided by all folds."
        )
    return (
        f"The whole procedure, each fold judged by what the other folds would have "
        f"chosen, has {label} {figure(choice['nested_score'])}{sure}."
    )


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


def _regression(result: Plain) -> bool:
    return not result["classes"]


def _learned(result: Plain) -> str:
    data, choice = result["data"], result["choice"]
    if choice["name"] == "baseline" and _alone(result):
        return (
            "There was time for nothing but always giving the same answer, so that is "
            f"the model; whether anything in {data['source']} predicts "
            f"{data['target']} better is not known."
        )
    if choice["name"] == "baseline":
        return (
            f"Nothing that was tried on {data['source']} in the time given predicts "
            f"{data['target']} clearly better than always giving the same answer, so "
            "that is the model."
        )
    uses = ""
    if result["coefficients"]:
        used, offered = count(choice["weights"]), count(data["features"])
        uses = f"; it uses {used} of {offered} features"
    return (
        f"From {learned_from(data)} of {data['source']}, a model "
        f"({choice['label']}) learned to predict {data['target']}{uses}."
    )


def learned_from(data: Plain) -> str:
    """Say from how many rows was learned, and of how many if there was no time for all.

    Examples
    --------
    >>> learned_from({"rows": 500, "train_rows": 400, "test_rows": 100})
    '400 rows'
    >>> told = {"rows": 50000, "train_rows": 20000, "test_rows": 10000, "drawn": 20000}
    >>> learned_from(told)
    '20,000 of 40,000 rows'
    """
    rows = count(data["train_rows"])
    if data.get("drawn") is not None:
        rows += f" of {count(data['rows'] - data['test_rows'])}"
    return f"{rows} rows"


def _taken_for(result: Plain) -> list[str]:
    """Say what the target was taken for, if that was a guess that can be wrong."""
    guess = result.get("guess")
    if not guess or not guess["others"]:
        return []
    return [guessed(guess, cut(result["data"]["target"]))]


def _hurried(result: Plain) -> list[str]:
    """Say so first if one fold, or two contenders, are all that the choice rests on."""
    contenders = [
        contender for contender in result["contenders"] if contender["name"] != "blend"
    ]
    ran = [contender for contender in contenders if contender["folds"]]
    if _alone(result) or not ran:
        return []
    folds, few = max(contender["folds"] for contender in ran), []
    if folds < min(_SEVERAL_FOLDS, result["data"]["folds"]):
        few.append("one fold" if folds == 1 else f"{folds} folds")
    if len(ran) <= _FEW_MODELS:
        few.append(f"{len(ran)} models")
    if result["data"].get("drawn") is not None:
        few.append("some of the rows")
    if not few:
        return []
    said = f"The choice rests on {' and '.join(few)} only, because the time was short;"
    return [f"{said} a larger --budget may well find a better model."]


def _alone(result: Plain) -> bool:
    """Return whether no contender but the constant answer was judged."""
    return {
        contender["name"] for contender in result["contenders"] if contender["folds"]
    } <= {"baseline"}


def _classification_quality(result: Plain) -> list[str]:
    exam = result["exam"]
    metrics, bound = exam["metrics"], exam["bound"]
    gain = metrics["baseline_error"] - metrics["error"]
    comparison = "instead of" if gain > 0 else "no better than"
    rows, wrong = count(exam["rows"]), percent(metrics["error"])
    guessing, sure = percent(metrics["baseline_error"]), percent(bound["confidence"], 0)
    ends = exam["curves"].get("intervals", {}).get("baseline_error")
    guessing += f" ({span(*ends, share=True)})" if ends else ""
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
            f"(AUC {metrics['auc']:.3f}{_likely(result, 'auc')})."
        )
    return [*said, *_own_metric(result)]


def _quantile_quality(result: Plain, wanted: float) -> list[str]:
    exam = result["exam"]
    below, ends = exam["metrics"]["share_below"], exam["curves"]["intervals"]
    sure = span(*ends["share_below"], share=True)
    said = (
        f"It answers with a number that {percent(wanted, 0)} of the rows should not "
        f"pass; of {count(exam['rows'])} rows it had never seen, {percent(below)} "
        f"({sure}) lie at or below it."
    )
    return [said, *_own_metric(result)]


def _not_covered(result: Plain) -> list[str]:
    """Say what the bounds do not cover where rows came in time or in groups."""
    options = result.get("options") or {}
    said = []
    if options.get("time"):
        earlier = ""
        if "rows" in (told := (result.get("evidence") or {}).get("cutoffs") or {}):
            promised, least = percent(told["promised"], 0), percent(told["least"], 0)
            if told["least"] < told["promised"]:
                earlier = (
                    f"; at an earlier moment, {promised} answers held only {least}"
                )
        said.append(
            "These bounds are about rows like those tested, the latest ones; they do "
            f"not cover what changes later{earlier}."
        )
    if options.get("group"):
        said.append(
            f"These bounds take test rows as independent; rows of one "
            f"“{options['group']}” are not, so the truth may lie beyond them."
        )
    return said


def _own_metric(result: Plain) -> list[str]:
    """Tell the number that the model was chosen by, where few know it by name."""
    metric, label = result["criterion"]["metric"], result["criterion"]["label"]
    value = result["exam"]["metrics"].get(metric)
    if metric not in ("deviance", "pinball", "distance") or value is None:
        return []
    return [f"On these rows, {label}: {figure(value)}{_likely(result, metric)}."]


def _regression_quality(result: Plain) -> list[str]:
    if (wanted := wanted_quantile(result)) is not None:
        return _quantile_quality(result, wanted)
    exam = result["exam"]
    metrics, bound = exam["metrics"], exam["bound"]
    rows = count(exam["rows"])
    said = [
        (
            f"On {rows} rows it had never seen its typical error (RMSE) is "
            f"{figure(metrics['rmse'])}{_likely(result, 'rmse')}, where always "
            "answering the mean has "
            f"{figure(metrics['baseline_rmse'])}{_ends(result, 'baseline_rmse')}; it "
            f"explains {explained(result)}."
        )
    ]
    if bound.get("limit") is not None:
        said.append(
            f"With {percent(bound['confidence'], 0)} confidence, at least "
            f"{percent(bound['coverage'], 0)} of all future predictions are off by at "
            f"most {figure(bound['limit'])}."
        )
    return [*said, *_own_metric(result)]


def _ending(result: Plain) -> str:
    proof = result["proof"]
    if not proof:
        said = "No convex risk stands behind this model, so its fit has no proof."
    elif proof["closed"]:
        said = "The fit is proved optimal by its duality gap."
    else:
        said = "The fit is NOT proved optimal: its duality gap is still open."
    return " ".join([said, *ending(result)])


def _likely(result: Plain, metric: str) -> str:
    ends = ends_of(result, metric)
    return f", with 95 % confidence {span(*ends)}" if ends else ", how surely unknown"


def _ends(result: Plain, metric: str) -> str:
    ends = ends_of(result, metric)
    return f" ({span(*ends)})" if ends else ""


def _leaderboard_title(result: Plain) -> str:
    choice = result["choice"]
    if choice["name"] == "baseline" and _alone(result):
        return "Only the constant answer had time to run"
    if choice["name"] == "baseline":
        return "No model clearly beats the constant answer"
    if choice["name"] == choice["best_name"] and not choice["spread"]:
        return f"{choice['label']} did best in the one fold that ran"
    if choice["name"] == choice["best_name"]:
        return f"{choice['label']} is best, and simplest within the noise"
    return (
        f"{choice['label']} is the simplest that {choice['best_label']} does not "
        "clearly beat"
    )


def _path_title(result: Plain) -> str:
    choice, better = result["choice"], result["criterion"]["greater_is_better"]
    loss = abs(choice["best_score"] - choice["score"])
    if loss == 0 and _at_the_edge(result):
        return "The last setting that was tried is the best; beyond it nothing is known"
    if loss == 0:
        return "The simplest admissible setting is also the best one"
    word = "costs" if better else "adds"
    noise = choice["spread"]
    sure = f"; one standard error is {figure(noise, 2)}" if noise else ""
    label = result["criterion"]["label"]
    return f"Simplicity {word} {figure(loss, 2)} of {label}{sure}"


def _at_the_edge(result: Plain) -> bool:
    """Whether the chosen setting is the weakest penalty, or the most complex, tried."""
    choice = result["choice"]
    own = [each for each in result["contenders"] if each["name"] == choice["name"]]
    return bool(own and len(own[0]["values"]) > 1) and (
        choice.get("value") == own[0]["values"][-1]
    )


def _gap_title(result: Plain) -> str:
    proofs = [
        contender["proof"] for contender in result["contenders"] if contender["proof"]
    ]
    if not proofs:
        chosen = result["proof"]
        if chosen and chosen["closed"]:
            return "The chosen fit is proved optimal; for the others there was no time"
        if not chosen:
            return "The chosen model has no convex risk that could be proved least"
        return "No contender has been proved optimal"
    closed = sum(proof["closed"] for proof in proofs)
    if proofs and closed == len(proofs):
        slowest = max(
            (
                contender["trace"][-1]["seconds"]
                for contender in result["contenders"]
                if contender["trace"]
            ),
            default=0.0,
        )
        return f"Every convex contender proved its optimum within {duration(slowest)}"
    return f"{closed} of {len(proofs)} convex contenders proved their optimum"


def _weights_title(result: Plain) -> str:
    largest = result["coefficients"]
    if not largest:
        used = result["choice"]["weights"]
        return "The model has no weights" if used else "The model uses no feature"
    return f"{quoted(largest[0]['feature'])} weighs most{_weight_sure(result)}"


def _weight_sure(result: Plain) -> str:
    """Return the largest weight of a single score with two standard errors."""
    first = result["coefficients"][0]
    errors = weight_errors(result).get(first["feature"])
    if len(first["values"]) > 1 or not errors:
        return ""
    twice = 2 * errors[0]
    return f": {give(first['values'][0], twice)} ± {figure(twice, 2)}"


def _exam_title(result: Plain) -> str:
    metrics = result["exam"]["metrics"]
    ends = result["exam"]["curves"].get("intervals", {})
    if wanted_quantile(result) is not None:
        sure = span(*ends["share_below"], share=True)
        return f"{percent(metrics['share_below'])} ({sure}) lie at or below the answer"
    if _regression(result):
        sure = _ends(result, "mae")
        return f"The test rows are off by {figure(metrics['mae'])}{sure} on average"
    wrong = result["exam"]["bound"]
    sure = f" ({span(1 - wrong['high'], 1 - wrong['low'], share=True)})"
    return f"{percent(metrics['accuracy'])}{sure} of the test rows are right"


def _bound_title(result: Plain) -> str:
    bound = result["exam"]["bound"]
    if wanted_quantile(result) is not None:
        sure = span(*result["exam"]["curves"]["intervals"]["share_below"], share=True)
        return f"Of all such rows, {sure} lie at or below the answer"
    if bound["kind"] == "error rate":
        return f"The true error rate is at most {percent(bound['upper'])}"
    if bound.get("limit") is None:
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
