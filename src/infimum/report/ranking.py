"""The page of a ranking: scores with intervals, who beat whom, what to play next."""

from os import PathLike
from pathlib import Path
from typing import Any

from infimum import __version__
from infimum.errors import DataError
from infimum.persistence.replacement import replacing
from infimum.report import figures
from infimum.report.drawings import with_numbers
from infimum.report.names import cut
from infimum.report.numbers import count, figure, percent
from infimum.report.page import render_template

__all__ = ["ranking_words", "render_ranking", "write_ranking"]

Plain = dict[str, Any]
#: Items drawn; a longer list is a table only.
_DRAWN = 40


def render_ranking(result: Plain) -> str:
    """Return the ranking as the text of one self-contained HTML file."""
    items = result["items"]
    drawn = {
        row["name"]: (row["elo"], (row["low"], row["high"])) for row in items[:_DRAWN]
    }
    scores = figures.run_intervals(drawn, "Elo")
    return render_template(
        "ranking.html.j2",
        with_numbers({"scores": scores}),
        version=__version__,
        result=result,
        words=ranking_words(result),
        rows=[_row(place, row) for place, row in enumerate(items, 1)],
        next_pairs=[_next(pair) for pair in result["next"]],
        proof=_proof(result["proof"]),
        shown=len(drawn),
    )


def write_ranking(result: Plain, out: str | PathLike[str]) -> Path:
    """Write the page, whole or not at all."""
    place = Path(out)
    if not place.absolute().parent.is_dir():
        raise DataError(f"{place.absolute().parent} does not exist; create it first.")
    text = render_ranking(result)
    with replacing(place) as handle:
        handle.write(text.encode("utf-8"))
    return place


def ranking_words(result: Plain) -> list[str]:
    """Return the sentences to read first."""
    items = result["items"]
    first, sure = items[0], [row for row in items if row["best"] == 1]
    name = cut(first["name"])
    if len(sure) == 1:
        told = f"{name} is best, with 95 % confidence."
    else:
        told = f"{name} leads, but {len(sure)} items may be best (95 % confidence)."
    played = f"{count(result['games'])} games of {count(len(items))} items"
    words = [told, f"From {played} in {cut(result['source'])}."]
    cycles = result["contradictions"]["cycles"]
    if cycles:
        names = [cut(name) for name in result["contradictions"]["example"]]
        ring = " beat ".join([*names, names[0]])
        words.append(f"{count(cycles)} rings of three contradict any order: {ring}.")
    if result["home"] is not None:
        words.append(f"The left side has an advantage of {figure(result['home'])}.")
    return words


def _row(place: int, row: Plain) -> Plain:
    ranks = str(row["best"])
    if row["worst"] != row["best"]:
        ranks = f"{row['best']} to {row['worst']}"
    ends = f"{row['low']:.0f} to {row['high']:.0f}"
    return {**row, "place": place, "elo_text": f"{row['elo']:.0f}", "ends": ends,
            "ranks": ranks}  # fmt: skip


def _next(pair: Plain) -> Plain:
    return {**pair, "chance_text": percent(pair["chance"]),
            "spread_text": figure(pair["spread"])}  # fmt: skip


def _proof(proof: Plain) -> str:
    verdict = "proved" if proof["closed"] else "NOT proved"
    return (
        f"Mean of minus the log-likelihood {proof['primal']:.9g}; no scores below "
        f"{proof['dual']:.9g}. Relative gap {proof['relative_gap']:.1e}: optimal "
        f"within {proof['tolerance']:.0e} {verdict}."
    )
