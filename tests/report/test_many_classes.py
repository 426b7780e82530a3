"""Sixty classes and long names: the report says what matters, in the room it has."""

import numpy as np
import pytest

from infimum.evaluation.scoring import Predictions
from infimum.learn.final_test import _roc_curves
from infimum.report.figures import column_importance, rates_by_group, weight_bars
from infimum.report.figures.frame import clipped, short
from infimum.report.names import isolated, quoted
from infimum.report.tables import confusion


def result(classes=60):
    names = [f"class {k}" for k in range(classes)]
    counts = [[5 * (i == j) for j in range(classes)] for i in range(classes)]
    counts[3][7] = 4
    return {"classes": names, "exam": {"curves": {"confusion": counts}}}


def test_few_classes_are_shown_as_a_matrix():
    assert len(confusion(result(12))["rows"]) == 12


def test_many_classes_are_told_by_their_mistakes():
    told = confusion(result(60))
    assert told["kinds"] == 1
    (mistake,) = told["mistakes"]
    assert (mistake["truth"], mistake["said"]) == ("class 3", "class 7")
    assert (mistake["count"], mistake["of"]) == (4, 9)
    # Clopper and Pearson's interval of 4 in 9.
    assert mistake["share"] == "14 to 79\u00a0%"


@pytest.mark.parametrize(
    ("times", "share"),
    [
        (1, "14 to 79\u00a0%"),
        (10**4, "44.1 to 44.8\u00a0%"),
        (10**6, "44.41 to 44.48\u00a0%"),
    ],
)
def test_the_ends_of_an_interval_of_many_rows_differ_as_they_are_written(times, share):
    counts = [[5 * times, 4 * times], [0, 1]]
    told = {"classes": ["a", "b"], "exam": {"curves": {"confusion": counts}}}
    assert confusion(told)["rows"][0]["cells"][1]["share"] == share


def test_of_many_classes_a_feature_has_one_bar_where_it_counts_most():
    values = [0.1 * k for k in range(59)] + [-9.0]
    told = {
        **result(60),
        "coefficients": [{"feature": "size", "values": values, "path": []}],
        "evidence": {
            "weights": {"features": [{"feature": "size", "errors": [0.5] * 60}]}
        },
    }
    (bars,) = weight_bars(told)["data"]
    assert bars["x"] == [-9.0]
    assert bars["customdata"] == ["class 59: size"]
    assert bars["error_x"]["array"] == [1.0]


def test_a_long_name_takes_two_lines_and_marks_what_is_cut():
    assert short("size", 10) == "size"
    assert short("the size of it", 10) == "the size<br>of it"
    assert short("a<b and a very long rest", 10) == "a&lt;b and a<br>…long rest"
    assert short("x" * 30, 10) == "x" * 10 + "<br>…" + "x" * 9


def test_a_name_of_one_line_is_cut_in_its_middle():
    assert clipped("size", 10) == "size"
    assert clipped("consumption, part 1", 11) == "consu…art 1"
    assert len(clipped("x" * 40, 30)) == 30


def test_figures_of_long_lists_show_what_fits_one_screen():
    names = [
        f"a feature with a name that is rather long, number {k}" for k in range(60)
    ]
    told = {
        **result(8),
        "coefficients": [
            {"feature": name, "values": [1.0, 2.0, 3.0], "path": []} for name in names
        ],
        "evidence": {
            "importance": {
                "score": "accuracy",
                "columns": [{"column": n, "drop": 0.1, "error": 0.01} for n in names],
            }
        },
    }
    bars, dots = weight_bars(told), column_importance(told["evidence"])
    for figure in (bars, dots):
        assert 5 <= len(figure["data"][0]["y"]) < 20
        assert figure["layout"]["height"] <= 560


def test_of_many_classes_the_curves_of_the_worst_ranked_are_drawn(rng):
    classes = np.arange(12)
    y = np.tile(classes, 20)
    # The last four are ranked without a mistake.
    noise = np.repeat([3.0, 0.0], [8, 4]) * rng.normal(size=(240, 12))
    said = Predictions(y, (y[:, None] == classes) + noise, None)
    drawn = _roc_curves(y, said, classes)
    assert [curve["label"] for curve in drawn] == [str(k) for k in range(8)]
    turned = Predictions(y, (y[:, None] == classes) + noise[:, ::-1], None)
    drawn = _roc_curves(y, turned, classes)
    assert [curve["label"] for curve in drawn] == [str(k) for k in range(4, 12)]


@pytest.mark.parametrize("count", [6, 12])
def test_rates_of_many_groups_fit_one_screen(count):
    rate = {"value": 0.5, "low": 0.4, "high": 0.6}
    rates = dict.fromkeys(
        (
            "base rate",
            "selection rate",
            "true positive rate",
            "false positive rate",
            "positive predictive value",
            "false omission rate",
            "error rate",
        ),
        rate,
    )
    groups = [{"name": f"group {k}", "n": 50, "rates": rates} for k in range(count)]
    drawn = rates_by_group({"groups": groups})
    assert drawn["layout"]["height"] <= 560
    assert len({trace["marker"]["symbol"] for trace in drawn["data"]}) == 6


def test_words_from_right_to_left_are_marked_off():
    told = isolated("Row 17, גיל החולה: 3.2")
    assert told == "Row 17, \u2068גיל החולה\u2069: 3.2"
    assert isolated("plain 3.2") == "plain 3.2"
    assert len(quoted("x" * 200)) == 62
