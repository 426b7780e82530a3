"""The tables of the report, with their numbers already written."""

import shlex
from typing import Any

from infimum.evaluation import clopper_pearson
from infimum.report.numbers import duration, figure, percent, power

__all__ = ["confusion", "leaderboard", "reproduction"]

Plain = dict[str, Any]

#: A larger matrix of confusions is not read; its largest mistakes are.
_MOST_CLASSES, _MOST_MISTAKES = 12, 20


def leaderboard(result: Plain) -> Plain:
    """Return the contenders, best first: best and simplest good setting of each."""
    criterion = result["criterion"]
    sign = -1 if criterion["greater_is_better"] else 1
    lanes = sorted(
        result["lanes"], key=lambda lane: sign * (lane["scores"][lane["best"]] or 0)
    )
    return {"rows": [_place(lane, result) for lane in lanes]}


def confusion(result: Plain) -> Plain | None:
    """Return the confusion matrix with the share of each row, for shading."""
    counts = result["exam"]["curves"].get("confusion")
    if not counts:
        return None
    if len(counts) > _MOST_CLASSES:
        return _mistakes(result["classes"], counts)
    rows = []
    for place, (label, row) in enumerate(zip(result["classes"], counts, strict=True)):
        total = sum(row)
        cells = [
            {
                "count": int(each),
                "share": _share(int(each), int(total)),
                "depth": round(100 * each / total) if total else 0,
                "right": column == place,
            }
            for column, each in enumerate(row)
        ]
        rows.append({"label": label, "cells": cells, "total": int(total)})
    return {"classes": result["classes"], "rows": rows}


def _mistakes(classes: list[str], counts: list[list[float]]) -> Plain:
    """Return the mistakes made most often; a matrix of so many classes hides them."""
    made = [
        (int(each), truth, said)
        for truth, row in enumerate(counts)
        for said, each in enumerate(row)
        if each and truth != said
    ]
    made.sort(key=lambda mistake: -mistake[0])
    return {
        "mistakes": [
            {
                "truth": classes[truth],
                "said": classes[said],
                "count": count,
                "of": int(sum(counts[truth])),
                "share": _share(count, int(sum(counts[truth]))),
            }
            for count, truth, said in made[:_MOST_MISTAKES]
        ],
        "kinds": len(made),
    }


def reproduction(result: Plain) -> Plain:
    """Return the commands that give this result again."""
    versions = result["versions"]
    pins = [
        f"{name}=={number}" for name, number in versions.items() if name != "python"
    ]
    data = result["data"]
    aim = f"target={data['target']!r}" if data["target"] else "task='novelty'"
    call = [repr(data["source"]), aim, f"seed={result['seed']}"]
    return {
        "install": shlex.join(["pip", "install", *pins]),
        "command": result["command"] or f"infimum.learn({', '.join(call)})",
        "python": versions.get("python", ""),
    }


def _share(hits: int, total: int) -> str:
    if not total:
        return "–"
    sure = clopper_pearson(hits, total, 0.95)
    return f"{100 * sure.low:.0f} to {percent(sure.high, 0)}"


def _place(lane: Plain, result: Plain) -> Plain:
    best, pick, proof = lane["best"], lane["pick"], lane["proof"]
    return {
        "label": lane["label"],
        "chosen": lane["name"] == result["choice"]["name"],
        "best": _scored(lane, best),
        "simple": _scored(lane, pick),
        "folds": lane["folds"],
        "gap": power(proof["relative_gap"]) if proof else "no proof",
        "gap_value": proof["relative_gap"] if proof else "",
        "seconds": duration(lane["seconds"]),
        "seconds_value": lane["seconds"],
    }


def _scored(lane: Plain, place: int) -> Plain:
    score, spread = lane["scores"][place], lane["spreads"][place]
    # One fold has no spread: that is said, not left out.
    alone = spread is None or lane["folds"] == 1
    sure = "one fold" if alone else f"± {figure(spread, 2)}"
    return {
        "score": figure(score),
        "value": "" if score is None else score,
        "spread": sure,
        "weights": figure(lane["weights"][place], 3),
        "weights_value": lane["weights"][place],
    }
