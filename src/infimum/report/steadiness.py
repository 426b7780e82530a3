"""How far the weights of the chosen model would move with other rows."""

from typing import Any

__all__ = ["weight_errors"]

Plain = dict[str, Any]


def weight_errors(result: Plain) -> dict[str, list[float]]:
    """Return the standard errors of the chosen weights by feature; empty if unknown.

    The evidence about the winner knows them, or the readable model if that won.
    """
    told = (result.get("evidence") or {}).get("weights", {}).get("features", [])
    if told:
        return {each["feature"]: each["errors"] for each in told}
    champion = result.get("champion") or {}
    if not (champion.get("is_winner") and champion.get("errors")):
        return {}
    pairs = zip(champion["weights_by_feature"], champion["errors"], strict=True)
    return {feature: errors for (feature, _), errors in pairs}
