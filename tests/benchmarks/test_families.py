"""Families of benchmark tasks: their forms, their lines and their table."""

import json
from itertools import combinations

import numpy as np

from benchmarks import families
from benchmarks.families import main, measured, table
from benchmarks.family_members import FAMILIES, FORMS, Form
from benchmarks.table import rewrite_between_markers
from benchmarks.task import Contender

TRAITS = ("related", "by_columns", "noisy", "large")


def line(family, form, ratio, other=None):
    return {
        "family": family, "form": form, "seed": 1, "date": "2026-11-19T00:00:00",
        "seconds": 0.1 if ratio else None, "other": other, "all": {},
        "sklearn": [ratio, "them"] if ratio else None,
    }  # fmt: skip


def test_every_two_traits_are_met_in_every_way():
    for one, other in combinations(TRAITS, 2):
        met = {(getattr(form, one), getattr(form, other)) for form in FORMS}
        assert len(met) == 4


def test_forms_look_as_they_say():
    rng = np.random.default_rng(0)
    for name in ("lasso", "neighbors"):
        form = Form(related=True, by_columns=True, noisy=False, large=False)
        member = FAMILIES[name][1](form, 0)
        X = member.problem(quick=False)[0]
        assert X.flags.f_contiguous
        assert abs(np.corrcoef(X[:, 0], X[:, 1])[0, 1]) > 0.2
    assert (
        Form(False, False, False, False).stored(rng.random((3, 2))).flags.c_contiguous
    )


def test_the_table_says_median_and_least_and_what_was_not_reached():
    lines = [line("lasso", str(k), ratio) for k, ratio in enumerate([2.0, 3.0, 8.0])]
    assert "| 3× (2×) |" in table(lines)
    assert "(0×)" in table([*lines, line("lasso", "x", None)])
    told = table([line("lasso", "y", 2.0, [1.5, "celer"])])
    assert "| 1.5× (1.5×) celer |" in told


def answer(value):
    return lambda _problem, _setting: value


class FakeMember:
    """A task of which two contenders reach the quality."""

    title, tolerance = "fake", 0.5

    def __init__(self, form, seed):
        self.form = form

    def problem(self, *, quick):
        return None

    def contenders(self):
        yield Contender("infimum", answer(0.0))
        yield Contender("scikit-learn", answer(0.0))
        yield Contender("other", answer(1.0))

    def excess(self, problem, answer):
        return answer


def test_lines_are_kept_and_gone_on_with(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(families, "FAMILIES", {"fake": ("Fake", FakeMember)})
    found = measured("fake", FORMS[0], 0)
    assert found["sklearn"][1] == "scikit-learn"
    assert found["other"] is None  # it did not reach the quality
    kept = tmp_path / "lines"
    assert main(["--kept", str(kept), "--until", "-1"]) == 1
    assert main(["--kept", str(kept), "--seed", "3"]) == 0
    assert main(["--kept", str(kept), "--seed", "4"]) == 0
    seeds = [json.loads(each)["seed"] for each in kept.read_text().splitlines()]
    assert seeds == [3] * len(FORMS)


def test_tables_are_put_between_markers_of_their_name(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- families -->\nold\n<!-- /families -->\n<!-- benchmarks -->\n")
    rewrite_between_markers(page, "new", "families")
    assert page.read_text().startswith("<!-- families -->\nnew\n<!-- /families -->")
