"""The tables of the report, with their numbers already written."""

import shlex
from typing import Any

from infimum.report.numbers import duration, figure, percent, power

__all__ = ["confusion", "leaderboard", "reproduction"]

Plain = dict[str, Any]

_OTHER_METRICS = {
    "auc": (("error", "error"), ("log_loss", "log loss")),
    "accuracy": (("auc", "AUC"), ("log_loss", "log loss")),
    "rmse": (("mae", "MAE"), ("r2", "R²")),
}


def leaderboard(result: Plain) -> Plain:
    """Return the contenders, best first, with the averages of their best setting."""
    criterion = result["criterion"]
    others = _OTHER_METRICS[criterion["metric"]]
    sign = -1 if criterion["greater_is_better"] else 1
    lanes = sorted(
        result["lanes"], key=lambda lane: sign * (lane["scores"][lane["best"]] or 0)
    )
    return {
        "others": [name for _, name in others],
        "rows": [
            {
                "label": lane["label"],
                "chosen": lane["name"] == result["choice"]["name"],
                "score": figure(lane["scores"][lane["best"]]),
                "spread": figure(lane["spreads"][lane["best"]], 2),
                "others": [_metric(lane["metrics"][key], key) for key, _ in others],
                "weights": figure(lane["weights"][lane["best"]], 3),
                "simple_score": figure(lane["scores"][lane["pick"]]),
                "simple_weights": figure(lane["weights"][lane["pick"]], 3),
                "gap": power(lane["proof"]["relative_gap"]) if lane["proof"] else "–",
                "seconds": duration(lane["seconds"]),
            }
            for lane in lanes
        ],
    }


def confusion(result: Plain) -> Plain | None:
    """Return the confusion matrix with the share of each row, for shading."""
    counts = result["exam"]["curves"].get("confusion")
    if not counts:
        return None
    rows = []
    for place, (label, row) in enumerate(zip(result["classes"], counts, strict=True)):
        total = sum(row)
        cells = [
            {
                "count": int(each),
                "share": percent(each / total, 0) if total else "–",
                "depth": round(100 * each / total) if total else 0,
                "right": column == place,
            }
            for column, each in enumerate(row)
        ]
        rows.append({"label": label, "cells": cells, "total": int(total)})
    return {"classes": result["classes"], "rows": rows}


def reproduction(result: Plain) -> Plain:
    """Return the commands that give this result again."""
    versions = result["versions"]
    pins = [
        f"{name}=={number}" for name, number in versions.items() if name != "python"
    ]
    data = result["data"]
    call = [
        repr(data["source"]),
        f"target={data['target']!r}",
        f"seed={result['seed']}",
    ]
    return {
        "install": shlex.join(["pip", "install", *pins]),
        "command": result["command"] or f"infimum.learn({', '.join(call)})",
        "python": versions.get("python", ""),
    }


def _metric(value: float | None, key: str) -> str:
    return percent(value) if key == "error" else figure(value)
