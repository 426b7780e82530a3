"""Several runs side by side: what can be compared, and how sure the differences are."""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from infimum import __version__
from infimum.errors import DataError
from infimum.learn import read_result
from infimum.persistence.replacement import replacing
from infimum.report import figures
from infimum.report.drawings import with_numbers
from infimum.report.edited import believing
from infimum.report.findings import span
from infimum.report.judged import judged, proved, question
from infimum.report.names import cut
from infimum.report.numbers import count, duration, figure, give, percent, power
from infimum.report.page import render_template
from infimum.report.quantiles import wanted_quantile

__all__ = ["comparison", "read_runs", "render_comparison", "write_comparison"]

Plain = dict[str, Any]
Ends = tuple[float, float]

_FEWEST, _MOST_NAMED = 2, 4


def read_runs(runs: Sequence[str | PathLike[str]]) -> dict[str, Plain]:
    """Read the results of at least two runs, by names that tell them apart."""
    if len(runs) < _FEWEST:
        raise DataError(f"A comparison needs at least two runs, got {len(runs)}.")
    paths = [Path(run) for run in runs]
    places = [path.resolve() for path in paths]
    if len(set(places)) < len(places):
        twice = next(
            p for p, q in zip(paths, places, strict=True) if places.count(q) > 1
        )
        raise DataError(f"{twice} is given twice; a run equals itself.")
    short = [path.name or str(path) for path in paths]
    unique = len(set(short)) == len(short)
    names = short if unique else [str(path) for path in paths]
    results = {n: read_result(path) for n, path in zip(names, paths, strict=True)}
    for name, result in results.items():
        _check_whole(name, result)
    return results


def comparison(results: Mapping[str, Plain]) -> Plain:
    """Return the facts about each run as texts, and what their comparison is worth.

    Returns
    -------
    dict
        ``rows`` holds a dictionary a run, ``headings`` the words for its keys, and
        ``remarks`` the sentences to read first.
    """
    rows = [_facts(name, result) for name, result in results.items()]
    kept = [key for key in _HEADINGS if any(row[key]["text"] for row in rows)]
    return {
        "headings": {key: _HEADINGS[key] for key in kept},
        "rows": rows,
        "remarks": _remarks(results),
    }


def render_comparison(results: Mapping[str, Plain]) -> str:
    """Return the comparison as the text of one self-contained HTML file."""
    return render_template(
        "comparison.html.j2",
        with_numbers(_drawn(results)),
        version=__version__,
        about={
            f"test_{place}": cut(asked)
            for place, asked in enumerate(_by_question(results))
        },
        **comparison(results),
    )


def _drawn(results: Mapping[str, Plain]) -> dict[str, Any]:
    return {
        f"test_{place}": _forest(part)
        for place, part in enumerate(_by_question(results).values())
        if len(part) >= _FEWEST
    }


def write_comparison(results: Mapping[str, Plain], out: str | PathLike[str]) -> Path:
    """Write the comparison as an HTML file, whole or not at all."""
    place = Path(out)
    if place.suffix.lower() not in (".html", ".htm"):
        raise DataError(f"{place} must end in .html.")
    if place.is_dir():
        raise DataError(f"{place} is a directory; give the name of a file.")
    if not place.absolute().parent.is_dir():
        raise DataError(f"{place.absolute().parent} does not exist; create it first.")
    text = render_comparison(results)
    with replacing(place) as handle:
        handle.write(text.encode("utf-8"))
    return place


_HEADINGS = {
    "run": "run",
    "target": "predicts",
    "model": "model",
    "cv": "cross-validated",
    "test": "on test rows",
    "interval": "95 % interval",
    "bound": "proved",
    "coverage": "coverage",
    "champion": "readable model",
    "gap": "relative gap",
    "rows": "rows",
    "time": "time",
    "energy": "energy",
}


def _check_whole(name: str, result: Plain) -> None:
    """Raise DataError unless a result has what runs are compared by."""
    with believing(name):
        # Beside itself under another name every kind of comparison is made.
        twice = {name: result, f"{name} again": result}
        comparison(twice)
        _drawn(twice)
        hash((result["data"]["fingerprint"], result["seed"]))


def _facts(name: str, result: Plain) -> Plain:
    return {key: _cell(*made) for key, made in _texts(name, result).items()}


