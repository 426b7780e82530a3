"""Sentences of the report about several labels: on average, and label by label."""

from typing import Any

from infimum.evaluation.uncertainty.weighing import share_among
from infimum.report.endings import ending
from infimum.report.findings import span
from infimum.report.intervals import ends_of
from infimum.report.names import quoted
from infimum.report.numbers import count, figure, percent

__all__ = ["label_rows", "labels_title", "multilabel_answer", "multilabel_tiles"]

Plain = dict[str, Any]


def multilabel_answer(result: Plain) -> list[str]:
    """Return the answer in sentences: what was learned, how good, how sure."""
    data, choice, exam = result["data"], result["choice"], result["exam"]
    metrics, bound = exam["metrics"], exam["bound"]
    names = result["classes"]
    learned = (
        f"From {count(data['train_rows'])} rows of {data['source']}, a model for each "
        f"of {len(names)} labels ({choice['label']}) learned to predict "
        f"{', '.join(names[:-1])} and {names[-1]}."
    )
    quality = (
        f"On {count(exam['rows'])} rows it had never seen it is wrong in "
        f"{percent(metrics['hamming'])}{_sure(result, 'hamming', share=True)} of the "
        f"answers, where always giving each label's usual answer has "
        f"{percent(metrics['baseline_hamming'])}"
        f"{_sure(result, 'baseline_hamming', share=True)}; in "
        f"{percent(metrics['all_right'])}"
        f"{_sure(result, 'all_right', share=True)} of the rows all labels are right."
    )
    worst = max(bound["labels"], key=lambda label: label["upper"])
    promised = (
        f"With {percent(bound['confidence'], 0)} confidence, for all labels together, "
        f"no true error rate is above {percent(worst['upper'])}, that of "
        f"“{worst['label']}”."
    )
    proof = result["proof"]
    proved = ["All fits are proved optimal by their duality gaps."]
    told = proved if proof and proof["closed"] else []
    return [learned, quality, promised, *told, *ending(result)]


def multilabel_tiles(result: Plain) -> list[dict[str, str]]:
    """Return the few numbers that matter, each with what it means."""
    metrics = result["exam"]["metrics"]
    return [
        {
            "value": percent(metrics["hamming"]),
            "name": "answers wrong",
            "note": _note(result, "hamming", share=True),
        },
        {
            "value": figure(metrics["macro_f1"]),
            "name": "macro F1",
            "note": _note(result, "macro_f1"),
        },
        {
            "value": percent(metrics["all_right"]),
            "name": "rows with all labels right",
            "note": _note(result, "all_right", share=True),
        },
        {
            "value": figure(metrics["log_loss"]),
            "name": "log-loss a label",
            "note": _note(result, "log_loss"),
        },
    ]


def labels_title(result: Plain) -> str:
    """Say which label is wrong most often, and how surely."""
    worst = max(result["exam"]["bound"]["labels"], key=lambda each: each["estimate"])
    sure = span(worst["low"], worst["high"], share=True)
    return (
        f"Label by label: {quoted(worst['label'])} is wrong most often, in "
        f"{percent(worst['estimate'])} ({sure}) of the rows"
    )


def label_rows(result: Plain) -> list[Plain]:
    """Return the labels with their numbers written."""
    return [
        {
            **label,
            "share_words": percent(label["share"]),
            "share_sure": _share_sure(label, result["exam"]["rows"]),
            "error_words": percent(label["estimate"]),
            "sure": span(label["low"], label["high"], share=True),
            "auc_words": figure(label["auc"]),
            "auc_sure": _ends(label, "auc_interval"),
            "f1_words": figure(label["f1"]),
            "f1_sure": _ends(label, "f1_interval"),
        }
        for label in result["exam"]["bound"]["labels"]
    ]


def _ends(label: Plain, name: str) -> str:
    """Return an interval in brackets; results of earlier days have none."""
    if name not in label or label[name.removesuffix("_interval")] is None:
        return ""
    low, high = label[name] or (None, None)
    # Draws that all agree know nothing of rows that did not come.
    return "(not known)" if low == high else f"({span(low, high)})"


def _share_sure(label: Plain, rows: int) -> str:
    sure = share_among(
        label["share"], label.get("effective_rows", rows), label["confidence"]
    )
    return f"({span(sure.low, sure.high, share=True)})"


def _note(result: Plain, metric: str, *, share: bool = False) -> str:
    ends = ends_of(result, metric)
    if not ends:
        return "how surely is not known"
    return f"{span(*ends, share=share)}, 95 % sure"


def _sure(result: Plain, metric: str, *, share: bool = False) -> str:
    ends = ends_of(result, metric)
    return f" ({span(*ends, share=share)})" if ends else ""
