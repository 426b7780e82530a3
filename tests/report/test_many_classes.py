"""Sixty classes and long names: the report says what matters, in the room it has."""

from infimum.report.figures import weight_bars
from infimum.report.figures.frame import clipped, short
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
