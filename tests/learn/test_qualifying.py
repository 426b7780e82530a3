"""Large tables: a sample of the rows decides who runs on all of them, and where."""

import numpy as np
import pytest

import infimum
from infimum.evaluation import Split
from infimum.learn.compare import contenders as shelf
from infimum.learn.compare import tally as qualifying
from infimum.learn.compare.tally import (
    GRID,
    FirstLook,
    FoldResult,
    Qualified,
    Sweep,
    Tally,
    sample_of,
)


def shown(errors, parameter="C", values=None, seconds=1.0):
    values = tuple(10.0**k for k in range(len(errors))) if values is None else values
    return FoldResult(parameter, values, errors, [1], [], seconds=seconds)


def tallies():
    return [Tally(contender) for contender in shelf.classifiers()]


def test_a_sample_has_rows_of_both_sides_and_no_others():
    split = Split(np.arange(10_000, 60_000), np.arange(10_000))
    train, held = sample_of(split)
    assert len(set(train)) == len(set(held)) == qualifying.SAMPLE
    assert train.min() >= 10_000 > held.max()


def test_the_better_half_runs_in_order_of_its_errors_after_the_baseline():
    field = tallies()
    errors = {h.contender.name: float(k) for k, h in enumerate(reversed(field[1:]))}
    starts = {name: [1.0, 2.0] for name in errors}
    seen = Qualified(errors, starts, dict.fromkeys(errors, 3.0), 1.0)
    order = seen.order(field)
    assert order[0].contender.fixed
    names = [tally.contender.name for tally in order[1:]]
    kept = -(-len(errors) // 2)
    assert names[:kept] == list(errors)[:kept]
    assert {h.contender.name for h in field if h.retired} == set(errors) - set(names)
    assert any(tally.contender.readable for tally in order[1:])
    assert order[1].settings(0) == (1.0, 2.0)


def test_boosting_is_looked_at_first_and_the_late_are_not_lost():
    field = tallies()
    look = FirstLook(field, rows=40_000, end=-1.0)
    first = look.next()
    look.record(first, shown([0.2, 0.1, 0.3], GRID, (7.0, 8.0, 9.0)))
    assert first.contender.name == "boosting"
    assert look.next() is None
    seen = look.qualified()
    order = [tally.contender.name for tally in seen.order(field)]
    assert order[:2] == ["baseline", "boosting"]
    assert len(order) == len(field)


@pytest.mark.parametrize(
    "name, result, expected",
    [
        ("logistic-l2", shown([0.3, 0.1, 0.2], values=(0.1, 1.0, 10.0)), [0.1, 1, 10]),
        (
            "logistic-l2",
            shown([0.3, 0.1, 0.2], "alpha", (1.0, 0.1, 0.01)),
            [0.1, 0.01, 0.001],
        ),
        ("forest", shown([0.1, 0.2], GRID, (0.0, 2.0)), [0.0, 2.0]),
        ("forest", shown([0.2, 0.1], GRID, (0.0, 2.0)), [2.0, 3.0]),
        # Stages of the second shape: from the one before the best to more rounds.
        ("boosting", shown([0.3, 0.1, 0.2], GRID, (8.0, 9.0, 10.0)), [8, 9, 10, 11]),
    ],
)
def test_settings_on_all_rows_are_near_the_best_and_more_complex(
    name, result, expected
):
    field = [tally for tally in tallies() if tally.contender.name == name]
    look = FirstLook(field, rows=8_000, end=np.inf)
    look.record(look.next(), result)
    seen = look.qualified()
    np.testing.assert_allclose(seen.starts[name], expected)
    forecast = len(expected) / len(result.values) * 2.0**1.1
    assert seen.paces[name] == pytest.approx(forecast)


@pytest.mark.parametrize("parameter", ["C", "alpha"])
def test_a_path_goes_on_where_its_weakest_strength_is_best(parameter):
    tally = Tally(shelf.classifiers()[1], parameter=parameter)
    values = (0.1, 1.0, 10.0) if parameter == "C" else (10.0, 1.0, 0.1)
    tally.sweeps = [Sweep(values, errors=[[0.3, 0.2, 0.1]])]
    beyond = 100.0 if parameter == "C" else 0.01
    assert any(np.isclose(value, beyond) for value in tally.settings(1))
    tally.sweeps = [Sweep(values, errors=[[0.3, 0.1, 0.2]])]
    assert len(tally.settings(1)) == 2


def test_a_large_table_is_learned_from_by_way_of_a_sample(binary_table, monkeypatch):
    monkeypatch.setattr("infimum.learn.compare.race.LARGE_TABLE", 50)
    monkeypatch.setattr(qualifying, "SAMPLE", 60)
    result = infimum.learn(binary_table, "verdict", budget=600.0)
    raced = [contender for contender in result.contenders if contender.folds == 5]
    assert qualifying.FEWEST < len(raced) < len(shelf.classifiers())
    assert result.exam.metrics["auc"] > 0.7
