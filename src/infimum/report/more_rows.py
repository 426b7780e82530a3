"""Whether more rows would help, and what earlier moments have shown: the sentences."""

from typing import Any

from infimum.report.numbers import count, figure, percent

__all__ = ["curve_words", "cutoff_words"]

Plain = dict[str, Any]


def curve_words(result: Plain) -> Plain | None:
    """Return title and sentence about the learning curve; None without one.

    Examples
    --------
    >>> told = {"points": [1], "score": "AUC", "gain": 0.02, "error": 0.004}
    >>> told |= {"from_rows": 500, "greater_is_better": True}
    >>> result = {"data": {"train_rows": 1000}, "evidence": {"learning_curve": told}}
    >>> print(curve_words(result)["title"])
    More rows would probably help
    """
    told = (result.get("evidence") or {}).get("learning_curve")
    if not told:
        return None
    if "points" not in told:
        return {"title": "Whether more rows would help is not known", **_why(told)}
    gain, twice = told["gain"], 2 * (told["error"] or 0.0)
    if gain > twice:
        title = "More rows would probably help"
    elif gain < -twice:
        title = "More rows did not help: from fewer it had learned to answer better"
    else:
        title = "Whether more rows would help cannot be told from these"
    better = "improved" if gain >= 0 else "worsened"
    some, every = count(told["from_rows"]), count(result["data"]["train_rows"])
    return {
        "title": title,
        "words": (
            f"From {some} to all {every} training rows, {told['score']} on the test "
            f"rows {better} by {figure(abs(gain), 2)} ± {figure(twice, 2)} (two "
            "standard errors)."
        ),
    }


def cutoff_words(result: Plain) -> Plain | None:
    """Return title, sentence and rows about earlier cut-offs; None without time."""
    told = (result.get("evidence") or {}).get("cutoffs")
    if not told:
        return None
    if "rows" not in told:
        return {"title": "Earlier moments are not known", "rows": [], **_why(told)}
    promised, many = percent(told["promised"], 0), len(told["rows"])
    least, most = percent(told["least"], 0), percent(told["most"], 0)
    held = least if many == 1 else f"{least} to {most}"
    when = "At an earlier moment" if many == 1 else f"At {many} earlier moments"
    what = "intervals" if told["kind"] == "intervals" else "sets of labels"
    return {
        "title": f"{when}, {promised} {what} held {held} of what came",
        "words": (
            "They were set on the rows before each moment and used on the rows after "
            "it, as they will be used from now on. Where they held less than "
            f"{promised}, the world drifted, and no bound on this page covers that."
        ),
        "rows": told["rows"],
    }


def _why(told: Plain) -> Plain:
    return {"words": told["reason"]}
