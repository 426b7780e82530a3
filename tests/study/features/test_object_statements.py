"""Graphs, purchases and images as vectors."""

from itertools import combinations, permutations

import numpy as np
import pytest
from scipy import sparse

from infimum.errors import DataError, InvalidParameterError
from infimum.study.features import (
    BasketCounts,
    ImageVectors,
    MotifCounts,
    count_together,
    count_users,
)

SHAPES = {
    "edge": [(0, 1)],
    "wedge": [(0, 1), (1, 2)],
    "triangle": [(0, 1), (1, 2), (0, 2)],
    "path": [(0, 1), (1, 2), (2, 3)],
    "claw": [(0, 1), (0, 2), (0, 3)],
    "square": [(0, 1), (1, 2), (2, 3), (0, 3)],
    "paw": [(0, 1), (1, 2), (0, 2), (0, 3)],
    "diamond": [(0, 1), (1, 2), (2, 3), (0, 3), (0, 2)],
    "clique": [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)],
}


def adjacency(edges):
    n = 1 + max(max(edge) for edge in edges)
    A = np.zeros((n, n), dtype=int)
    for i, j in edges:
        A[i, j] = A[j, i] = 1
    return A


def random_graph(rng, n=7, p=0.55):
    upper = np.triu(rng.random((n, n)) < p, 1)
    return (upper | upper.T).astype(int)


def brute_force(A, edges, *, induced):
    """Count the distinct edge sets of `A` that look like `edges`."""
    size = 1 + max(max(edge) for edge in edges)
    found = set()
    for vertices in combinations(range(len(A)), size):
        block = A[np.ix_(vertices, vertices)]
        if induced and block.sum() // 2 != len(edges):
            continue
        for order in permutations(vertices):
            image = frozenset(frozenset((order[i], order[j])) for i, j in edges)
            if all(A[tuple(edge)] for edge in image):
                found.add(image)
    return len(found)


@pytest.mark.syllabus("S4A-053")
@pytest.mark.parametrize("induced", [False, True])
def test_motif_counts_agree_with_brute_force(induced, rng):
    graphs = [random_graph(rng, p=p) for p in (0.3, 0.6, 0.9)]
    counts = MotifCounts([*SHAPES], induced=induced).fit_transform(graphs)
    brute = [
        [brute_force(A, edges, induced=induced) for edges in SHAPES.values()]
        for A in graphs
    ]
    assert counts.tolist() == brute
    assert counts[:, 0].tolist() == [A.sum() / 2 for A in graphs]  # edges


@pytest.mark.parametrize("induced", [False, True])
def test_a_motif_given_as_a_matrix_is_found_by_search(induced, rng):
    graphs = [random_graph(rng), random_graph(rng, 12, 0.3)]
    drawn = [adjacency(edges) for edges in SHAPES.values()]
    named = MotifCounts([*SHAPES], induced=induced).fit_transform(graphs)
    searched = MotifCounts(drawn, induced=induced).fit_transform(
        [sparse.csr_array(A) for A in graphs]
    )
    assert np.array_equal(named, searched)
    pentagon = MotifCounts([adjacency([(0, 1), (1, 2), (2, 3), (3, 4), (0, 4)])])
    ring = adjacency([(i, (i + 1) % 5) for i in range(5)])
    assert pentagon.fit_transform([ring, 1 - np.eye(5)]).ravel().tolist() == [1, 12]
    assert list(pentagon.get_feature_names_out()) == ["motif0"]


def test_no_graphs_are_no_rows():
    assert MotifCounts(["edge", "wedge"]).fit_transform([]).shape == (0, 2)


def test_motif_counts_say_what_is_wrong():
    with pytest.raises(InvalidParameterError, match="'star'"):
        MotifCounts(["star"]).fit()
    with pytest.raises(DataError, match="symmetric"):
        MotifCounts().transform([[[0, 1], [0, 0]]])
    with pytest.raises(DataError, match="zero diagonal"):
        MotifCounts().transform([[[1]]])
    with pytest.raises(DataError, match="square"):
        MotifCounts().transform([[[0, 1]]])


