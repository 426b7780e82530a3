"""The page of a recommender: lists, error on unseen ratings, factors, the proof."""

from os import PathLike
from pathlib import Path
from typing import Any

from infimum import __version__
from infimum.errors import DataError
from infimum.persistence.replacement import replacing
from infimum.report.drawings import with_numbers
from infimum.report.names import cut
from infimum.report.numbers import count, figure, percent
from infimum.report.page import render_template

__all__ = ["recommendation_words", "render_recommendation", "write_recommendation"]

Plain = dict[str, Any]


def render_recommendation(result: Plain) -> str:
    """Return the recommendations as the text of one self-contained HTML file."""
    return render_template(
        "recommendation.html.j2",
        with_numbers({}),
        version=__version__,
        result=result,
        words=recommendation_words(result),
        metrics=_metrics(result),
        lists=[_row(row) for row in result["lists"]],
        proof=_proof(result),
    )


def write_recommendation(result: Plain, out: str | PathLike[str]) -> Path:
    """Write the page, whole or not at all."""
    place = Path(out)
    if not place.absolute().parent.is_dir():
        raise DataError(f"{place.absolute().parent} does not exist; create it first.")
    text = render_recommendation(result)
    with replacing(place) as handle:
        handle.write(text.encode("utf-8"))
    return place


def recommendation_words(result: Plain) -> list[str]:
    """Return the sentences to read first."""
    what = "entries" if result["implicit"] else "ratings"
    seen = f"From {count(result['ratings'])} {what} of {count(result['items'])} items"
    words = [f"{seen} by {count(result['users'])} users in {cut(result['source'])}."]
    scores = result["scores"]
    if scores is None:
        words.append("No user has two ratings: nothing could be held out to judge by.")
    elif not result["implicit"]:
        words.append(
            f"On {count(result['held_out'])} {what} held out the root mean squared "
            f"error is {figure(scores['rmse'])}; their standard deviation is "
            f"{figure(result['guess'])}."
        )
    if scores is not None and scores["users"]:
        words.append(
            f"{percent(scores['precision'])} of the first {result['n']} items advised "
            f"were among what users liked of the held-out {what}."
        )
    proof = result["proof"]
    verdict = (
        "no factorisation of any rank has a lower risk, within "
        f"{figure(proof['tolerance'])} of what there is to gain"
        if proof["closed"]
        else "more factors could lower the risk by at most "
        f"{percent(proof['relative_gap'])} of what there is to gain"
    )
    return [*words, f"Proved: {verdict}."]


def _metrics(result: Plain) -> list[Plain]:
    scores = result["scores"]
    if scores is None:
        return []
    n = result["n"]
    told = [
        (f"precision at {n}", percent(scores["precision"])),
        (f"recall at {n}", percent(scores["recall"])),
        (f"NDCG at {n}", figure(scores["ndcg"])),
    ]
    if not result["implicit"]:
        told.insert(0, ("root mean squared error", figure(scores["rmse"])))
    return [{"name": name, "value": value} for name, value in told]


def _row(row: Plain) -> Plain:
    advised = "; ".join(
        f"{cut(each['name'])} ({figure(each['score'])})" for each in row["items"]
    )
    return {**row, "advised": advised}


def _proof(result: Plain) -> str:
    proof = result["proof"]
    return (
        f"Risk {proof['primal']:.6g}; no factorisation of any rank below "
        f"{proof['dual']:.6g}. Relative gap {proof['relative_gap']:.1e}. The strength "
        f"of the penalty is {figure(result['strength'])}, the number of factors "
        f"{result['n_factors']}."
    )
