"""Scores of structured answers: entities, whole sequences, orders of documents."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from infimum.data.spans import spans_of
from infimum.errors import DataError
from infimum.losses import RankingGain
from infimum.parameters import Choice, check_domain, opened, whole

__all__ = [
    "EntityScores",
    "edit_distance_credit",
    "entity_scores",
    "expected_rank_utility",
    "precision_at",
    "reciprocal_rank",
    "sequence_accuracy",
]


class EntityScores(NamedTuple):
    """Precision, recall and F₁ of entities, and how many there are."""

    precision: float
    recall: float
    f1: float
    support: int


def entity_scores(
    y_true: Any, y_pred: Any, *, scheme: str | None = None, average: str = "micro"
) -> EntityScores:
    """Judge entities: right is one whose kind and both of whose ends are right.

    Parameters
    ----------
    y_true, y_pred : lists of lists of labels
    scheme : {"IOB1", "IOB2", "IOBES", "BILOU"} or None
        None reads labels as conlleval does; with a scheme, what breaks its rules is no
        entity.
    average : {"micro", "macro", "weighted"}, default="micro"
        Over all entities; the mean over kinds, plain or by their number.

    Examples
    --------
    >>> entity_scores([["B-PER", "I-PER", "O"]], [["B-PER", "O", "B-LOC"]])
    EntityScores(precision=0.0, recall=0.0, f1=0.0, support=1)
    """
    check_domain(
        "entity_scores: average", average, Choice(("micro", "macro", "weighted"))
    )
    _same_lengths("entity_scores", y_true, y_pred)
    found: list[set[Any]] = [set(), set()]
    for side, each in enumerate((y_true, y_pred)):
        for place, labels in enumerate(each):
            found[side] |= {(place, *span) for span in spans_of(labels, scheme)}
    right, said = found
    if average == "micro":
        return _scores(len(right & said), len(said), len(right))
    groups = (right & said, said, right)
    kinds = sorted({span[1] for span in right | said})
    tables = [
        _scores(*(sum(one[1] == kind for one in group) for group in groups))
        for kind in kinds
    ]
    support = len(right)
    weights = np.array([each.support for each in tables], dtype=np.float64)
    if average == "macro":
        weights = np.ones(len(tables))
    if weights.sum() == 0.0:
        return EntityScores(0.0, 0.0, 0.0, support)
    means = np.average([each[:3] for each in tables], axis=0, weights=weights)
    precision, recall, f1 = (float(mean) for mean in means)
    return EntityScores(precision, recall, f1, support)


def sequence_accuracy(y_true: Any, y_pred: Any) -> float:
    """Return the share of sequences of which every label is right.

    Examples
    --------
    >>> sequence_accuracy([["a", "b"], ["a"]], [["a", "b"], ["b"]])
    0.5
    """
    _same_lengths("sequence_accuracy", y_true, y_pred)
    pairs = zip(y_true, y_pred, strict=True)
    return float(np.mean([list(right) == list(said) for right, said in pairs]))


def edit_distance_credit(y_true: Any, y_pred: Any) -> float:
    """Return the mean of 1 - edit distance/length of the longer, over sequences.

    Insertions, deletions and changes cost 1; two empty sequences agree.

    Examples
    --------
    >>> edit_distance_credit(["kitten"], ["sitting"])
    0.5714285714285714
    """
    if len(y_true) != len(y_pred) or len(y_true) == 0:
        raise DataError("edit_distance_credit needs as many answers as sequences.")
    earned = []
    for right, said in zip(y_true, y_pred, strict=True):
        size = max(len(right), len(said))
        earned.append(1.0 - _edits(list(right), list(said)) / size if size else 1.0)
    return float(np.mean(earned))


def reciprocal_rank(y_true: Any, y_score: Any) -> float:
    """Return 1/rank of the best placed document of the highest relevance.

    Examples
    --------
    >>> reciprocal_rank([0, 1, 0], [0.3, 0.2, 0.1])
    0.5
    """
    levels, scores = np.asarray(y_true, float), np.asarray(y_score, float)
    if len(levels) == 0 or levels.max() <= 0:
        raise DataError("reciprocal_rank needs a relevant document.")
    order = np.argsort(-scores, kind="stable")
    return 1.0 / float(1 + np.argmax(levels[order] == levels.max()))


def precision_at(y_true: Any, y_score: Any, n: int) -> float:
    """Return the share of relevant documents among the n highest scores.

    Examples
    --------
    >>> precision_at([1, 0, 1], [0.9, 0.8, 0.1], 2)
    0.5
    """
    check_domain("precision_at: n", n, whole(1, max(len(y_true), 1)))
    order = np.argsort(-np.asarray(y_score, float), kind="stable")[:n]
    return float(np.mean(np.asarray(y_true, float)[order] > 0))


def expected_rank_utility(y_true: Any, y_score: Any, half_life: float = 5.0) -> float:
    """Return the utility to readers who halve every few ranks, 1 for the best order.

    Examples
    --------
    >>> expected_rank_utility([1, 0], [0.9, 0.1])
    1.0
    """
    check_domain("expected_rank_utility: half_life", half_life, opened(1, 1e6))
    return RankingGain("utility", half_life=half_life).measure(y_true, y_score)


def _same_lengths(owner: str, y_true: Any, y_pred: Any) -> None:
    if len(y_true) != len(y_pred) or len(y_true) == 0:
        raise DataError(f"{owner} needs as many answers as sequences, and one or more.")
    for place, (right, said) in enumerate(zip(y_true, y_pred, strict=True)):
        if len(right) != len(said):
            raise DataError(
                f"{owner}: sequence {place} has {len(right)} labels and {len(said)} "
                "answers."
            )


def _scores(both: int, said: int, right: int) -> EntityScores:
    precision, recall = both / said if said else 0.0, both / right if right else 0.0
    total = precision + recall
    f1 = 2.0 * precision * recall / total if total else 0.0
    return EntityScores(precision, recall, f1, right)


def _edits(a: list[Any], b: list[Any]) -> float:
    from infimum.compiled.texts.edit_distance import edit_distance

    numbers: dict[Any, int] = {}
    codes = [
        np.array(
            [numbers.setdefault(one, len(numbers)) for one in side], dtype=np.int64
        )
        for side in (a, b)
    ]
    return float(edit_distance(codes[0], codes[1], 1.0, 1.0))