@pytest.mark.syllabus("S4A-054")
def test_items_are_described_by_their_buyers():
    purchases = [("u1", "b1")] * 3 + [("u1", "b2"), ("u2", "b2"), ("u3", "b3")]
    table = count_users(purchases)
    assert table.rows == ("b1", "b2", "b3")
    assert table.columns == ("u1", "u2", "u3")
    assert table.counts.toarray().tolist() == [[3, 0, 0], [1, 1, 0], [0, 0, 1]]


@pytest.mark.syllabus("S4A-054")
def test_items_are_described_by_what_is_bought_with_them(rng):
    baskets = [rng.choice(6, size=rng.integers(1, 5)).tolist() for _ in range(40)]
    table = count_together(baskets)
    B = np.array([[item in basket for item in table.rows] for basket in baskets])
    together = table.counts.toarray()
    assert np.array_equal(together, B.T.astype(int) @ B)
    assert np.array_equal(together, together.T)
    assert np.array_equal(together.diagonal(), B.sum(axis=0))


def test_baskets_of_unlike_items_are_encoded_and_nonsense_is_refused():
    encoder = BasketCounts()
    counts = encoder.fit_transform([["tea", 7], {7, ("a", 1)}])
    assert counts.sum() == 4
    assert set(encoder.vocabulary_) == {"tea", 7, ("a", 1)}
    assert encoder.transform([["unknown"]]).sum() == 0
    assert list(BasketCounts().fit([[10, 9, 1]]).vocabulary_) == [1, 9, 10]
    with pytest.raises(DataError, match="expects baskets"):
        encoder.fit(["tea"])


@pytest.mark.syllabus("S4A-055")
@pytest.mark.parametrize("mode, channels", [("rgb", 3), ("cmyk", 4)])
def test_colour_images_are_vectors_and_back(mode, channels, rng):
    images = rng.integers(0, 256, size=(4, 5, 3, 3), dtype=np.uint8)
    images[0, 0, 0] = 0  # black has no hue
    maker = ImageVectors(mode)
    vectors = maker.fit_transform(images)
    assert vectors.shape == (4, 5 * 3 * channels)
    assert vectors.min() >= 0
    assert vectors.max() <= 1
    assert maker.inverse_transform(vectors) * 255 == pytest.approx(images)
    assert len(maker.get_feature_names_out()) == vectors.shape[1]


@pytest.mark.syllabus("S4A-055")
def test_grey_images_are_vectors_and_back(rng):
    images = rng.random((4, 8, 6)).astype(np.float32)
    maker = ImageVectors()
    vectors = maker.fit_transform(images)
    assert vectors.dtype == np.float32
    assert vectors[2, 3 * 6 + 5] == images[2, 3, 5]  # row by row
    assert np.array_equal(maker.inverse_transform(vectors), images)


def test_known_colours_have_known_inks_and_grey_stays_grey():
    red, white, black = [[[1.0, 0, 0]]], [[[1.0, 1, 1]]], [[[0.0, 0, 0]]]
    inks = ImageVectors("cmyk").fit_transform([red, white, black])
    assert inks.tolist() == [[0, 1, 1, 0], [0, 0, 0, 0], [0, 0, 0, 1]]
    assert ImageVectors().fit_transform([red, white]) == pytest.approx(
        np.array([[0.299], [1.0]])
    )
    grey = np.array([[[0.25, 0.5]]])
    assert ImageVectors("rgb").fit_transform(grey).tolist() == [[0.25] * 3 + [0.5] * 3]


def test_image_vectors_say_what_is_wrong():
    with pytest.raises(DataError, match=r"got shape \(2, 2\)"):
        ImageVectors().fit(np.ones((2, 2)))
    with pytest.raises(DataError, match=r"\[0, 255\]"):
        ImageVectors().fit(np.full((1, 2, 2), 300))
    with pytest.raises(DataError, match="expects numbers"):
        ImageVectors().fit([[["a"]]])
    with pytest.raises(DataError, match="resize"):
        ImageVectors().fit(np.ones((1, 2, 2))).transform(np.ones((1, 3, 2)))
    with pytest.raises(InvalidParameterError, match=r"ImageVectors\.mode"):
        ImageVectors("hsv").fit(np.ones((1, 2, 2)))
