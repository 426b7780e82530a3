"""The benchmark runner is fair, keeps what it measured, and never hides a failure."""

import json
import re
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.cold_start import cold_start
from benchmarks.command import main
from benchmarks.machine import describe_machine, library_versions, machine_name
from benchmarks.table import markdown, plain, rewrite_between_markers, summary
from benchmarks.task import Contender, load_task, present, task_names
from benchmarks.timing import Row, time_task


@pytest.fixture
def fake(monkeypatch):
    monkeypatch.syspath_prepend(Path(__file__).parent)
    return type(load_task("fake_task"))()


class Clock:
    """A clock that the contenders push: the slow one takes 3, ours takes 2."""

    def __init__(self, problem):
        self.now, self.problem, self.seen = 0.0, problem, 0

    def __call__(self):
        calls = self.problem["calls"][self.seen :]
        self.seen += len(calls)
        self.now += sum({"infimum": 2.0, "slow": 3.0}.get(n, 1.0) for n, _ in calls)
        return self.now


def time_fake(fake, **options):
    problem = fake.problem(quick=True)
    fake.problem = lambda **_: problem
    return time_task(fake, clock=Clock(problem), **options), problem["calls"]


def test_the_loosest_setting_that_reaches_the_quality_is_timed(fake):
    rows, _ = time_fake(fake)
    assert rows[0].setting == 1e-6
    assert rows[0].reached


def test_ratios_compare_the_best_times_with_ours(fake):
    rows, _ = time_fake(fake)
    assert [row.best for row in rows] == [2.0, 3.0, 1.0, None]
    assert [row.ratio for row in rows] == [1.0, 1.5, None, None]


def test_who_does_not_reach_the_quality_gets_no_ratio_but_is_shown(fake):
    rows, _ = time_fake(fake)
    careless = rows[2]
    assert (careless.setting, careless.excess, careless.reached) == (1e-3, 5e-4, False)
    assert "not reached" in plain(rows).splitlines()[3]


def test_a_peer_that_raises_is_a_row_with_its_error(fake):
    rows, _ = time_fake(fake)
    assert rows[3].problem == "RuntimeError: no such solver"
    assert "failed" in plain(rows).splitlines()[4]


def test_a_peer_beyond_its_limit_is_stopped_and_its_ratio_is_a_lower_bound(fake):
    ours, *_ = fake.contenders()
    fake.contenders = lambda: [ours, Contender("scikit-learn", sleep, limit=0.05)]
    rows = time_task(fake, rounds=1)
    assert rows[1].stopped
    assert rows[1].ratio == pytest.approx(rows[1].best / rows[0].best)
    assert 0.05 <= rows[1].best < 5.0
    assert plain(rows).splitlines()[2].endswith("(stopped)")
    assert "| > " in summary(rows)


def test_a_peer_within_its_limit_is_judged_as_any_other(fake):
    ours, slow, _, broken = fake.contenders()
    peers = [replace(slow, limit=20.0), replace(broken, limit=20.0)]
    fake.contenders = lambda: [ours, *peers]
    rows = time_task(fake, rounds=1)
    assert (rows[1].reached, rows[1].stopped) == (True, False)
    assert rows[2].problem == "RuntimeError: no such solver"


def sleep(problem, setting):
    time.sleep(60.0)


def test_contenders_take_turns(fake):
    rows, calls = time_fake(fake, rounds=3)
    turns = [name for name, _ in calls[-9:]]
    assert turns == ["infimum", "slow", "careless"] * 3
    assert [len(row.seconds) for row in rows] == [3, 3, 3, 0]


def test_patience_ends_the_rounds_but_not_before_the_second(fake):
    rows, _ = time_fake(fake, rounds=50, patience=3.5)
    assert [len(row.seconds) for row in rows] == [2, 2, 2, 0]


def test_who_is_slower_than_our_patience_runs_once(fake):
    rows, calls = time_fake(fake, rounds=3, patience=2.5)
    assert [len(row.seconds) for row in rows] == [2, 1, 2, 0]
    assert rows[1].ratio == 1.5
    assert calls.count(("slow", 1e-7)) == 1


def test_without_our_own_solution_nobody_is_compared(fake):
    fake.tolerance = 1e-12
    rows, _ = time_fake(fake)
    assert all(row.ratio is None for row in rows)
    assert "not reached" in plain(rows).splitlines()[1]


def test_a_cold_start_is_measured_in_processes_of_their_own(fake):
    times = cold_start("fake_task", "slow", 0, quick=True)
    assert len(times) == 2
    assert all(0.0 < seconds < 5.0 for seconds in times)


