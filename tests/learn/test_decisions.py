"""What hung on the clock is decided once, and what was given up is told rightly."""

import time
from types import SimpleNamespace

import numpy as np
import pytest

import infimum
from infimum.errors import DataError
from infimum.evaluation.scoring import criterion_for
from infimum.learn import job
from infimum.learn.choose import final_fit
from infimum.learn.choose.final_fit import FinalFit, choose_and_fit
from infimum.learn.choose.refit import Refit
from infimum.learn.choose.rule import standings
from infimum.learn.choose.verdict import identity
from infimum.learn.clock import Clock, TimeUpError
from infimum.learn.compare import contenders as shelf
from infimum.learn.compare.contenders import Contender
from infimum.learn.compare.tally import FoldResult, Tally
from infimum.learn.evidence import gathering
from infimum.learn.evidence.case import TooLateError
from infimum.learn.journal import Decisions, Journal
from infimum.learn.run_directory import recover, write_run
from infimum.models.linear import Ridge

RMSE = criterion_for(np.array([]))


def tally(name, errors, seconds=1.0):
    made = Tally(Contender(name, name.title(), Ridge), "alpha")
    for error in errors:
        told = [{"rmse": error}]
        shown = FoldResult("alpha", (1.0,), [error], [1], told, fits=1, seconds=seconds)
        made.record(0, shown)
    return made


def journal_in(folder, **given):
    journal = Journal(folder / "run", **given)
    journal.open({})
    return journal


def made():
    return "made"


def test_what_was_too_late_stays_so_and_what_was_in_time_is_made_again(tmp_path):
    first = Decisions(journal_in(tmp_path), latest=1e9)
    assert first.in_time("early", made, 1e9) == "made"
    assert first.in_time("late", made, 0.0) is None
    assert first.in_time("slow", made, 1e9, expected=1e10) is None
    assert first.once("asked", lambda: "yes") == "yes"
    again = Decisions(journal_in(tmp_path, resume=True), latest=1e9)
    assert again.in_time("early", made, 0.0) == "made"
    assert again.in_time("late", made, 1e9) is None
    assert again.in_time("slow", made, 1e9) is None
    assert again.once("asked", lambda: "no") == "yes"
    assert again.in_time("new", made, 0.0) is None


def test_work_that_is_not_repeated_has_had_its_time(tmp_path):
    worked = Clock(time.perf_counter() - 12.0)
    Decisions(journal_in(tmp_path, clock=worked)).note("late", False)
    journal = journal_in(tmp_path, resume=True)
    now = time.perf_counter()
    again = Decisions(journal, deadline=now + 100.0, latest=now + 200.0)
    assert again.recalled("late") is False
    assert journal.clock.seconds >= 12.0
    assert again.deadline == pytest.approx(now + 88.0, abs=1.0)
    assert again.latest == pytest.approx(again.deadline + 100.0)


def test_decisions_after_another_race_are_not_repeated(tmp_path):
    ended = standings([tally("one", [1.0, 2.0])])
    went_on = standings([tally("one", [1.0, 2.0, 3.0])])
    Decisions(journal_in(tmp_path), ended).note("late", False)
    journal = journal_in(tmp_path, resume=True)
    assert Decisions(journal, ended).recalled("late") is False
    assert Decisions(journal, went_on).recalled("late") is None


def test_without_a_journal_everything_is_asked_again():
    asked = Decisions()
    assert asked.once("question", lambda: 1) == 1
    assert asked.once("question", lambda: 2) == 2


@pytest.fixture
def fitting(monkeypatch):
    """Let final fits come too late, fail or disappoint, as a table says."""

    def fate_of(table):
        def refit(problem, standing, choice, **given):
            fate = table[standing.tally.contender.name]
            if fate == "late":
                raise TimeUpError
            if isinstance(fate, Exception):
                raise fate
            return Refit(SimpleNamespace(fate=fate), (), ())

        monkeypatch.setattr(final_fit, "refit", refit)

    def disappointment(model, *_):
        return model.fate

    monkeypatch.setattr(final_fit, "disappointment", disappointment)
    monkeypatch.setattr(final_fit, "unsteadiness", lambda *_, **__: "")
    return fate_of


@pytest.fixture
def four():
    errors = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}
    pace = {"a": 64.0, "b": 16.0, "c": 4.0, "d": 1.0}
    return standings([tally(n, [errors[n], errors[n] + 0.1], pace[n]) for n in errors])


def fit(four) -> FinalFit:
    return choose_and_fit(None, four, RMSE)


def test_who_is_late_is_not_listed_among_those_that_disappoint(fitting, four):
    fitting({"a": "late", "b": "so", "c": "so", "d": "so"})
    found = fit(four)
    assert found.choice.name == "b"
    late, alike = (each["reason"] for each in found.replaced)
    assert late.startswith("A was chosen, but could not be fitted to all rows in")
    assert alike == (
        "No final fit is what the race has promised (B, C, D); B, the first of them, "
        "was kept all the same."
    )