def _texts(name: str, result: Plain) -> dict[str, tuple[str, Any]]:
    choice, data, proof = result["choice"], result["data"], result["proof"]
    test = judged(result)
    cv = f"{result['criterion']['label']} {_given(choice['score'], choice['spread'])}"
    seconds = sum(stage["seconds"] for stage in result["stages"])
    champion = result.get("champion") or {}
    evidence = result.get("evidence") or {}
    cover = evidence.get("conformal", {}).get("coverage", {})
    joules = evidence.get("energy", {}).get("joules")
    return {
        "run": (name, name),
        "target": (cut(question(result)), question(result)),
        "model": (choice["label"], choice["label"]),
        "cv": (cv, choice["score"]),
        "test": (test.words(), test.value),
        "interval": (test.interval(), test.ends[0] if test.ends else ""),
        "bound": _below(result) or proved(result["exam"]["bound"]),
        "coverage": _coverage(cover),
        "champion": (_champion(champion), champion.get("score", "")),
        "gap": (
            power(proof["relative_gap"]) if proof else "no proof",
            proof["relative_gap"] if proof else "",
        ),
        "rows": (
            f"{count(data['train_rows'])} + {count(data['test_rows'])}",
            data["rows"],
        ),
        "time": (duration(seconds), seconds),
        "energy": (f"about {figure(joules, 2)} J" if joules else "", joules or ""),
    }


def _cell(text: str, value: Any) -> Plain:
    return {"text": text, "value": "" if value is None else value}


def _coverage(cover: Plain) -> tuple[str, Any]:
    if not cover:
        return "", ""
    ends = span(cover["low"], cover["high"], share=True)
    return f"{percent(cover['measured'])} ({ends})", cover["measured"]


def _champion(told: Plain) -> str:
    if not told:
        return ""
    return f"{told['label']} {_given(told['score'], told['spread'])}"


def _given(score: float | None, spread: float | None) -> str:
    sure = f" ± {figure(spread, 2)}" if spread else " (one fold)"
    return give(score, spread) + sure


def _below(result: Plain) -> tuple[str, Any] | None:
    """Return where the share of rows under a quantile lies; None for other goals."""
    ends = result["exam"]["curves"].get("intervals", {}).get("share_below")
    if wanted_quantile(result) is None or not ends:
        return None
    return f"{span(*ends, share=True)} at or below", ends[0]


def _remarks(results: Mapping[str, Plain]) -> list[str]:
    """Say what can be compared, then which run is ahead and how surely."""
    parts = _by_question(results)
    if len(parts) == 1:
        return [_encoded_fold(results), _ahead(results)]
    names = "; ".join(sorted(cut(asked) for asked in parts))
    first = f"The runs predict different things: {names}. Their scores do not compare."
    several = {asked: part for asked, part in parts.items() if len(part) >= _FEWEST}
    return [first] + [
        f"Of those about {cut(asked)}: {_ahead(part)} {_encoded_fold(part)}"
        for asked, part in several.items()
    ]


def _by_question(results: Mapping[str, Plain]) -> dict[str, dict[str, Plain]]:
    """Return the runs that were asked the same, together."""
    parts: dict[str, dict[str, Plain]] = {}
    for name, result in results.items():
        parts.setdefault(question(result), {})[name] = result
    return parts


def _encoded_fold(results: Mapping[str, Plain]) -> str:
    """Say whether the runs were tested on the same rows."""
    told = list(results.values())
    if len({each["data"]["fingerprint"] for each in told}) > 1:
        return "The runs are of different data, so luck of the rows is in differences."
    if len({each["seed"] for each in told}) > 1:
        return "Same data, other seeds: the runs were tested on different rows."
    return "Same data and seed: all runs were tested on the same rows."


def _ahead(results: Mapping[str, Plain]) -> str:
    known = _known(results)
    if len(known) < _FEWEST:
        return "Too little is known of the test rows to say which run is ahead."
    best = min(known, key=lambda name: known[name][0])
    edge = known[best][1][1]
    near = [n for n, (_, ends) in known.items() if n != best and ends[0] <= edge]
    if all(value == known[best][0] for value, _ in known.values()):
        return "All runs measured the same error."
    if not near:
        return f"{best} is ahead of all others beyond their intervals."
    return (
        f"{best} has the least error, but its interval overlaps {_whose(near, known)}."
    )


def _whose(near: list[str], known: Mapping[str, Any]) -> str:
    """Name the runs whose intervals are meant, or count them if they are many."""
    if len(near) <= _MOST_NAMED:
        return f"that of {', '.join(near)}"
    if len(near) == len(known) - 1:
        return f"those of all {len(near)} others"
    return f"those of {len(near)} of the {len(known) - 1} others"


def _known(results: Mapping[str, Plain]) -> dict[str, tuple[float, Ends]]:
    """Return the number and interval of the runs that have both."""
    measured = {name: judged(result) for name, result in results.items()}
    return {
        name: (told.value, told.ends)
        for name, told in measured.items()
        if told.value is not None and told.ends
    }


def _forest(results: Mapping[str, Plain]) -> figures.Figure | None:
    known, labels = _known(results), {judged(each).label for each in results.values()}
    if len(labels) > 1 or not known:
        return None
    return figures.run_intervals(known, f"{min(labels)} on test rows, 95 % interval")
