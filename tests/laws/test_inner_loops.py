"""Loops without a door for Python are never called by it: that ends the process."""

import ast
from pathlib import Path

import pytest

import infimum.compiled

ROOM = Path(infimum.compiled.__file__).parent
FILES = sorted(ROOM.rglob("*.py"))
DOORLESS = {"inner_loop", "inner", "part_of", "borrower"}


def makers(function):
    """Return the names of what decorates a function."""
    parts = (d.func if isinstance(d, ast.Call) else d for d in function.decorator_list)
    return {part.id for part in parts if isinstance(part, ast.Name)}


def inner_loops(tree):
    found = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    return {node.name for node in found if makers(node) & DOORLESS}


def spoken_of(tree):
    """Return the names that a file uses outside its compiled functions."""
    rest = [
        node
        for node in tree.body
        if not isinstance(node, ast.FunctionDef)
        or not makers(node) & (DOORLESS | {"loop", "overload"})
    ]
    nodes = [each for node in rest for each in ast.walk(node)]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    return names | {node.attr for node in nodes if isinstance(node, ast.Attribute)}


def file_of(module):
    """Return where a module of the room is written; of others, what is not there."""
    return ROOM.parent.joinpath(*module.split(".")[1:]).with_suffix(".py")


@pytest.fixture(scope="module")
def trees():
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}


def test_inner_loops_are_called_by_loops_only(trees):
    every = {path: inner_loops(tree) for path, tree in trees.items()}
    assert sum(map(len, every.values())) > 200
    called = {}
    for path, tree in trees.items():
        known = set(every[path])
        for node in tree.body:
            if isinstance(node, ast.ImportFrom):
                source = file_of(str(node.module))
                known |= {each.name for each in node.names} & every.get(source, set())
        called[path.name] = known & spoken_of(tree)
    assert {name: loops for name, loops in called.items() if loops} == {}


def test_no_other_room_and_no_test_takes_an_inner_loop(trees):
    taken = []
    for path in [*ROOM.parent.rglob("*.py"), *Path(__file__).parents[1].rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        if ROOM in path.parents or "infimum.compiled." not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and node.module:
                tree = trees.get(file_of(node.module))
                if tree is not None:
                    names = {each.name for each in node.names}
                    taken += [(path.name, each) for each in names & inner_loops(tree)]
    assert taken == []
