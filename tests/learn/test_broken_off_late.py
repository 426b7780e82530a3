"""What breaks off after the race costs nothing that was finished."""

import signal

import numpy as np
import pytest

import infimum
from infimum.errors import DataError
from infimum.learn import job
from infimum.learn.compare import contenders as shelf
from infimum.learn.compare import race, runners
from infimum.learn.evidence import gathering
from infimum.learn.journal import Journal
from infimum.learn.result import TOO_SLOW
from infimum.report import render

WHOLE = {"model.infimum", "result.json", "report.html"}


@pytest.fixture(autouse=True)
def a_terminal():
    """Listen to Ctrl-C as on a terminal: jobs in the background are started deaf."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(autouse=True)
def three(monkeypatch):
    monkeypatch.setattr(job, "classifiers", lambda: shelf.classifiers()[:3])
    monkeypatch.setattr(job, "warm", lambda *_: None)


@pytest.fixture
def sections(monkeypatch):
    """Count who is asked, and let the second section be broken off."""
    asked = []

    def first(case, found):
        asked.append("first")
        return {"finding": 1.5}

    def second(case, found):
        asked.append("second")
        if asked.count("second") == 1:
            signal.raise_signal(signal.SIGINT)
        return {"finding": found["first"]["finding"] + 1}

    kept = {"first": first, "second": second}
    monkeypatch.setattr(gathering, "SECTIONS", kept)
    return asked


def names(folder):
    return {entry.name for entry in folder.iterdir()}


def test_ctrl_c_while_evidence_is_gathered_reports_what_is_finished(
    binary_table, sections, tmp_path
):
    out = tmp_path / "run"
    broken = infimum.learn(binary_table, "verdict", out=out, budget=1e4, render=render)
    assert broken.ended == "finished"
    assert broken.evidence["first"] == {"finding": 1.5}
    assert "--resume" in broken.evidence["second"]["reason"]
    assert "Gathering evidence was interrupted" in broken.warnings[-1]
    assert names(out) == {*WHOLE, "journal"}
    whole = infimum.learn(
        binary_table, "verdict", out=out, budget=1e4, render=render, resume=True
    )
    assert sections == ["first", "second", "second"]
    assert whole.evidence["second"] == {"finding": 2.5}
    assert (whole.choice, whole.exam) == (broken.choice, broken.exam)
    assert names(out) == WHOLE


def test_an_error_after_the_race_leaves_the_journal(
    binary_table, tmp_path, monkeypatch
):
    out = tmp_path / "run"

    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("infimum.learn.run_directory.save", full)
        with pytest.raises(DataError, match="No space left") as caught:
            infimum.learn(binary_table, "verdict", out=out, budget=1e4)
    assert "with --resume goes on" in caught.value.__notes__[0]
    assert names(out) == {"journal"}
    turns = []
    monkeypatch.setattr(runners.Here, "start", lambda *given: turns.append(given))
    resumed = infimum.learn(binary_table, "verdict", out=out, budget=1e4, resume=True)
    assert turns == []
    assert resumed.ended == "finished"


def test_ctrl_c_in_the_race_can_be_resumed_too(binary_table, tmp_path, monkeypatch):
    out = tmp_path / "run"
    monkeypatch.setattr(job, "gather", lambda *_, **__: {})

    def press(step):
        if step.stage == "race" and step.done == 8:
            signal.raise_signal(signal.SIGINT)

    broken = infimum.learn(binary_table, "verdict", out=out, budget=1e4, progress=press)
    assert broken.ended == "interrupted"
    assert "The run was interrupted" in broken.warnings[-1]
    resumed = infimum.learn(binary_table, "verdict", out=out, budget=1e4, resume=True)
    whole = infimum.learn(binary_table, "verdict", budget=1e4)
    assert resumed.ended == "finished"
    assert (resumed.choice, resumed.exam) == (whole.choice, whole.exam)


def test_ctrl_c_while_proving_costs_the_proofs_of_the_others_only(binary_table):
    pressed = []

    def press(step):
        if step.stage == "prove" and step.done == 1 and not pressed:
            pressed.append(step)
            signal.raise_signal(signal.SIGINT)

    result = infimum.learn(binary_table, "verdict", budget=1e4, progress=press)
    assert pressed
    assert [contender.proof for contender in result.contenders] == [None] * len(
        result.contenders
    )
    assert result.exam.rows == 32


def test_options_of_another_run_do_not_cost_the_journal(binary_table, tmp_path):
    out = tmp_path / "run"
    with pytest.raises(ZeroDivisionError):
        infimum.learn(binary_table, "verdict", out=out, progress=fail_at(6))
    with pytest.raises(DataError, match="another seed") as caught:
        infimum.learn(binary_table, "verdict", out=out, resume=True, seed=1)
    assert not hasattr(caught.value, "__notes__")
    assert names(out) == {"journal"}


def fail_at(done):
    def progress(step):
        if step.stage == "race" and step.done == done:
            raise ZeroDivisionError

    return progress


def test_who_was_too_slow_before_is_so_after(binary_table, tmp_path, monkeypatch):
    """A resumed run does not ask the clock again about what was decided."""
    out = tmp_path / "run"
    monkeypatch.setattr(job, "gather", lambda *_, **__: {})

    monkeypatch.setattr(race, "_ALWAYS", 2)

    def late(_, tally, *others):
        return tally.contender.name == "logistic-l1"

    with monkeypatch.context() as patch:
        patch.setattr(race._Track, "_will_be_late", late)
        whole = infimum.learn(binary_table, "verdict", budget=1e4)
        with pytest.raises(ZeroDivisionError):
            infimum.learn(
                binary_table, "verdict", out=out, budget=1e4, progress=fail_at(7)
            )
    resumed = infimum.learn(binary_table, "verdict", out=out, budget=1e4, resume=True)
    assert (resumed.choice, resumed.exam) == (whole.choice, whole.exam)
    assert [w for w in resumed.warnings if TOO_SLOW in w] == [
        f"Left out, {TOO_SLOW}: Logistic lasso."
    ]


@pytest.mark.parametrize("late", [True, False])
def test_whether_there_was_time_for_a_blend_is_not_asked_again(
    binary_table, tmp_path, monkeypatch, late
):
    out = tmp_path / "run"
    monkeypatch.setattr(job, "gather", lambda *_, **__: {})
    monkeypatch.setattr("infimum.learn.choose.blending.Blend.pays", True)
    shares = np.array([0.75, 0.25])
    monkeypatch.setattr(
        "infimum.learn.choose.blending._Mixer.shares", lambda *_: shares
    )

    def broken(*args, **kwargs):
        raise ZeroDivisionError

    def expecting(seconds):
        return lambda *_: seconds

    given = {"out": out, "budget": 1e4}
    with monkeypatch.context() as patch:
        patch.setattr("infimum.learn.choose.verdict._expected", expecting(late * 1e9))
        patch.setattr(job, "examine", broken)
        with pytest.raises(ZeroDivisionError):
            infimum.learn(binary_table, "verdict", **given)
    monkeypatch.setattr(
        "infimum.learn.choose.verdict._expected", expecting((not late) * 1e9)
    )
    resumed = infimum.learn(binary_table, "verdict", **given, resume=True)
    assert resumed.blend["taken"] is not late
    assert resumed.blend["reason"] == ("time" if late else "")


def test_more_time_gives_the_slow_another_chance(tmp_path):
    short = Journal(tmp_path / "run", budget=10.0)
    short.open({})
    short.note("slow", {"reason": TOO_SLOW})
    for budget, told in (
        (10.0, {"reason": TOO_SLOW}),
        (5.0, {"reason": TOO_SLOW}),
        (20.0, None),
    ):
        again = Journal(tmp_path / "run", resume=True, budget=budget)
        assert again.noted("slow") == told


def test_a_race_that_was_over_is_not_run_on(binary_table, tmp_path, monkeypatch):
    """Replaying takes less time than racing did, and must not be used to race on."""
    out = tmp_path / "run"
    monkeypatch.setattr(job, "gather", lambda *_, **__: {})
    budget = 1e-6

    def broken(*args, **kwargs):
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr(job, "examine", broken)
        with pytest.raises(ZeroDivisionError):
            infimum.learn(binary_table, "verdict", out=out, budget=budget)
    monkeypatch.setattr(race._Track, "end", np.inf)
    resumed = infimum.learn(
        binary_table, "verdict", out=out, budget=budget, resume=True
    )
    assert {contender.folds for contender in resumed.contenders} == {1}
    assert resumed.ended == "budget"
