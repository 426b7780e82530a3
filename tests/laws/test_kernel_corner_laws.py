"""Strings, graphs and sets of size 0 and 1, strange letters, unequal sizes.

The kernels are found by what their rooms export, not by a list.
"""

import numpy as np
import pytest
from scipy import sparse

from infimum import kernels
from infimum.kernels import Graph, Kernel, Linear, check_definite, graphs, sets, strings
from infimum.kernels.graphs._node_kernel import NodeKernel
from tests.kernels.shelf import SHELF

LETTERS = [
    "",
    "a",
    "é",
    "e\u0301",  # the same letter, of two code points
    "🙂",
    "👩\u200d👧",  # one family, of three
    "\ud800",  # half a letter
    "\x00",
    " ",
    "日本語",
    "ab" * 40,
    "a",
]
TOKENS = [(), ("a",), ("", "a"), (1, 2, 1), ("🙂",), (None, "a"), [1, 2]]
EDGE = [[0, 1], [1, 0]]
RING = np.roll(np.eye(6), 1, axis=1) + np.roll(np.eye(6), -1, axis=1)
DRAWN = [
    np.zeros((0, 0)),
    [],
    [[0]],
    EDGE,
    np.zeros((3, 3)),
    sparse.csr_array(RING),
    Graph(RING),
    Graph(EDGE),
    np.kron(np.eye(2), EDGE),
]
MARKED = [
    Graph(np.zeros((0, 0)), labels=()),
    Graph([[0]], labels="🙂"),
    Graph(EDGE, labels=("", None)),
    Graph(RING, labels="aé🙂aé🙂"),
]
BUNDLES = [
    set(),
    {None},
    {"é"},
    {"e\u0301"},
    {1},
    {1, 2, 3, "é"},
    frozenset({1}),
    "",
    "a",
]
BAGS = [np.zeros((0, 2)), np.ones((1, 2)), np.arange(6.0).reshape(3, 2)]


def exported(room):
    """Return what a room exports, as the shelf has it ready or as it comes."""
    classes = [getattr(room, name) for name in room.__all__]
    found = []
    for cls in classes:
        if isinstance(cls, type) and issubclass(cls, Kernel):
            ready = [kernel for kernel, _ in SHELF if type(kernel) is cls]
            found += ready or [cls()]
    return found


def cases():
    for kernel in exported(strings):
        wide = kernel
        if isinstance(kernel, kernels.Mismatch):
            wide = kernels.Mismatch(kernel.length, kernel.mismatches, alphabet=100)
        yield wide, LETTERS
        if not isinstance(kernel, kernels.BagOfWords):  # texts only
            yield wide, TOKENS
    for kernel in exported(graphs):
        if isinstance(kernel, NodeKernel):
            continue
        yield kernel, DRAWN
        yield kernel, MARKED
    for kernel in exported(sets):
        members = isinstance(kernel, kernels.MeanEmbedding)
        yield kernel, BAGS if members else BUNDLES


CASES = list(cases())
names = [
    f"{type(kernel).__name__}-{number}" for number, (kernel, _) in enumerate(CASES)
]


def test_every_room_of_things_is_met():
    met = {type(kernel) for kernel, _ in CASES}
    for room in (strings, graphs, sets):
        for name in room.__all__:
            cls = getattr(room, name)
            if isinstance(cls, type) and issubclass(cls, Kernel):
                assert cls in met or issubclass(cls, NodeKernel), name
    assert len(met) >= 15


@pytest.mark.parametrize("kernel, things", CASES, ids=names)
def test_corner_cases_have_a_gram_matrix_like_others(kernel, things):
    gram = kernel(things)
    assert gram.shape == (len(things), len(things))
    assert np.isfinite(gram).all()
    assert np.array_equal(gram, gram.T)
    assert kernel.diagonal(things) == pytest.approx(gram.diagonal())
    if kernel.definite:
        assert check_definite(gram), check_definite(gram).smallest
    for i in (0, 1, len(things) - 1):  # nobody's value depends on who else is there
        alone = kernel([things[i]], things)
        assert alone[0] == pytest.approx(gram[i], rel=1e-9, abs=1e-12)
        assert kernel([things[i]])[0, 0] == pytest.approx(gram[i, i])


@pytest.mark.parametrize(
    "cls", [c for c in map(type, exported(graphs)) if issubclass(c, NodeKernel)]
)
def test_vertices_of_tiny_graphs_are_compared(cls):
    assert cls(np.zeros((0, 0)))([]).shape == (0, 0)
    assert np.isfinite(cls([[0]])([0])).all()
    pair = cls(np.zeros((2, 2)))([0, 1])  # nothing connects them
    assert pair[0, 1] == 0.0
    assert cls(sparse.csr_array(EDGE))([0, 1]) == pytest.approx(cls(EDGE)([0, 1]))


@pytest.mark.parametrize(
    "kernel",
    [k for k in exported(strings) if not isinstance(k, kernels.BagOfWords)],
    ids=lambda k: type(k).__name__,
)
def test_a_letter_is_a_code_point(kernel):
    """Nothing is normalised behind the user's back: é is not e and an accent."""
    composed, apart = "éa" * 3, "e\u0301a" * 3
    gram = kernel([composed, apart])
    assert gram[0, 1] < max(gram[0, 0], gram[1, 1])


def test_bags_may_be_of_any_size():
    mean = kernels.MeanEmbedding(Linear())(BAGS)
    assert not mean[0].any()
    assert mean[1, 2] == pytest.approx(np.ones(2) @ BAGS[2].mean(axis=0))
