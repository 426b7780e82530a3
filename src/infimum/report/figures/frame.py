"""What all figures share: a quiet frame, and colours that follow the theme.

A figure is a plain dictionary in Plotly's format. Colours are names with an @ in front;
the page replaces them by those of its light or dark theme.
"""

from html import escape
from typing import Any, TypeAlias

__all__ = [
    "Figure",
    "axis",
    "clipped",
    "frame",
    "label",
    "line",
    "series_color",
    "series_dash",
    "short",
]

Figure: TypeAlias = dict[str, Any]

_LONGEST_TITLE = 38
_DASHES = ("solid", "dash", "dot")
_SERIES = tuple(f"@series{place}" for place in range(1, 9))


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


def axis(title: str, **options: Any) -> dict[str, Any]:
    """Return an axis that does not shout; `frame` keeps its whole title for the table.

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
    """Return the stroke of the n-th series: where colours come again it changes."""
    return _DASHES[place // len(_SERIES) % len(_DASHES)]


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
    if len(name) <= longest:
        return label(name)
    half = (longest - 1) // 2
    return label(f"{name[: longest - 1 - half]}…{name[len(name) - half :]}")
