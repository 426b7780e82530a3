"""Functions of graphs on hostile weights and samples: a result, or one sentence."""

import warnings

import numpy as np
import pytest
from scipy import sparse

from infimum.errors import DataError
from infimum.models import graph

TWO = np.kron(np.eye(2), np.ones((4, 4)))
GRAPHS = {
    "no vertex": np.zeros((0, 0)),
    "one vertex": np.zeros((1, 1)),
    "one loop": np.ones((1, 1)),
    "no edge": np.zeros((6, 6)),
    "two components": TWO,
    "a lonely vertex": np.pad(TWO, (0, 1)),
    "huge": 1e300 * TWO,
    "tiny": 1e-300 * TWO,
    "missing": np.where(np.eye(8) > 0, np.nan, TWO),
    "infinite": np.where(TWO > 0, np.inf, TWO),
    "negative": -TWO,
    "directed": np.triu(TWO),
    "not square": np.ones((3, 2)),
    "one axis": np.ones(4),
    "words": np.full((2, 2), "a"),
    "complex": 1j * TWO,
    "list of lists": [[0, 1], [1, 0]],
    "sparse": sparse.coo_matrix(TWO),
}
FUNCTIONS = {
    "laplacian": graph.laplacian,
    "degrees": graph.degrees,
    "laplacian_spectrum": lambda W: graph.laplacian_spectrum(W, 2).values,
    "best_cut": lambda W: graph.best_cut(W).value,
    "best_partition": lambda W: graph.best_partition(W, 2).value,
    "minimum_cut": lambda W: graph.minimum_cut(W).value,
    "cheeger_constant": graph.cheeger_constant,
    "cheeger_bracket": lambda W: graph.cheeger_bracket(W).lower,
    "sweep_cut": graph.sweep_cut,
    "spectral_bisection": lambda W: graph.spectral_bisection(W).side,
    "connected_components": graph.connected_components,
    "ratio_cut": lambda W: graph.ratio_cut(W, np.arange(len(W)) % 2),
    "normalized_cut": lambda W: graph.normalized_cut(W, np.arange(len(W)) % 2),
}
SAMPLES = {
    "one sample": np.ones((1, 2)),
    "copies": np.ones((5, 2)),
    "none": np.ones((0, 2)),
    "huge": 1e200 * np.eye(4),
    "missing": np.full((4, 2), np.nan),
    "words": np.full((4, 2), "a"),
    "complex": 1j * np.eye(4),
    "one axis": np.arange(4.0),
}
FROM_SAMPLES = {
    "nearest_neighbor_graph": lambda X: graph.nearest_neighbor_graph(X, 1),
    "epsilon_graph": lambda X: graph.epsilon_graph(X, 1.0),
    "gaussian_graph": graph.gaussian_graph,
}


def answered_or_refused(function, given):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", UserWarning)
        try:
            answer = function(given)
        except (ValueError, TypeError) as refusal:
            told = str(refusal)
            assert "\n" not in told
            assert 10 < len(told) < 330
            return
    if isinstance(answer, float | np.ndarray):
        assert not np.isnan(answer).any()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_graph_ends_in_an_answer_or_in_one_sentence(name):
    for W in GRAPHS.values():
        answered_or_refused(FUNCTIONS[name], W)


@pytest.mark.parametrize("name", FROM_SAMPLES)
def test_every_table_ends_in_a_graph_or_in_one_sentence(name):
    for X in SAMPLES.values():
        answered_or_refused(FROM_SAMPLES[name], X)


def test_weights_that_are_none_are_told_by_their_shape():
    with pytest.raises(DataError, match=r"square weight matrix, got shape \(2, 3\)"):
        graph.degrees([[1, 2, 3], [4, 5, 6]])


@pytest.mark.parametrize("function", [graph.degrees, graph.connected_components])
def test_numbers_that_form_no_table_are_told(function):
    for W, words in (
        ([[1, 2], [3]], "takes rows of the same length"),
        (5.0, r"square weight matrix, got shape \(\)"),
        (np.zeros((2, 2, 2)), r"square weight matrix, got shape \(2, 2, 2\)"),
    ):
        with pytest.raises(DataError, match=words):
            function(W)


def test_half_precision_is_precise_enough_for_weights():
    np.testing.assert_array_equal(graph.degrees(np.ones((2, 2), np.float16)), [2, 2])
    assert graph.connected_components(np.ones((2, 2), np.float16))[0] == 1
