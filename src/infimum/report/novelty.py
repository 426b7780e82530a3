"""Sentences of the report about a detector: its promise, and the strangest rows."""

from typing import Any

from infimum.evaluation import clopper_pearson
from infimum.report.endings import ending
from infimum.report.findings import span
from infimum.report.numbers import count, figure, percent

__all__ = ["novelty_answer", "novelty_tiles", "strange_rows", "strange_title"]

Plain = dict[str, Any]

#: A share of the way to a familiar row that is not worth a word.
_HARDLY = 0.01


def novelty_answer(result: Plain) -> list[str]:
    """Return the answer in sentences: what is watched, the promise, who stands out."""
    data, choice, exam = result["data"], result["choice"], result["exam"]
    bound, metrics = exam["bound"], exam["metrics"]
    low, high = exam["curves"]["intervals"]["caught"]
    learned = (
        f"From {count(data['train_rows'])} rows of {data['source']}, a detector "
        f"({choice['label']}) learned what is familiar."
    )
    promised = (
        f"A new row that comes like these is flagged with a chance of at most "
        f"{percent(bound['promised'])}, whatever their distribution; of "
        f"{count(exam['rows'])} rows it had never seen it flagged "
        f"{count(bound['alarms'])}, so with {percent(bound['confidence'], 0)} "
        f"confidence the true rate is {span(bound['low'], bound['high'], share=True)}."
    )
    caught = (
        f"Of rows imitated column by column it flags {percent(metrics['caught'])} "
        f"({span(low, high, share=True)})."
    )
    return [learned, promised, caught, *_first(result), *ending(result)]


def novelty_tiles(result: Plain) -> list[dict[str, str]]:
    """Return the few numbers that matter, each with what it means."""
    exam = result["exam"]
    bound, metrics = exam["bound"], exam["metrics"]
    low, high = exam["curves"]["intervals"]["caught"]
    return [
        {
            "value": f"≤ {percent(bound['promised'])}",
            "name": "false alarms, promised",
            "note": f"by {count(bound['calibration_rows'])} rows kept for that",
        },
        {
            "value": percent(metrics["alarm_rate"]),
            "name": "alarms on test rows",
            "note": f"{span(bound['low'], bound['high'], share=True)}, 95 % sure",
        },
        {
            "value": percent(metrics["caught"]),
            "name": "imitated rows flagged",
            "note": f"{span(low, high, share=True)}, 95 % sure",
        },
        {
            "value": count(sum(column["used"] for column in result["data"]["columns"])),
            "name": "columns looked at",
            "note": result["choice"]["label"],
        },
    ]


def strange_title(result: Plain) -> str:
    """Say which row is the strangest and how many are as rare as an alarm."""
    rows = strange_rows(result).get("rows")
    if not rows:
        return "The strangest rows are not known"
    return f"The strangest rows, number {count(rows[0]['row'])} first"


def strange_rows(result: Plain) -> Plain:
    """Return the strangest rows with their numbers written, or why there are none."""
    found = (result.get("evidence") or {}).get("strangest")
    if not found:
        return {"reason": "They were not looked for: the run was interrupted."}
    if isinstance(found, dict):
        return found
    rows = [
        {
            **row,
            "score_words": figure(row["score"], 4),
            "p_words": figure(row["p_value"], 2),
            "p_sure": _rarity(row["p_value"], result["exam"]["bound"]),
            "reasons": [
                f"{each['column']} = {each['value']} ({percent(each['share'], 0)})"
                for each in row["columns"]
                if each["share"] >= _HARDLY
            ],
        }
        for row in found
    ]
    return {"rows": rows}


def _rarity(p_value: float, bound: Plain) -> str:
    """Return where the share of rows lies that are at least as strange."""
    kept = bound["calibration_rows"]
    sure = clopper_pearson(round(p_value * (kept + 1)) - 1, kept, 0.95)
    return f"({span(sure.low, sure.high, share=True)})"


def _first(result: Plain) -> list[str]:
    rows = strange_rows(result).get("rows")
    if not rows:
        return []
    why = f", by {rows[0]['reasons'][0]}" if rows[0]["reasons"] else ""
    return [f"The strangest row is number {count(rows[0]['row'])}{why}."]
