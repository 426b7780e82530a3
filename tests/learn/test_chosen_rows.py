"""Rows that somebody asks about: explained, turned round, and honestly promised."""

import numpy as np
import polars as pl
import pytest

import infimum
from infimum.errors import DataError, IncompatibleError, InvalidParameterError
from infimum.learn import job
from infimum.learn import labels as running
from infimum.learn.compare import contenders as shelf
from infimum.learn.evidence import gathering
from infimum.learn.folds import split_off_test
from infimum.learn.problem import pose
from infimum.persistence import read_extra


@pytest.fixture(scope="module", autouse=True)
def few():
    """Race few contenders, and gather nothing but the rows asked about."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("classifiers", "regressors"):
            full = getattr(shelf, name)
            patch.setattr(job, name, lambda *given, full=full: full(*given)[:2])
        patch.setattr(job, "warm", lambda *_: None)
        patch.setattr(gathering, "SECTIONS", {})
        patch.setattr(running, "_SECTIONS", {})
        yield


@pytest.fixture(scope="module")
def table(rows):
    hot = pl.col("signal") > 0
    verdict = pl.when(pl.int_range(pl.len()) == 5).then(None).otherwise("verdict")
    return rows.select(
        "size",
        "noise",
        "colour",
        "signal",
        verdict=verdict,
        hot=hot.cast(int),
        loud=(pl.col("noise") > 0).cast(int),
    )


@pytest.fixture(scope="module")
def parts(table):
    """Return the numbers of a training row and of a test row."""
    problem = pose(table.drop("signal", "hot", "loud"), "verdict")
    split = split_off_test(problem, 0)
    return int(problem.numbers[split.train[0]]), int(
        problem.numbers[split.held_back[0]]
    )


@pytest.fixture(scope="module")
def told(table, parts):
    result = infimum.learn(
        table.drop("signal", "hot", "loud"),
        "verdict",
        budget=1e4,
        explain_row=[*parts, 6],
    )
    return result, result.evidence["chosen"]["rows"]


def test_rows_are_named_as_the_data_counts_them(told, parts, table):
    _, rows = told
    assert [row["row"] for row in rows] == [*parts, 6]
    assert [row["part"] for row in rows] == ["training", "test", "no target"]
    truths = [row["answers"][0]["truth"] for row in rows]
    assert truths == [table["verdict"][number - 1] for number in (*parts, 6)]


def test_answers_are_those_of_the_model(told, table):
    result, rows = told
    for row in rows:
        (answer,) = row["answers"]
        here = table[[row["row"] - 1]]
        assert answer["answer"] == result.model.predict(here)[0]
        likely = dict(
            zip(("no", "yes"), result.model.predict_proba(here)[0], strict=True)
        )
        assert answer["chances"] == pytest.approx(likely)


def test_shares_add_up_to_the_answer_about_the_row(told):
    for row in told[1]:
        shapley = row["answers"][0]["shapley"]
        total = shapley["base"] + sum(each["share"] for each in shapley["shares"])
        assert total == pytest.approx(shapley["answer"])


def test_of_many_classes_the_one_that_is_answered_is_explained(table):
    third = pl.col("signal").rank("ordinal") * 3 // (pl.len() + 1)
    thirds = third.replace_strict([0, 1, 2], ["low", "middle", "high"])
    numbers = table.with_columns(third=thirds).drop("verdict", "hot", "loud", "signal")
    result = infimum.learn(numbers, "third", budget=1e4, explain_row=[1, 2, 3, 4, 5])
    rows = [row["answers"][0] for row in result.evidence["chosen"]["rows"]]
    assert len({row["answer"] for row in rows}) > 1
    for row in rows:
        assert f"“{row['answer']}”" in row["shapley"]["of"]


def test_the_counterfactual_really_turns_the_answer(told, table):
    result, rows = told
    for row in rows:
        turned = row["answers"][0]["counterfactual"]
        assert turned["found"]
        here = table[[row["row"] - 1]].with_columns(
            pl.lit(each["after"])
            .cast(table[each["column"]].dtype)
            .alias(each["column"])
            for each in turned["changes"]
        )
        assert result.model.predict(here)[0] == turned["after"]
        assert turned["after"] != row["answers"][0]["answer"]


def test_nothing_is_promised_about_a_row_that_was_learned_from(told):
    learned, unseen, unlabelled = (row["answers"][0]["sure"] for row in told[1])
    assert "learned from this very row" in learned["reason"]
    for sure in (unseen, unlabelled):
        assert sure["kind"] == "set"
        assert set(sure["labels"]) <= {"no", "yes"}
        assert sure["promised"] >= 0.9


def test_a_model_of_numbers_answers_with_an_interval(table):
    numbers = table.drop("verdict", "hot", "loud")
    result = infimum.learn(numbers, "signal", budget=1e4, explain_row=list(range(1, 9)))
    rows = result.evidence["chosen"]["rows"]
    unseen = [row["answers"][0] for row in rows if row["part"] == "test"]
    assert unseen
    for answer in unseen:
        assert answer["sure"]["low"] < answer["answer"] < answer["sure"]["high"]
        turned, middle = answer["counterfactual"], answer["counterfactual"]["wanted"]
        if turned["found"]:
            assert (answer["answer"] > middle) == (turned["after"] <= middle)
    plain = result.to_plain()
    assert plain["options"]["explain_row"] == list(range(1, 9))


def test_several_targets_are_explained_label_by_label(table):
    labels = table.drop("verdict", "signal")
    result = infimum.learn(labels, "hot,loud", budget=1e4, explain_row=3)
    (row,) = result.evidence["chosen"]["rows"]
    assert [answer["of"] for answer in row["answers"]] == ["hot", "loud"]
    here = table[[2]]
    said = result.model.predict(here)[0]
    assert [answer["answer"] for answer in row["answers"]] == [str(v) for v in said]
    assert [answer["truth"] for answer in row["answers"]] == [
        str(table["hot"][2]),
        str(table["loud"][2]),
    ]
    assert row["answers"][0]["shapley"]["of"] == "probability of “hot”"


def test_the_rows_asked_about_do_not_change_the_model_file(table, tmp_path):
    given = table.drop("signal", "hot", "loud")
    run = infimum.learn(
        given, "verdict", budget=1e-6, explain_row=2, out=tmp_path / "run"
    )
    assert "explain_row" not in read_extra(run.out / "model.infimum")["options"]


@pytest.mark.parametrize(
    ("number", "error", "message"),
    [
        (0, InvalidParameterError, "counted from 1, got 0"),
        (-2, InvalidParameterError, "counted from 1, got -2"),
        (2.5, InvalidParameterError, "got 2.5"),
        (True, InvalidParameterError, "got True"),
        (161, DataError, "has 160 rows, so there is no row 161"),
    ],
)
def test_rows_that_there_are_none_of(table, number, error, message):
    with pytest.raises(error, match=message):
        infimum.learn(table, "verdict", explain_row=number)


def test_detectors_choose_their_rows_themselves(table):
    with pytest.raises(IncompatibleError, match="explains the strangest rows"):
        infimum.learn(table, task="novelty", explain_row=1)


def test_rows_of_sparse_data_are_explained_without_turning_them(tmp_path):
    rng = np.random.default_rng(0)
    lines = [
        f"{'+1' if (a := rng.normal()) > 0 else '-1'} 1:{a:.3f} 2:{rng.normal():.3f}"
        for _ in range(120)
    ]
    path = tmp_path / "t.svm"
    path.write_text("\n".join(lines) + "\n")
    (row,) = infimum.learn(path, budget=1e4, explain_row=4).evidence["chosen"]["rows"]
    (answer,) = row["answers"]
    assert "not changed one by one" in answer["counterfactual"]["reason"]
    assert answer["shapley"]["shares"][0]["column"]
