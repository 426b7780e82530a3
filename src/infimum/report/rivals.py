"""The models beside the winner: one that a person can read, and several together."""

from typing import Any

from infimum.report.numbers import figure, give, percent

__all__ = ["beside_title", "blend_words", "champion_errors", "champion_words"]

Plain = dict[str, Any]

_WHY_NOT = {
    "noise": "that is within the noise",
    "unsteady": "on its worst fold it is worse than the single model is on any",
    "constant": "no single model clearly beats the constant answer",
    "time": "there was no time left to fit its members",
    "disappoints": "its final fit was not what the race had promised",
}
_HOW = (
    " Its features were taken one by one, each time the one that explains most of what "
    "is left, and on every fold again by rows that do not judge it."
)
_HOW_STRANGE = (
    " It tells rows from imitations of them that do not go together; where it finds "
    "mostly imitations, a row is strange."
)


def beside_title(result: Plain) -> str:
    """Say what the models beside the winner cost or gain; nothing if there are none."""
    told, label = result.get("champion"), result["criterion"]["label"]
    if not told:
        return "Several models together" if result.get("blend") else ""
    if told.get("is_winner"):
        return "The winner can be read"
    cost, spread = told.get("cost"), told.get("cost_spread")
    if cost is None:
        return "A model that can be read"
    if cost <= 0:
        return "A model that can be read does as well on the folds of the race"
    price = f"{give(cost, spread)}{_give(spread)}" if spread else figure(cost, 2)
    return f"A model that can be read costs {price} of {label}"


def champion_words(result: Plain) -> str:
    """Say what the readable model is and what it costs against the winner."""
    told = result.get("champion")
    if not told:
        return ""
    label = result["criterion"]["label"]
    spread = told.get("spread")
    alone = " in the one fold that it ran" if told.get("folds", 1) == 1 else ""
    score = f"{give(told.get('score'), spread)}{_give(spread) or alone}"
    size = f" ({told['size']})" if told.get("size") else ""
    if told.get("is_winner"):
        return f"The winner itself can be read: {told['label']}{size}, {label} {score}."
    cost = told.get("cost")
    said = f"{told['label']}{size} reaches a cross-validated {label} of {score}"
    if cost is None:
        return f"{said}."
    return f"{said}, {_against(told)}.{_how(result)}{_unread(told)}"


def _against(told: Plain) -> str:
    """Say how the readable model compares with the winner, fold by fold."""
    cost, spread = told["cost"], told.get("cost_spread")
    one = told.get("folds", 1) == 1
    where = "the one fold that both ran (no spread known)" if one else "the same folds"
    if cost == 0 and not spread:
        return f"exactly as good as the winner on {where}"
    worse = "worse" if cost > 0 else "better"
    return f"{figure(abs(cost), 2)}{_give(spread)} {worse} than the winner on {where}"


def _how(result: Plain) -> str:
    if result["champion"]["name"] == "forward":
        return _HOW
    return _HOW_STRANGE if result.get("goal") == "novelty" else ""


def _unread(told: Plain) -> str:
    return f" {told['unread']}" if told.get("unread") else ""


def champion_errors(result: Plain) -> list[list[float]] | None:
    """Return the standard errors of the readable weights, row by row; None if unknown.

    Those of a champion that won stand in the evidence about the winner.
    """
    told = result.get("champion") or {}
    if told.get("errors"):
        return list(told["errors"])
    found = (result.get("evidence") or {}).get("weights", {}).get("features", [])
    known = {each["feature"]: each["errors"] for each in found}
    names = [feature for feature, _ in told.get("weights_by_feature") or []]
    if not told.get("is_winner") or not all(name in known for name in names):
        return None
    return [known[name] for name in names] or None


def blend_words(result: Plain) -> str:
    """Say what averaging the best few gains, and whether it was taken."""
    told = result.get("blend")
    if not told:
        return ""
    label = result["criterion"]["label"]
    *others, last = (
        f"{percent(each['share'], 0)} {each['label']}" for each in told["members"]
    )
    members = f"{', '.join(others)} and {last}"
    gain = told["gain"]
    change = "improves on" if gain > 0 else "falls behind"
    why = _WHY_NOT[told.get("reason") or "noise"]
    verdict = f"It was not taken, because {why}."
    if told["taken"]:
        verdict = "It was taken, because that is beyond the noise."
    elif gain <= 0:
        verdict = "So it was not taken."
    return (
        f"The average of {members} {change} the best single model by "
        f"{figure(abs(gain), 2)}{_give(told.get('noise'))} of {label}. {verdict}"
    )


def _give(spread: float | None) -> str:
    return f" ±\u00a0{figure(spread, 2)}" if spread else ""
