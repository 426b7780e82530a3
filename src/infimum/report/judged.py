"""The number that runs are compared by, with its interval; less is better.

Each goal has its own number, since an RMSE says nothing about a quantile and a detector
has no error rate.
"""

from typing import Any, NamedTuple

from infimum.report.findings import span
from infimum.report.intervals import ends_of
from infimum.report.numbers import figure, percent

__all__ = ["Judged", "judged", "proved", "question"]

Plain = dict[str, Any]

#: The metric of a goal, what it is called, and whether it is a share.
_OWN = {
    "multilabel": ("hamming", "answers wrong", True),
    "ordinal": ("distance", "steps off", False),
    "counts": ("deviance", "Poisson deviance", False),
    "quantile": ("pinball", "pinball loss", False),
}


class Judged(NamedTuple):
    """A number of the exam, its name and the ends of its 95 % interval."""

    label: str
    value: float | None
    ends: tuple[float, float] | None
    share: bool = False

    def words(self) -> str:
        """Return the number with its name."""
        shown = percent(self.value) if self.share else figure(self.value)
        return f"{self.label} {shown}"

    def interval(self) -> str:
        """Return the interval in words."""
        return span(*self.ends, share=self.share) if self.ends else "not known"


def judged(result: Plain) -> Judged:
    """Return the number that a run is compared by."""
    exam = result["exam"]
    metrics, intervals = exam["metrics"], exam["curves"].get("intervals", {})
    if result.get("goal") == "novelty":
        return _missed(metrics["caught"], intervals["caught"])
    name, label, share = _OWN.get(result.get("goal", ""), _usual(result))
    ends: Any = ends_of(result, name)
    if name == "error" and "low" in exam["bound"]:
        ends = exam["bound"]["low"], exam["bound"]["high"]
    return Judged(label, metrics.get(name), tuple(ends) if ends else None, share)


def proved(bound: Plain) -> tuple[str, Any]:
    """Return what the exam proves, in words and as a number to sort by."""
    if "promised" in bound:
        return f"false alarms at most {percent(bound['promised'])}", bound["promised"]
    if "labels" in bound:
        worst = max(label["upper"] for label in bound["labels"])
        return f"no label wrong above {percent(worst)}", worst
    if "upper" in bound:
        return f"error at most {percent(bound['upper'])}", bound["upper"]
    if bound.get("limit") is None:
        return "nothing", ""
    share = percent(bound["coverage"], 0)
    return f"{share} off by at most {figure(bound['limit'])}", bound["limit"]


def question(result: Plain) -> str:
    """Return what a run was asked, so that only runs of one question are compared."""
    goal = result.get("goal") or ("classes" if result["classes"] else "numbers")
    if goal == "novelty":
        return f"strange rows (alarms {percent(result['criterion']['alarm_rate'], 0)})"
    quantile = result["criterion"].get("quantile")
    exact = f" {quantile:g}" if quantile is not None else ""
    return f"{result['data']['target']} ({goal}{exact})"


def _usual(result: Plain) -> tuple[str, str, bool]:
    return ("error", "error", True) if result["classes"] else ("rmse", "RMSE", False)


def _missed(caught: float, ends: list[float]) -> Judged:
    """Turn the share of imitations that were flagged into that of those missed."""
    return Judged("imitations missed", 1 - caught, (1 - ends[1], 1 - ends[0]), True)
