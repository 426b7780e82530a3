"""The summary tiles of the report: key numbers, each with its uncertainty."""

from typing import Any

from infimum.report.findings import span
from infimum.report.intervals import ends_of
from infimum.report.numbers import count, figure, give, percent, power
from infimum.report.quantiles import wanted_quantile

__all__ = ["tiles"]

Plain = dict[str, Any]
Tile = dict[str, str]

_TWO_CLASSES = 2


def tiles(result: Plain) -> list[Tile]:
    """Return the numbers that stand at the top of the page, four of them."""
    last = _proof_tile(result) if result["proof"] else _gain_tile(result)
    told = result.get("champion") or {}
    readable = not (result["coefficients"] or told.get("is_winner"))
    known = readable and told.get("cost") is not None
    beside = _readable_tile if known else _size_tile
    return [*_measured(result), last, beside(result)]


def _measured(result: Plain) -> list[Tile]:
    """Return two numbers of the exam, those that suit the goal."""
    goal = result.get("goal")
    if wanted_quantile(result) is not None:
        return [_below(result), _own(result, "pinball", "pinball loss")]
    if goal == "ordinal":
        return [_own(result, "distance", "steps off on average"), _error(result)]
    if goal == "counts":
        return [_own(result, "deviance", "Poisson deviance"), _rmse(result)]
    if result["classes"]:
        return [_area(result), _error(result)]
    return [_rmse(result), _explained(result)]


def _own(result: Plain, metric: str, name: str) -> Tile:
    value = figure(result["exam"]["metrics"][metric])
    return {"value": value, "name": name, "note": _between(result, metric)}


def _area(result: Plain) -> Tile:
    share = len(result["classes"]) == _TWO_CLASSES
    value = result["exam"]["metrics"]["auc"]
    return {
        "value": percent(value) if share and value is not None else figure(value),
        "name": "pairs of test rows ranked right (AUC)"
        if share
        else "AUC on test rows",
        "note": _between(result, "auc", share=share) or "how surely is not known",
    }


def _error(result: Plain) -> Tile:
    metrics, bound = result["exam"]["metrics"], result["exam"]["bound"]
    sure = percent(bound["confidence"], 0)
    return {
        "value": percent(metrics["error"]),
        "name": "error on test rows",
        "note": f"at most {percent(bound['upper'])}, {sure} sure",
    }


def _rmse(result: Plain) -> Tile:
    limit = result["exam"]["bound"].get("limit")
    limit = f"9 in 10 within {figure(limit)}" if limit else ""
    return {
        "value": figure(result["exam"]["metrics"]["rmse"]),
        "name": "RMSE on test rows",
        "note": _between(result, "rmse") or limit,
    }


def _explained(result: Plain) -> Tile:
    metrics = result["exam"]["metrics"]
    ends = ends_of(result, "r2")
    known = _between(result, "r2", share=True)
    if ends and ends[0] < 0:
        known = f"at most {percent(max(ends[1], 0))}, 95 % sure"
    return {
        "value": percent(max(metrics["r2"], 0), 0),
        "name": "variance explained",
        "note": known or f"the mean has RMSE {figure(metrics['baseline_rmse'])}",
    }


def _below(result: Plain) -> Tile:
    asked = f"{percent(wanted_quantile(result), 0)} were asked for"
    sure = _between(result, "share_below", share=True)
    return {
        "value": percent(result["exam"]["metrics"]["share_below"]),
        "name": "test rows at or below the answer",
        "note": "; ".join(filter(None, [sure, asked])),
    }


def _size_tile(result: Plain) -> Tile:
    data, choice = result["data"], result["choice"]
    if result["coefficients"] or choice["name"] == "baseline":
        used, offered = count(choice["weights"]), count(data["features"])
        value, name = used, f"of {offered} features in use"
    else:
        given = sum(column["used"] for column in data["columns"]) or data["features"]
        value, name = count(given), "columns offered"
    return {"value": value, "name": name, "note": choice["label"]}


def _readable_tile(result: Plain) -> Tile:
    """Say what a model that can be read reaches where the winner cannot be read."""
    told, choice = result["champion"], result["choice"]
    known = [told["label"], told.get("size"), f"winner {figure(choice['score'])}"]
    return {
        "value": give(told["score"], told.get("spread")),
        "name": f"{result['criterion']['label']} of a model that can be read",
        "note": ", ".join(filter(None, known)),
    }


def _proof_tile(result: Plain) -> Tile:
    proof = result["proof"]
    return {
        "value": power(proof["relative_gap"]),
        "name": "can still be gained by any other weights",
        "note": "optimality proved" if proof["closed"] else "NOT proved",
    }


def _gain_tile(result: Plain) -> Tile:
    """Say how good it is never to look at a row, for comparison."""
    metrics = result["exam"]["metrics"]
    if result["classes"]:
        ends = ends_of(result, "baseline_error")
        value, name = metrics["baseline_error"], "error of the most frequent class"
        note = f"{span(*ends, share=True)}, 95 % sure" if ends else "on test rows"
        return {"value": percent(value), "name": name, "note": note}
    value = figure(metrics["baseline_rmse"])
    known = _between(result, "baseline_rmse")
    return {"value": value, "name": "RMSE of the mean", "note": known or "on test rows"}


def _between(result: Plain, metric: str, *, share: bool = False) -> str:
    """Return the interval of a metric of the exam; nothing if it is not known."""
    ends = ends_of(result, metric)
    return f"{span(*ends, share=share)}, 95 % sure" if ends else ""
