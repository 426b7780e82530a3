"""The frame of all figures: axes, margins, and colours that follow the theme.

A figure is a plain dictionary in Plotly's format. Colours are names with an @ in front;
the page replaces them by those of its light or dark theme.
"""

from html import escape
from typing import Any, TypeAlias

from infimum.report.names import cut

__all__ = [
    "Figure",
    "axis",
    "clipped",
    "fitting",
    "frame",
    "label",
    "line",
    "series_color",
    "series_dash",
    "series_symbol",
    "short",
]

Figure: TypeAlias = dict[str, Any]

_LONGEST_TITLE = 38
_DASHES = ("solid", "dash", "dot")
_SYMBOLS = ("circle", "square", "diamond", "cross", "triangle-up", "star")
_SERIES = tuple(f"@series{place}" for place in range(1, 9))
#: What a screen leaves for a figure, under its title and note, above its caption.
_TALLEST = 560


def frame(
    traces: list[dict[str, Any]],
    x: dict[str, Any],
    y: dict[str, Any],
    *,
    height: int = 340,
    legend: bool = False,
    **layout: Any,
) -> Figure:
    """Return a figure of these traces and axes."""
    whole = {"x": x.pop("whole", ""), "y": y.pop("whole", "")}
    return {
        "data": traces,
        "layout": {
            "height": height,
            "margin": {"l": 56, "r": 16, "t": 12, "b": 48},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"color": "@ink", "size": 13},
            "hoverlabel": {"bgcolor": "@card", "font": {"color": "@ink"}},
            "showlegend": legend,
            "legend": {
                "orientation": "h",
                "y": 1.02,
                "yanchor": "bottom",
                "x": 0,
                "font": {"color": "@muted"},
            },
            "xaxis": x,
            "yaxis": y,
            "meta": whole,
            **layout,
        },
    }


def fitting(rows: int, each: int, *, around: int = 100, lost: int = 0) -> int:
    """Return how many rows of a list so high a figure on one screen can hold.

    `around` is the height of axis and margins, `lost` what else the section needs.

    Examples
    --------
    >>> fitting(5, 30), fitting(40, 30), fitting(40, 500)
    (5, 15, 1)
    """
    return max(1, min(rows, (_TALLEST - around - lost) // each))


def axis(title: str, **options: Any) -> dict[str, Any]:
    """Return a plain axis; `frame` keeps its whole title for the table.

    A title of two lines fits under a figure on a phone.
    """
    powers = options.get("exponentformat") == "power"
    return {
        "whole": label(title),
        "title": {
            "text": short(title, _LONGEST_TITLE),
            "font": {"color": "@muted", "size": 13},
        },
        "gridcolor": "@grid",
        "linecolor": "@rule",
        "zeroline": False,
        # Plotly writes powers a quarter larger than other numbers.
        "tickfont": {"color": "@muted", "size": 10.5 if powers else 12.5},
        "automargin": True,
        **options,
    }


def line(color: str, width: float = 2, dash: str = "solid") -> dict[str, Any]:
    """Return the style of a line."""
    return {"color": color, "width": width, "dash": dash}


def label(text: str) -> str:
    """Return text that Plotly shows as it is, not as markup."""
    return escape(str(text), quote=False)


def series_color(place: int) -> str:
    """Return the colour of the n-th series."""
    return _SERIES[place % len(_SERIES)]


def series_dash(place: int) -> str:
    """Return the stroke of the n-th series: neighbours differ without their colours."""
    return _DASHES[place % len(_DASHES)]


def series_symbol(place: int) -> str:
    """Return the mark of the n-th series, for who does not tell colours apart."""
    return _SYMBOLS[place % len(_SYMBOLS)]


def short(name: str, longest: int) -> str:
    """Return a name as a label of at most two lines; what is cut is marked.

    The end stays: names of one family often differ there only.
    """
    if len(name) <= longest:
        return label(name)
    head = name[:longest].rsplit(" ", 1)[0] if " " in name[:longest] else name[:longest]
    rest = name[len(head) :].strip()
    rest = rest if len(rest) <= longest else "…" + rest[1 - longest :]
    return f"{label(head)}<br>{label(rest)}"


def clipped(name: str, longest: int) -> str:
    """Return a name as a label of one line, cut in its middle if it is too long."""
    return label(cut(name, longest))
