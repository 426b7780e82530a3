"""The regularisation path: validation score and weights from strong to weak."""

from typing import Any

from infimum.report.figures.frame import (
    Figure,
    axis,
    clipped,
    frame,
    label,
    line,
    series_color,
    series_dash,
)

__all__ = ["is_path", "score_path", "weight_path"]

_MOST_LINES, _LARGE, _LONGEST = 8, 1e4, 32


def is_path(contender: dict[str, Any]) -> bool:
    """Tell whether a contender ran along strengths of regularisation, not a grid."""
    return contender["parameter"] != "setting" and all(
        v > 0 for v in contender["values"]
    )


def score_path(result: dict[str, Any], contender: dict[str, Any]) -> Figure:
    """Draw the validation score of a contender along its path, with the choice."""
    curve = {
        "x": contender["values"],
        "y": contender["scores"],
        "mode": "lines",
        "line": line("@accent", 2.5),
        "name": label(contender["label"]),
        "error_y": {
            "array": [each or 0.0 for each in contender["spreads"]],
            "visible": False,
        },
        "hovertemplate": "%{x:.3g}: %{y:.4g}<extra></extra>",
    }
    drawn = frame(
        [_band(contender), curve, _mark(result, contender)],
        _strength_axis(contender),
        axis(result["criterion"]["label"], tickformat=_ticks(contender)),
    )
    drawn["layout"] |= _limit(result)
    return drawn


def _ticks(contender: dict[str, Any]) -> str:
    """Write large scores in thousands, as people write prices."""
    largest = max(
        (abs(each) for each in contender["scores"] if each is not None), default=0
    )
    return ".3~s" if largest >= _LARGE else ".3~g"


def weight_path(result: dict[str, Any], contender: dict[str, Any]) -> Figure | None:
    """Draw the largest weights along the path of the chosen contender."""
    values = contender["values"]
    shown = [c for c in result["coefficients"] if len(c["path"]) == len(values) > 1]
    if not shown:
        return None
    traces = [
        {
            "x": values,
            "y": each["path"],
            "mode": "lines",
            "name": clipped(each["feature"], _LONGEST),
            "meta": {"names": [label(each["feature"])] * len(values)},
            "line": line(series_color(place), 2, series_dash(place)),
            "hovertemplate": "%{y:.3g}<extra>" + label(each["feature"]) + "</extra>",
        }
        for place, each in enumerate(shown[:_MOST_LINES])
    ]
    drawn = frame(
        traces, _strength_axis(contender), axis("weight"), height=360, legend=True
    )
    chosen = result["choice"]["value"]
    drawn["layout"]["shapes"] = [
        {
            "type": "line",
            "yref": "paper",
            "y0": 0,
            "y1": 1,
            "x0": chosen,
            "x1": chosen,
            "line": line("@warm", 1.5, "dot"),
        }
    ]
    return drawn


def _limit(result: dict[str, Any]) -> dict[str, Any]:
    """Return the line at one standard error from the best, with its words."""
    limit = result["choice"]["threshold"]
    if not result["choice"]["spread"]:  # one fold knows no standard error
        return {}
    better = result["criterion"]["greater_is_better"]
    shape = {
        "type": "line",
        "xref": "paper",
        "x0": 0,
        "x1": 1,
        "y0": limit,
        "y1": limit,
        "line": line("@muted", 1.2, "dot"),
    }
    words = {
        "xref": "paper",
        "x": 1,
        "y": limit,
        "text": "one standard error from the best",
        "showarrow": False,
        "xanchor": "right",
        "yanchor": "top" if better else "bottom",
        "font": {"color": "@muted", "size": 12},
    }
    return {"shapes": [shape], "annotations": [words]}


def _band(contender: dict[str, Any]) -> dict[str, Any]:
    """Return the band of one standard error around the scores."""
    pairs = list(zip(contender["scores"], contender["spreads"], strict=True))
    upper = [_plus(score, spread) for score, spread in pairs]
    lower = [_plus(score, spread, -1) for score, spread in pairs]
    return {
        "x": contender["values"] + contender["values"][::-1],
        "y": upper + lower[::-1],
        "fill": "toself",
        "fillcolor": "@band",
        "line": {"width": 0},
        "hoverinfo": "skip",
        "mode": "lines",
    }


def _mark(result: dict[str, Any], contender: dict[str, Any]) -> dict[str, Any]:
    """Return the dot at the setting chosen, or at the simplest good one."""
    choice, pick = result["choice"], contender["pick"]
    chosen = contender["name"] == choice["name"]
    return {
        "x": [choice["value"] if chosen else contender["values"][pick]],
        "y": [choice["score"] if chosen else contender["scores"][pick]],
        "mode": "markers",
        "name": "chosen" if chosen else "simplest good one",
        "marker": {
            "color": "@warm",
            "size": 12,
            "line": {"color": "@card", "width": 2},
        },
        "hovertemplate": "%{x:.3g}: %{y:.4g}<extra></extra>",
    }


def _strength_axis(contender: dict[str, Any]) -> dict[str, Any]:
    """Return an axis from strong to weak, or from simple to complex."""
    parameter = contender["parameter"]
    if not is_path(contender):
        return axis(f"{parameter}, from simple to complex", dtick=1)
    title = f"{parameter}, from strong to weak"
    values = contender["values"]
    downwards = len(values) > 1 and values[0] > values[-1]
    turned = {"autorange": "reversed"} if downwards else {}
    return axis(title, type="log", exponentformat="power", dtick=1, **turned)


def _plus(score: float | None, spread: float | None, sign: int = 1) -> float | None:
    return None if score is None else score + sign * (spread or 0.0)
