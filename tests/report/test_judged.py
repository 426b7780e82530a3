"""Runs are compared by the number of their own task; labels are drawn worst first."""

import pytest

from infimum.report.figures import described, label_errors
from infimum.report.judged import judged, proved, question


def result(goal, metrics, intervals, bound=None, **more):
    return {
        "goal": goal,
        "classes": [],
        "criterion": {"quantile": None, "alarm_rate": 0.05},
        "data": {"target": "y"},
        "exam": {
            "metrics": metrics,
            "bound": bound or {},
            "curves": {"intervals": intervals},
        },
        **more,
    }


@pytest.mark.parametrize(
    "goal, metric",
    [
        ("regression", "rmse"),
        ("quantile", "pinball"),
        ("counts", "deviance"),
        ("ordinal", "distance"),
        ("multilabel", "hamming"),
    ],
)
def test_each_task_has_its_number(goal, metric):
    told = judged(result(goal, {"rmse": 9.0, metric: 0.5}, {metric: [0.4, 0.6]}))
    assert told.value == 0.5
    assert told.ends == (0.4, 0.6)


def test_a_detector_is_judged_by_what_it_missed():
    told = judged(result("novelty", {"caught": 0.75}, {"caught": [0.5, 0.875]}))
    assert (told.value, told.ends) == (0.25, (0.125, 0.5))
    assert told.words() == "imitations missed 25.0\u00a0%"
    assert question(result("novelty", {}, {})) != question(result("counts", {}, {}))


def test_what_is_proved_is_said_for_every_task():
    assert proved({"promised": 0.05})[0] == "false alarms at most 5.0\u00a0%"
    assert proved({"labels": [{"upper": 0.1}, {"upper": 0.3}]})[1] == 0.3
    assert proved({"upper": 0.2})[1] == 0.2
    assert proved({"limit": None})[0] == "nothing"


def test_the_worst_label_is_drawn_on_top_and_told_in_words():
    labels = [
        {"label": name, "upper": up, "low": 0.0, "high": up, "estimate": up / 2}
        | {"share": 0.7}
        for name, up in (("hot", 0.4), ("wet", 0.8))
    ]
    drawn = label_errors(result("multilabel", {}, {}, {"labels": labels}))
    assert drawn["layout"]["yaxis"]["ticktext"] == ["hot", "wet"]
    guessed, wrong = drawn["data"]
    assert guessed["x"] == pytest.approx([0.3, 0.3])
    assert wrong["x"] == [0.2, 0.4]
    assert "wrong answers, 2 values" in described(drawn)
