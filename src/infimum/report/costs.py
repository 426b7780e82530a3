"""What decisions cost: the sentences of the report."""

from typing import Any

from infimum.report.findings import span
from infimum.report.numbers import figure, percent

__all__ = ["cost_words"]

Plain = dict[str, Any]

_BASIS = {
    "folds": "the threshold with the least cost on the rows held back in the folds",
    "costs": "the threshold that the costs alone give",
}


def cost_words(result: Plain) -> Plain | None:
    """Return title and sentences about decisions by cost; None without costs."""
    told = (result.get("evidence") or {}).get("costs")
    if not told:
        return None
    if "cheapest" not in told:
        return {"title": "No decisions by cost", "sentences": [told["reason"]]}
    best, usual, same = told["cheapest"], told["likeliest"], told["same"]
    decided = "The cheapest answer by the probabilities is taken."
    if told["threshold"] is not None:
        decided = (
            f"It answers “{told['of']}” from a probability of "
            f"{percent(told['threshold'])} on, {_BASIS[told['basis']]}."
        )
    paid = (
        f"Answering the most probable class costs {_paid(usual)}, always answering "
        f"“{told['same_answer']}” {_paid(same)}; all on the test rows."
    )
    title = f"Decided by cost, a row costs {_paid(best)} on average"
    given = _given(told["costs"], len(result["classes"]))
    return {"title": title, "sentences": [f"{given} {decided}", paid]}


def _given(costs: dict[str, float], classes: int) -> str:
    """Say what each mistake costs.

    Examples
    --------
    >>> _given({"yes->no": 5.0}, 2)
    'To take a “yes” for “no” costs 5, any other mistake 1.'
    """
    parts = []
    for pair, cost in costs.items():
        truth, _, answer = pair.partition("->")
        parts.append(f"a “{truth}” for “{answer}” costs {cost:g}")
    if len(costs) < classes * (classes - 1):
        parts.append("any other mistake 1")
    return "To take " + ", ".join(parts) + "."


def _paid(told: Plain) -> str:
    return f"{figure(told['mean'])} ({span(told['low'], told['high'])})"