def test_who_is_late_after_a_disappointment_is_told_apart(fitting, four):
    fitting({"a": "so", "b": "late", "c": "so", "d": ValueError("Odd.")})
    found = fit(four)
    assert found.choice.name == "a"
    (alike,) = found.refit.warnings
    assert alike == (
        "No final fit is what the race has promised (A, C), and B, D could not be "
        "fitted to all rows; A, the first of them, was kept all the same."
    )


def test_a_fit_that_fails_on_all_rows_leaves_its_place(fitting, four):
    fitting({"a": ZeroDivisionError("division by 0."), "b": "", "c": "", "d": ""})
    found = fit(four)
    assert found.choice.name == "b"
    assert found.replaced[0]["reason"] == (
        "A was chosen, but given up for the next best: it could not be fitted to all "
        "rows (division by 0)."
    )


def test_if_all_fits_fail_the_first_error_is_told(fitting, four):
    fitting({name: DataError(f"Not {name}.") for name in "abcd"})
    with pytest.raises(DataError, match=r"Not a\."):
        fit(four)


@pytest.mark.parametrize("closed, winner", [(None, "a"), (False, "a"), (True, "b")])
def test_only_a_proof_takes_the_place_of_a_fit_without(monkeypatch, closed, winner):
    def refit(problem, standing, choice, **given):
        proofs = {"a": False, "b": closed}
        proof = SimpleNamespace(closed=proofs[standing.tally.contender.name])
        proof = None if proof.closed is None else proof
        return Refit(SimpleNamespace(certificate_=proof), (), ())

    monkeypatch.setattr(final_fit, "refit", refit)
    monkeypatch.setattr(final_fit, "disappointment", lambda *_: "")
    monkeypatch.setattr(final_fit, "unsteadiness", lambda *_, **__: "")
    found = fit(standings([tally("a", [1.0, 1.4]), tally("b", [1.2, 1.3])]))
    assert found.choice.name == winner
    assert len(found.replaced) == (winner == "b")


def test_blends_of_nearly_equal_shares_do_not_share_findings(binary_table):
    choice = SimpleNamespace(name="blend", label="Half", value=0.0, words="shares")
    training = SimpleNamespace(options=SimpleNamespace(explain_row=(), costs={}))
    found = []
    for share, setting in ((0.501, "C = 1"), (0.502, "C = 1"), (0.501, "C = 2")):
        member = {"name": "m", "label": "M", "words": setting, "share": share}
        blend = {"members": [member], "gain": 1.0}
        verdict = SimpleNamespace(choice=choice, blend=blend)
        found.append(repr(identity(verdict, training, 0)))
    assert len(set(found)) == 3
    single = SimpleNamespace(choice=SimpleNamespace(**{**vars(choice), "name": "one"}))
    single.blend = blend
    assert "M" not in identity(single, training, 0)


def test_that_there_was_no_time_for_a_finding_is_not_asked_again(
    binary_table, tmp_path, monkeypatch
):
    asked = []

    def late(case, found):
        asked.append(found)
        raise TooLateError

    monkeypatch.setattr(job, "classifiers", lambda: shelf.classifiers()[:2])
    monkeypatch.setattr(job, "warm", lambda *_: None)
    monkeypatch.setattr(gathering, "SECTIONS", {"late": late})
    given = {"out": tmp_path / "run", "budget": 1e4}

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("infimum.learn.run_directory.save", full)
        with pytest.raises(DataError, match="No space left"):
            infimum.learn(binary_table, "verdict", **given)
    resumed = infimum.learn(binary_table, "verdict", **given, resume=True)
    assert len(asked) == 1
    assert "no time left" in resumed.evidence["late"]["reason"]


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("moves", [0, 1, 2])
def test_a_kill_between_two_moves_costs_neither_run_nor_journal(
    learned, tmp_path, monkeypatch, moves
):
    out = tmp_path / "run[1]"
    write_run(learned, out, None)
    (out / "journal").mkdir()
    (out / "journal" / "run.json").write_text("{}")
    before = (out / "result.json").read_text()
    path, done = type(out), []
    rename = path.rename

    def until(here, there):
        if len(done) >= moves:
            raise Killed
        done.append(there)
        return rename(here, there)

    with monkeypatch.context() as patch:
        patch.setattr(path, "rename", until)
        patch.setattr("infimum.learn.run_directory.shutil.rmtree", lambda *_, **__: 0)
        with pytest.raises(Killed):
            write_run(learned, out, None, unfinished=True)
    recover(out)
    assert [entry.name for entry in tmp_path.iterdir()] == ["run[1]"]
    assert (out / "result.json").read_text() == before
    assert (out / "journal" / "run.json").is_file()
