"""The comparison with peers: places are fair, and what is finished is kept."""

import json

import numpy as np
import pytest

from benchmarks import made_tables, tables, tables_beside_peers
from benchmarks.tables_beside_peers import NAMES, Run, page, ranks


def test_the_best_has_place_one_and_equals_share_theirs():
    areas = {"a": 0.9, "b": 0.8, "c": 0.9, "d": 0.7}
    runs = {name: Run("AUC", area, 1.0) for name, area in areas.items()}
    assert ranks(runs) == {"a": 1.5, "b": 3.0, "c": 1.5, "d": 4.0}
    runs = {name: Run("RMSE", area, 1.0) for name, area in areas.items()}
    assert ranks(runs) == {"a": 3.5, "b": 2.0, "c": 3.5, "d": 1.0}


def test_a_table_that_somebody_failed_on_is_shown_and_not_ranked():
    whole = {name: Run("AUC", 0.5 + k / 10, 60.0) for k, name in enumerate(NAMES)}
    part = {"infimum": Run("RMSE", 3.0, 61.0)}
    told = page({"one": whole, "two": part}, "--peers PYTHON")
    assert "mean rank of 1 tables" in told
    assert "| | 4.00 | 3.00 | 2.00 | 1.00 |" in told
    assert "| two | RMSE | 3 in 61 s | failed | failed | failed |" in told


def test_what_is_finished_is_not_run_again(tmp_path, monkeypatch):
    ran = []

    def run(name, exported, seconds, peer):
        ran.append(name)
        if name == "mljar" and len(ran) == 4:
            raise RuntimeError("mljar: no")
        return Run("AUC", 0.8, seconds)

    monkeypatch.setattr(tables_beside_peers, "_run", run)
    words = ["--peers", "python", "--only", "texts", "--page", str(tmp_path / "p.md")]
    assert tables.main(words) == 1
    assert tables.main(words) == 0
    assert ran == [*NAMES, "mljar"]
    (notes,) = tmp_path.glob("*.json")
    assert set(json.loads(notes.read_text())["texts"]) == set(NAMES)


@pytest.mark.parametrize("name", made_tables.MADE)
def test_made_tables_are_the_same_each_time_and_can_be_learned(name):
    make, target = made_tables.MADE[name]
    frame = make(400)
    assert frame.equals(make(400))
    assert len(frame) == 400
    if name == "large":
        assert frame.shape[1] == 30
        assert 0.3 < np.mean(frame[target] == "yes") < 0.7
