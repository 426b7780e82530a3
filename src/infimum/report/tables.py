"""The tables of the report, with their numbers already written."""

import shlex
from typing import Any

from infimum.evaluation import clopper_pearson
from infimum.report.numbers import count, duration, figure, give, percent, power
from infimum.theory.intervals import BinomialInterval

__all__ = ["confusion", "leaderboard", "reproduction"]

Plain = dict[str, Any]

#: Units of the last digit between the ends of an interval, and the most digits.
_UNITS, _FINEST = 2, 3
#: A larger matrix of confusions is not read; its largest mistakes are.
_MOST_CLASSES, _MOST_MISTAKES = 12, 20
#: Goals that a target alone may not lead to.
_ASKED = {"counts", "ordinal", "quantile", "novelty"}


def leaderboard(result: Plain) -> Plain:
    """Return the contenders, best first: best and simplest good setting of each."""
    criterion = result["criterion"]
    sign = -1 if criterion["greater_is_better"] else 1
    contenders = sorted(
        result["contenders"],
        key=lambda contender: sign * (contender["scores"][contender["best"]] or 0),
    )
    return {"rows": [_place(contender, result) for contender in contenders]}


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
    return {
        "install": shlex.join(["pip", "install", *pins]),
        "command": result["command"] or _call(result),
        "python": versions.get("python", ""),
    }


def _call(result: Plain) -> str:
    """Return the call in Python; a table that was in memory has no name of its own."""
    source, target = result["data"]["source"], result["data"]["target"]
    words = ["table" if source.endswith("DataFrame") else repr(source)]
    words += [f"target={target!r}"] if target else []
    words += [f"task={result['goal']!r}"] if result.get("goal") in _ASKED else []
    words += [
        f"{name}={each!r}" for name, each in (result.get("options") or {}).items()
    ]
    words.append(f"seed={result['seed']}")
    return f"infimum.learn({', '.join(words)})"


def _share(hits: int, total: int) -> str:
    if not total:
        return "–"
    sure = clopper_pearson(hits, total, 0.95)
    # Of many rows the ends are so near that whole per cents would not tell them apart.
    digits = next(d for d in (0, 1, 2, 3) if d == _FINEST or _apart(sure, d))
    return f"{100 * sure.low:.{digits}f} to {percent(sure.high, digits)}"


def _apart(sure: BinomialInterval, digits: int) -> bool:
    """Whether the ends differ by several units of the last digit written."""
    return 100 * (sure.high - sure.low) >= _UNITS * 10.0**-digits


def _place(contender: Plain, result: Plain) -> Plain:
    best, pick = contender["best"], contender["pick"]
    chosen = contender["name"] == result["choice"]["name"]
    # The chosen one is proved first; the others if time was left.
    proof = contender["proof"] or (result["proof"] if chosen else None)
    return {
        "label": contender["label"],
        "chosen": chosen,
        "best": _scored(contender, best),
        "simple": _scored(contender, pick),
        "folds": contender["folds"],
        "gap": power(proof["relative_gap"]) if proof else "no proof",
        "gap_value": proof["relative_gap"] if proof else "",
        "seconds": duration(contender["seconds"]),
        "seconds_value": contender["seconds"],
    }


def _amount(value: float | None) -> str:
    """Write a number of features: an average over folds need not be whole."""
    if value is not None and value == round(value):
        return count(round(value))
    return figure(value, 3)


def _scored(contender: Plain, place: int) -> Plain:
    score, spread = contender["scores"][place], contender["spreads"][place]
    features = contender["weights"][place]
    # One fold has no spread: that is said, not left out.
    alone = spread is None or contender["folds"] == 1
    sure = "one fold" if alone else f"± {figure(spread, 2)}"
    return {
        "score": figure(score) if alone else give(score, spread),
        "value": "" if score is None else score,
        "spread": sure,
        "weights": _amount(features),
        "weights_value": features,
    }
