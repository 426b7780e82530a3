"""The scripts that count walks and make mutants do what they say."""

import ast
import importlib
import json
import sys

import pytest

from benchmarks.marked_tests import _take_over
from benchmarks.mutants import _mutated, mutants_of
from benchmarks.walks import COUNTS, WALKS, walk

CODE = """
def slope(x, c):
    if x < c:
        return 2 * x
    raise ValueError(1 + 1)
"""


@pytest.mark.parametrize("name", ["LogisticRegression", "KMeans"])
def test_a_fit_does_not_become_a_longer_walk(name):
    kept, now = json.loads(COUNTS.read_text("utf-8"))[name], walk(WALKS[name])
    assert 0 < now.functions <= 1.2 * kept["functions"]
    assert 0 < now.files <= 1.2 * kept["files"]
    assert now.validations <= kept["validations"]
    assert now.copies <= kept["copies"]


def test_mutants_change_one_operator_or_constant_each():
    tree = ast.parse(CODE)
    found = list(mutants_of(tree))
    changed = [_mutated(CODE, node, new) for _, node, new in found]
    assert {name for name, _, _ in found} == {"slope"}
    assert len(changed) == 3
    assert CODE.replace("x < c", "(x >= c)") in changed
    assert CODE.replace("2 * x", "(2 / x)") in changed
    assert CODE.replace("2 * x", "(3) * x") in changed


def test_functions_of_a_loaded_module_take_over_the_body_of_a_changed_file(
    tmp_path, monkeypatch
):
    file = tmp_path / "module_of_a_mutant.py"
    text = "def outer(x):\n    def inner(y):\n        return y + 1\n    return inner(x)"
    file.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    outer = importlib.import_module(file.stem).outer
    assert outer(3) == 4
    file.write_text(text.replace("y + 1", "(y - 1)"))
    _take_over(file)
    assert outer(3) == 2
    del sys.modules[file.stem]


def test_mutants_of_methods_and_inner_functions_go_by_their_qualified_names():
    inner = CODE.replace("\n", "\n    ")
    tree = ast.parse(f"class Line:\n    def of(self):\n        pass\n{inner}")
    assert {name for name, _, _ in mutants_of(tree)} == {"Line.slope"}
    tree = ast.parse(f"def outer(x):\n    x + 1\n{inner}")
    names = [name for name, _, _ in mutants_of(tree)]
    assert names == ["outer"] * 2 + ["outer.<locals>.slope"] * 3
