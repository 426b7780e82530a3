"""Scores of structures: those of seqeval, and of definitions written out."""

import numpy as np
import pytest
from seqeval.metrics import f1_score, precision_score, recall_score
from seqeval.scheme import BILOU, IOB2, IOBES

from infimum.data.spans import (
    SCHEMES,
    Span,
    labels_of,
    read_conll,
    read_markup,
    spans_of,
)
from infimum.errors import DataError, InvalidParameterError
from infimum.evaluation import (
    edit_distance_credit,
    entity_scores,
    expected_rank_utility,
    precision_at,
    reciprocal_rank,
    sequence_accuracy,
)

KINDS = ("PER", "LOC")


def rows(letters, seed, n=60):
    rng = np.random.default_rng(seed)
    every = ["O"] + [f"{a}-{kind}" for a in letters for kind in KINDS]
    return [list(rng.choice(every, rng.integers(1, 9))) for _ in range(n)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
@pytest.mark.parametrize("letters", ["BI", "BIES"])
def test_entities_are_those_of_conlleval(letters, average):
    right, said = rows(letters, 0), rows(letters, 0)
    rng = np.random.default_rng(1)
    said = [[t if rng.random() < 0.8 else "O" for t in each] for each in said]
    found = entity_scores(right, said, average=average)
    for score, peer in zip(
        found, (precision_score, recall_score, f1_score), strict=False
    ):
        assert score == pytest.approx(peer(right, said, average=average))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("letters", "scheme", "kind"),
    [("BI", "IOB2", IOB2), ("BIES", "IOBES", IOBES), ("BILU", "BILOU", BILOU)],
)
def test_strict_entities_are_those_of_seqeval(letters, scheme, kind):
    right, said = rows(letters, 2), rows(letters, 2)
    rng = np.random.default_rng(3)
    said = [[t if rng.random() < 0.8 else "O" for t in each] for each in said]
    found = entity_scores(right, said, scheme=scheme)
    peer = f1_score(right, said, mode="strict", scheme=kind)
    assert found.f1 == pytest.approx(peer)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_spans_become_labels_and_labels_spans(scheme):
    rng = np.random.default_rng(4)
    for _ in range(50):
        cuts = np.sort(rng.choice(12, 6, replace=False))
        spans = [
            Span(KINDS[rng.integers(2)], int(a), int(b))
            for a, b in zip(cuts[::2], cuts[1::2], strict=True)
        ]
        labels = labels_of(spans, 12, scheme)
        assert spans_of(labels, scheme, strict=True) == spans


def test_rules_are_kept_where_one_asks_for_it():
    assert spans_of(["I-PER", "O"]) == [Span("PER", 0, 1)]
    assert spans_of(["I-PER", "O"], "IOB2") == []
    with pytest.raises(DataError, match="'I-PER' at token 0 breaks the rules of IOB2"):
        spans_of(["I-PER", "O"], "IOB2", strict=True)
    with pytest.raises(InvalidParameterError, match="scheme"):
        spans_of(["O"], "XYZ")
    with pytest.raises(DataError, match="overlaps"):
        labels_of([Span("A", 0, 2), Span("A", 1, 3)], 3)


def test_texts_are_read():
    words, labels = read_conll("-DOCSTART- O\n\nAnn B-PER\n\n\nran O\n")
    assert (words, labels) == ([["Ann"], ["ran"]], [["B-PER"], ["O"]])
    with pytest.raises(DataError, match="line 1 has too few columns"):
        read_conll("Ann", columns=(0, 3))
    words, spans = read_markup('See <ORG="x">Big <LOC="y">Rome</LOC> Inc</ORG>.')
    assert spans == [Span("LOC", 2, 3), Span("ORG", 1, 4)]
    for bad in ("<A>x", "x</A>", "<A>x</B>"):
        with pytest.raises(DataError, match="read_markup"):
            read_markup(bad)


def test_whole_sequences_and_edits():
    right = [["a", "b"], ["a"], ["b"]]
    assert sequence_accuracy(right, right) == 1.0
    assert sequence_accuracy(right, [["a", "b"], ["b"], ["a"]]) == pytest.approx(1 / 3)
    assert edit_distance_credit(right, right) == 1.0
    assert edit_distance_credit([[]], [[]]) == 1.0
    assert edit_distance_credit([["a"]], [[]]) == 0.0
    # One letter too many in seven is worth 6/7 (insertions count one).
    assert edit_distance_credit(["letters"], ["letter"]) == pytest.approx(6 / 7)
    with pytest.raises(DataError, match="2 labels and 1 answers"):
        sequence_accuracy(right, [["a"], ["a"], ["b"]])


def test_orders_of_documents():
    relevance, scores = [0, 2, 1, 0], [0.4, 0.3, 0.2, 0.1]
    assert reciprocal_rank(relevance, scores) == 0.5
    assert precision_at(relevance, scores, 3) == pytest.approx(2 / 3)
    # Readers halve every four ranks: utilities of ranks 2 and 3, over the best order's.
    halves = 2.0 ** (-np.arange(4) / 4)
    best = 2 * halves[0] + halves[1]
    told = (2 * halves[1] + halves[2]) / best
    assert expected_rank_utility(relevance, scores) == pytest.approx(told)
    with pytest.raises(DataError, match="relevant"):
        reciprocal_rank([0, 0], [1, 2])
