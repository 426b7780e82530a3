"""The weights of the chosen model."""

from typing import Any

from infimum.report.figures.frame import (
    Figure,
    axis,
    fitting,
    frame,
    label,
    series_color,
    short,
)
from infimum.report.steadiness import weight_errors

__all__ = ["weight_bars"]

_MOST_BARS, _MOST_SCORES, _LONGEST, _AROUND = 20, 8, 34, 110


def weight_bars(result: dict[str, Any]) -> Figure | None:
    """Draw the largest weights as bars, largest on top."""
    shown = _shown(result)[::-1]
    if not shown:
        return None
    scores = len(shown[0]["values"])
    names = [short(each.get("name", each["feature"]), _LONGEST) for each in shown]
    traces = [
        {
            "type": "bar",
            "orientation": "h",
            # Bars are placed by number: two features may have the same short name.
            "y": list(range(len(shown))),
            "x": [each["values"][score] for each in shown],
            "name": label(_score_name(result, score)),
            "marker": {"color": _colors(shown, score, scores)},
            "meta": {"names": [_full(result, each, score) for each in shown]},
            "customdata": [label(each.get("name", each["feature"])) for each in shown],
            **_reach(result, shown, score),
            "hovertemplate": "%{customdata}: %{x:.3g}<extra></extra>",
        }
        for score in range(scores)
    ]
    ticks = {"tickvals": list(range(len(shown))), "ticktext": names}
    return frame(
        traces,
        axis("weight", zeroline=True, zerolinecolor="@rule", nticks=6, tickangle=0),
        axis("", gridcolor="rgba(0,0,0,0)", **ticks),
        height=_AROUND + len(shown) * _room(shown),
        legend=scores > 1,
        bargap=0.3,
    )


def _shown(result: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the largest weights, as many as one screen can hold."""
    found: list[dict[str, Any]] = result["coefficients"][:_MOST_BARS]
    if found and len(found[0]["values"]) > _MOST_SCORES:
        found = [_heaviest(result, each) for each in found]
    return found[: fitting(len(found), _room(found), around=_AROUND)]


def _room(shown: list[dict[str, Any]]) -> int:
    """Return the height of a feature: names of two lines and many bars need more."""
    names = [str(each.get("name", each["feature"])) for each in shown]
    bars = max((len(each["values"]) for each in shown), default=1)
    least = 36 if any(len(name) > _LONGEST for name in names) else 24
    return least if bars == 1 else max(least, 14 + 8 * bars)


def _heaviest(result: dict[str, Any], each: dict[str, Any]) -> dict[str, Any]:
    """Return the weight of a feature in the class where it counts most."""
    score = max(range(len(each["values"])), key=lambda k: abs(each["values"][k]))
    name = f"{_score_name(result, score)}: {each['feature']}"
    return {**each, "values": [each["values"][score]], "score": score, "name": name}


def _reach(
    result: dict[str, Any], shown: list[dict[str, Any]], score: int
) -> dict[str, Any]:
    """Return bars of two standard errors, nothing if they are not known."""
    known = weight_errors(result)
    if not all(each["feature"] in known for each in shown):
        return {}
    reach = [2 * known[each["feature"]][each.get("score", score)] for each in shown]
    return {"error_x": {"array": reach, "color": "@ink", "thickness": 1, "width": 3}}


def _full(result: dict[str, Any], each: dict[str, Any], score: int) -> str:
    single = len(each["values"]) == 1
    name = str(each.get("name", each["feature"]))
    return label(name if single else f"{_score_name(result, score)}: {name}")


def _colors(shown: list[dict[str, Any]], score: int, scores: int) -> Any:
    if scores > 1:
        return series_color(score)
    return ["@accent" if each["values"][0] > 0 else "@warm" for each in shown]


def _score_name(result: dict[str, Any], score: int) -> str:
    classes = result["classes"]
    return classes[score] if score < len(classes) else "weight"
