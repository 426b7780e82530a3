"""What deserves a second look before a model is believed."""

import datetime as dt

import numpy as np
import polars as pl
import pytest

from infimum.data import bundled, check_target, find_suspects, read_table
from infimum.data import repeated_across as repeated
from infimum.data.single_columns import Judge

N = 400


@pytest.fixture
def noise(rng):
    return rng.normal(size=N)


def suspects(data, values, *, classes, **options):
    table = read_table({**data, "y": values})
    found = find_suspects(table, "y", np.asarray(values), classes=classes, **options)
    for each in found:
        assert each.sentence.endswith(".")
    return {(each.kind, *each.columns): each for each in found}


@pytest.mark.parametrize("kind", ["number", "word", "gap", "date"])
def test_a_column_that_tells_the_class_gives_it_away(rng, noise, kind):
    y = rng.integers(0, 2, N)
    day = dt.date(2020, 1, 1)
    rows = list(enumerate(y))
    giveaway = {
        "number": y * 10 + rng.random(N),
        "word": [f"{'won' if won else 'lost'} by {k % 7}" for k, won in rows],
        "gap": [None if label else 3.0 + k % 5 for k, label in rows],
        "date": [day + dt.timedelta(days=int(400 * v + k % 300)) for k, v in rows],
    }[kind]
    found = suspects({"noise": noise, "later": giveaway}, y, classes=True)
    assert ("giveaway", "later") in found
    assert not [key for key in found if "noise" in key]
    assert found["giveaway", "later"].value > 0.97
    assert "'later' alone saves" in found["giveaway", "later"].sentence


def test_a_column_that_tells_the_number_gives_it_away(rng, noise):
    y = np.exp(rng.normal(size=N))
    columns = {"noise": noise, "euros": 0.9 * y + 1e-4 * noise, "near": y + noise}
    found = suspects(columns, y, classes=False)
    assert [key for key in found if key[0] == "giveaway"] == [("giveaway", "euros")]


def test_a_growing_function_of_a_heavy_tailed_number_gives_it_away(rng):
    y = np.exp(2 * rng.normal(size=300))
    late = np.argsort(np.argsort(y)).astype(int)
    days = np.datetime64("2020-01-01") + late
    table = read_table({"y": y, "log": np.log(y) ** 3, "day": days, "n": -3 * late})
    found = find_suspects(table, "y", y, classes=False)
    leaks = [each.columns for each in found if each.kind == "giveaway"]
    assert leaks == [("log",), ("day",), ("n",)]


def test_a_good_column_is_no_giveaway(rng):
    y = rng.integers(0, 3, N)
    good = y + 0.4 * rng.normal(size=N)
    assert not suspects({"good": good}, y, classes=True)
    assert Judge(y, classes=True).score(pl.Series(good)) > 0.5


def test_a_column_of_chance_scores_about_nothing(rng):
    for classes, y in ((True, rng.integers(0, 2, N)), (False, rng.normal(size=N))):
        judge = Judge(y, classes=classes)
        assert judge.score(pl.Series(rng.normal(size=N))) < 0.1
        assert judge.score(pl.Series([f"w{k}" for k in rng.integers(0, 200, N)])) < 0.1


def test_names_after_the_target_are_suspected_if_they_tell(rng, noise):
    y = rng.normal(size=N)
    table = read_table({"price_mean": y + noise, "price_tag": noise, "size": y - noise})
    found = find_suspects(table, "Price", y, classes=False)
    assert [each.columns for each in found] == [("price_mean",)]
    assert found[0].kind == "named after the target"


def test_a_clock_that_tells_is_a_reason_to_split_by_time(noise):
    day = dt.date(2020, 1, 1)
    days = [day + dt.timedelta(days=k) for k in range(N)]
    trend = np.arange(N) / 60 + noise
    found = suspects({"day": days, "n": range(1, N + 1)}, trend, classes=False)
    assert ("order", "day") in found
    assert ("order", "n") in found
    assert "split by time" in found["order", "day"].sentence
    assert not suspects({"day": days, "x": noise}, noise[::-1], classes=False)


def test_columns_that_follow_from_another_are_named_once(rng, noise):
    town = rng.integers(0, 40, N)
    columns = {
        "metres": noise,
        "feet": noise * 3.28 + 1,
        "town": [f"t{k}" for k in town],
        "county": [f"c{k % 5}" for k in town],
        "code": town * 7.0,
        "other": rng.integers(0, 5, N),
    }
    found = suspects(columns, rng.normal(size=N), classes=False)
    twins = {key[1:] for key in found if key[0] == "twin"}
    assert ("feet", "metres") in twins
    assert {pair[0] for pair in twins} == {"feet", "county", "code"}


def test_useless_columns_and_rare_classes_are_told(rng, noise):
    y = np.array(["a"] * (N - 2) + ["b"] * 2)
    columns = {
        "id": rng.permutation(N),
        "one": [1.5] * N,
        "hardly": [2.5] * (N - 1) + [3.5],
        "gaps": [None] * 300 + noise[300:].tolist(),
    }
    found = suspects(columns, y, classes=True)
    assert {
        ("identifier", "id"),
        ("constant", "one"),
        ("nearly constant", "hardly"),
        ("missing", "gaps"),
        ("rare class", "y"),
    } <= set(found)
    assert found["missing", "gaps"].value == 0.75
    assert found["rare class", "y"].to_plain()["columns"] == ["y"]


def test_only_the_columns_to_learn_from_are_judged(rng):
    y = rng.integers(0, 2, N)
    assert not suspects({"a": y + 0.0, "b": y * 2}, y, classes=True, columns=())


def test_few_rows_prove_nothing():
    y = np.arange(20) % 2
    assert not suspects({"x": y * 2.5 + 1}, y, classes=True)


def test_test_rows_that_repeat_training_rows_are_counted():
    train = pl.DataFrame({"x": [1, 2, 3], "y": ["a", None, "b"]})
    test = pl.DataFrame({"x": [2, 3, 9, 2], "y": [None, "a", "b", None]})
    found = repeated(train, test)
    assert found.value == 0.5
    assert found.sentence.startswith("2 of 4 test rows (50 %) are copies")
    assert repeated(train, test[1:3]) is None


def test_the_same_seed_finds_the_same_in_a_large_table(rng):
    y = rng.integers(0, 2, 30_000)
    table = read_table({"x": y + 0.3 * rng.random(len(y)), "z": rng.random(len(y))})
    first, again = (
        find_suspects(table, "y", y, classes=True, seed=4) for _ in range(2)
    )
    assert first == again
    assert [each.columns for each in first] == [("x",)]


def test_the_bundled_table_has_no_leak():
    learned = check_target(bundled(), "denied")
    found = find_suspects(learned.table, "denied", learned.values, classes=True)
    assert not {each.kind for each in found} & {"giveaway", "named after the target"}
