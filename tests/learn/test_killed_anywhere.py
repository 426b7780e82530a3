"""Wherever a run is killed, the resumed one ends as the unbroken one would have.

What the journal held at some moment is what a kill at that moment would have left. So
one run is watched: its journal is copied after every change, and copies are resumed.
The clock is imaginary and the budget binds: fits are cut off, folds are left out, the
winner may come too late, and it must all happen again.
"""

import numpy as np
import pytest

import infimum
from infimum.learn import job
from infimum.learn.compare import contenders as shelf
from infimum.learn.compare import race
from infimum.learn.compare.contenders import Contender
from infimum.learn.journal import JOURNAL, Journal
from infimum.learn.result import Exam
from tests.learn.imaginary_clock import CLOCK, MODELS, imagine

#: What two runs of the same job may tell differently.
TIMES = {"created", "stages", "energy", "seconds", "trace", "out", "evidence"}


def field_of(rng, kind):
    """Return a field of contenders that take their time, drawn by chance.

    Parts of seconds are powers of two, which clocks add without rounding.
    """
    linear, tree = MODELS[kind]
    made = [getattr(shelf, kind)(*([np.ones(9)] * (kind == "regressors")))[0]]
    for place in range(4):
        seconds = {
            "seconds": float(rng.choice([0.125, 0.5, 1.0, 2.0, 3.0, 12.0])),
            "rows": 110,
            "more": float(rng.choice([0.0, 0.0, 2.0, 200.0])),
        }
        base, convex = (linear, True) if place % 2 == 0 else (tree, False)
        timed = type(base.__name__, (base,), seconds)
        name = "C" if kind == "classifiers" else "alpha"
        grid = [{name: 0.1}, {name: 10.0}] if convex else [{"max_depth": 2}, {}]
        made.append(
            Contender(
                f"c{place}",
                f"Contender {place}",
                timed,
                grid=tuple(grid),
                convex=convex,
                rank=int(rng.integers(1, 5)),
                readable=False,
            )
        )
    return tuple(made)


def plain(value):
    """Return a result without times."""
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items() if k not in TIMES}
    return [plain(each) for each in value] if isinstance(value, list) else value


@pytest.fixture
def world(monkeypatch, rows):
    """Return a function that runs the job of a seed, resumed or watched."""
    monkeypatch.setattr(job, "warm", lambda *_: None)
    monkeypatch.setattr(job, "gather", lambda *_, **__: {})
    # The exam looks at no clock; readable models have tests of their own.
    monkeypatch.setattr(job, "examine", lambda *_, **__: Exam(1, {}, {}, {}))
    monkeypatch.setattr(
        "infimum.learn.choose.verdict.find_champion", lambda *_, **__: None
    )
    monkeypatch.setattr(race, "SWEEPS", 2)
    monkeypatch.setattr("infimum.learn.choose.final_fit._GRACE", 0.5)
    monkeypatch.setattr(
        "infimum.learn.run_directory.save", lambda _, path, **__: path.touch()
    )
    imagine(monkeypatch)

    def run(seed, out, *, resume=False, watch=None):
        rng = np.random.default_rng(seed)
        kind, target = [("classifiers", "verdict"), ("regressors", "signal")][seed % 2]
        field = field_of(rng, kind)
        monkeypatch.setattr(job, kind, lambda *_: field)
        budget = float(rng.integers(16, 160)) / 2
        pays = bool(rng.integers(2))
        with monkeypatch.context() as patch:
            if pays:
                patch.setattr("infimum.learn.choose.blending.Blend.pays", True)
            if watch is not None:
                patch.setattr(Journal, "_put", _watched(Journal._put, watch))
            return infimum.learn(
                rows.select("size", "noise", "colour", target),
                target,
                out=out,
                budget=budget,
                resume=resume,
            )

    return run


def _watched(put, moments):
    files = dict(moments[-1]) if moments else {}

    def put_and_copy(journal, name, content):
        put(journal, name, content)
        header = journal.folder / "run.json"
        files.update({"run.json": header.read_bytes(), name: content})
        moments.append(dict(files))

    return put_and_copy


def same(one, other, table):
    assert plain(one.to_plain()) == plain(other.to_plain())
    np.testing.assert_array_equal(one.model.predict(table), other.model.predict(table))


def left_behind(moment, out):
    """Return a directory with what a kill at some moment would have left."""
    (out / JOURNAL).mkdir(parents=True)
    for name, content in moment.items():
        (out / JOURNAL / name).write_bytes(content)
    return out


def check_moments(world, seed, rows, folder, count):
    """Resume from some moments, and from some of those runs killed once more."""
    CLOCK.now, moments = 1000.0 * seed, []
    whole = world(seed, folder / "whole", watch=moments)
    rng = np.random.default_rng(seed)
    for turn, place in enumerate(rng.permutation(len(moments))[:count]):
        CLOCK.now += 17.0
        later = [moments[place]]
        out = left_behind(moments[place], folder / f"{turn}")
        same(world(seed, out, resume=True, watch=later), whole, rows)
        CLOCK.now += 5.0
        moment = later[rng.integers(len(later))]
        out = left_behind(moment, folder / f"{turn}-again")
        same(world(seed, out, resume=True), whole, rows)
    return whole, moments


@pytest.mark.parametrize("seed", [8, 31])
def test_every_moment_of_a_run_can_be_gone_on_from(seed, world, rows, tmp_path):
    whole, moments = check_moments(world, seed, rows, tmp_path, 3)
    assert len(moments) > 12
    assert whole.ended == "budget"
