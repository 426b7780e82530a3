"""Single answers, shared out among the columns."""

from typing import Any

from infimum.report.figures.frame import Figure, axis, clipped, frame, label

__all__ = ["answer_shares"]

_MOST, _LONGEST = 8, 22


def answer_shares(told: dict[str, Any], words: str) -> Figure | None:
    """Draw what each column adds to the base, largest on top."""
    shares = _few(told["shares"])[::-1]
    if not shares:
        return None
    places = list(range(len(shares)))
    full = [_named(each) for each in shares]
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": places,
        "x": [each["share"] for each in shares],
        "marker": {
            "color": ["@accent" if each["share"] > 0 else "@warm" for each in shares]
        },
        "meta": {"names": [label(name) for name in full]},
        "customdata": [label(name) for name in full],
        "hovertemplate": "%{customdata}: %{x:+.3g}<extra></extra>",
        "error_x": {
            "array": [2 * each["error"] for each in shares],
            "visible": any(each["error"] > 0 for each in shares),
            "color": "@ink",
            "thickness": 1.2,
            "width": 4,
        },
    }
    names = [clipped(name, _LONGEST) for name in full]
    return frame(
        [bars],
        axis(words, zeroline=True, zerolinecolor="@rule", nticks=4, tickangle=0),
        axis("", gridcolor="rgba(0,0,0,0)", tickvals=places, ticktext=names),
        height=100 + 26 * len(shares),
        bargap=0.3,
    )


def _few(shares: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the largest shares, and all others added up."""
    if len(shares) <= _MOST:
        return shares
    ordered = sorted(shares, key=lambda each: -abs(each["share"]))
    kept, rest = ordered[: _MOST - 1], ordered[_MOST - 1 :]
    return [
        *kept,
        {
            "column": "all others",
            "value": "",
            "share": sum(each["share"] for each in rest),
            "error": sum(each["error"] ** 2 for each in rest) ** 0.5,
        },
    ]


def _named(share: dict[str, Any]) -> str:
    value = share["value"]
    return f"{share['column']} = {value}" if value != "" else str(share["column"])
