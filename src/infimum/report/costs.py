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
    given = ", ".join(f"{pair} {cost:g}" for pair, cost in told["costs"].items())
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
    given = f"Mistakes cost {given}; those not named cost 1. {decided}"
    title = f"Decided by cost, a row costs {_paid(best)} on average"
    return {"title": title, "sentences": [given, paid]}


def _paid(told: Plain) -> str:
    return f"{figure(told['mean'])} ({span(told['low'], told['high'])})"