def test_the_table_in_the_readme_is_replaced_and_nothing_else(tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text("above\n<!-- benchmarks -->\nold\n<!-- /benchmarks -->\nbelow\n")
    row = Row("T", "infimum", reached=True, excess=0.0, seconds=(0.5, 0.25), ratio=1.0)
    rewrite_between_markers(readme, markdown([row]))
    text = readme.read_text()
    assert text.startswith("above\n<!-- benchmarks -->\n| task |")
    assert "| T | infimum | 0.25 s | 1.00 | 0e+00 |  |  |" in text
    assert text.endswith("|\n<!-- /benchmarks -->\nbelow\n")
    assert "old" not in text
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]


def test_the_short_table_names_the_best_of_each_kind_and_nobody_who_fell_short():
    rows = [
        Row("T", "infimum", reached=True, seconds=(2.0,), ratio=1.0),
        Row("T", "scikit-learn (slow)", reached=True, seconds=(8.0,), ratio=4.0),
        Row("T", "scikit-learn (fast)", reached=True, seconds=(6.0,), ratio=3.0),
        Row("T", "careless", reached=False, seconds=(0.1,)),
        Row("T", "other", reached=True, seconds=(5.0,), ratio=2.5),
        Row("U", "infimum", reached=True, seconds=(1.0,), ratio=1.0),
        Row("U", "scikit-learn", reached=False, seconds=(9.0,)),
    ]
    lines = summary(rows).splitlines()
    assert lines[2:] == [
        "| T | 2 s | 3× | 2.5× (other) |",
        "| U | 1 s | not reached |  |",
    ]


def test_a_later_run_keeps_the_other_tasks_of_the_day(fake, tmp_path, capsys):
    path = tmp_path / "run.json"
    assert main(["fake_task", "--quick", "--warm", "--json", str(path)]) == 0
    record = json.loads(path.read_text())
    assert record["rows"][0]["first_call"] is None
    record["rows"].append({"task": "Another", "contender": "infimum"})
    path.write_text(json.dumps(record))
    assert main(["fake_task", "--quick", "--warm", "--json", str(path)]) == 0
    tasks = [row["task"] for row in json.loads(path.read_text())["rows"]]
    assert tasks == ["Another"] + ["Fake, 1 × 1 (quick)"] * 4
    capsys.readouterr()


def test_a_readme_without_markers_is_refused(tmp_path):
    readme = tmp_path / "README.md"
    readme.write_text("nothing here")
    with pytest.raises(ValueError, match="to fill"):
        rewrite_between_markers(readme, "table")
    assert readme.read_text() == "nothing here"


def test_the_command_keeps_times_versions_and_machine_as_json(fake, tmp_path, capsys):
    path = tmp_path / "kept" / "run.json"
    assert main(["fake_task", "--quick", "--json", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "Fake, 1 × 1 (quick)  infimum" in shown
    assert "broken failed on Fake, 1 × 1 (quick): RuntimeError: no such solver" in shown
    record = json.loads(path.read_text())
    assert record["quick"] is True
    assert record["machine"]["cores"] >= 1
    assert record["versions"]["numpy"]
    ours, slow, careless, broken = record["rows"]
    assert ours["first_call"] > 0.0
    assert ours["next_process"] > 0.0
    assert len(slow["seconds"]) == 2
    assert careless["ratio"] is None
    assert broken["problem"] == "RuntimeError: no such solver"
    assert [p.name for p in path.parent.iterdir()] == ["run.json"]


@pytest.mark.parametrize(
    "arguments, sentence",
    [(["nonsense"], "no task 'nonsense'"), (["--quick", "--page"], "full runs only")],
)
def test_wrong_usage_is_refused_in_one_sentence(arguments, sentence, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("name", task_names())
def test_every_task_in_the_house_has_ours_first_and_a_peer(name, monkeypatch):
    task = load_task(name)
    names = [contender.name for contender in task.contenders()]
    if len(names) < 2:  # as if its peers were installed
        room = sys.modules[type(task).__module__]
        monkeypatch.setattr(room, "present", lambda _: True)
        names = [contender.name for contender in task.contenders()]
    assert names[0] == "infimum"
    assert len(set(names)) == len(names) > 1


def test_the_machine_is_named_after_its_processor_and_described():
    assert re.fullmatch(r"[a-z0-9-]+-\d+-cores", machine_name())
    assert describe_machine()["memory_gb"] > 0.0
    assert {"numpy", "scikit-learn"} <= set(library_versions())


def test_a_peer_that_is_not_installed_is_absent():
    assert present("numpy")
    assert not present("no_such_library")
