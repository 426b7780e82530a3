"""Every exported kernel with a collection of the things it compares."""

import numpy as np
from scipy.spatial.distance import cdist

from infimum import kernels
from infimum.kernels import (
    AdditiveChiSquared,
    Alignments,
    AllSubstrings,
    BagOfWords,
    BoundedRange,
    BSpline,
    Centered,
    CommonSubsets,
    Composed,
    Conditioned,
    ConicCombination,
    Constant,
    Convolution,
    Cosine,
    Deformed,
    Delta,
    Diffusion,
    EditDistance,
    Exponential,
    ExponentialChiSquared,
    Exponentiated,
    FromDistance,
    FromFunction,
    GappedSubsequences,
    Gaussian,
    Graph,
    Graphlets,
    Hamming,
    HistogramIntersection,
    Jaccard,
    Laplacian,
    Linear,
    Matern,
    MeanEmbedding,
    Mismatch,
    Normalized,
    Polynomial,
    Power,
    Precomputed,
    Product,
    RadialOf,
    RandomWalk,
    RationalQuadratic,
    RegularizedLaplacian,
    Reweighted,
    Scaled,
    SetIntersection,
    Sigmoid,
    SkewedChiSquared,
    Spectrum,
    Sum,
    TensorProduct,
    VertexPaths,
    WeisfeilerLehman,
    splits,
)

rng = np.random.default_rng(11)
VECTORS = rng.normal(size=(13, 4))
VECTORS[3] = 0.0
VECTORS[5] = VECTORS[4]
HISTOGRAMS = np.abs(VECTORS) * (rng.random((13, 4)) < 0.8)
STRINGS = ["", "a", "banana", "ananas", "abba", "añña🙂b", "bb", "abcabcabc", "🙂"]
WORDS = [("to", "be", "or", "not", "to", "be"), (), ("be",), ("not", "to")]
TEXTS = ["", "One two. Two three!", "two", "ONE, one; naïve été", "three two one two"]
SETS = [set(), {1}, {1, 2, 3}, {2, 3, 4, "x"}, {"x"}, {5, 6}]
BAGS = [VECTORS[:1], VECTORS[2:6], VECTORS[:0], VECTORS[7:9], VECTORS[[1, 1, 1]]]


def random_graph(size, share=0.5):
    upper = np.triu(rng.random((size, size)) < share, 1)
    return (upper | upper.T).astype(float)


GRAPHS = [np.zeros((n, n)) for n in (0, 1)] + [random_graph(n) for n in (2, 3, 5, 7)]
LABELLED = [Graph(A, labels=("CNO" * 3)[: len(A)]) for A in GRAPHS]
NODES = np.arange(7)
NETWORK = random_graph(7)
PAIRS = list(zip(STRINGS, VECTORS[: len(STRINGS)], strict=True))


def euclid(X, Z):
    return cdist(X, Z)


def city(X, Z):
    return cdist(X, Z, "cityblock")


#: A kernel and things it compares; every exported kernel is here at least once.
SHELF = [
    *(
        (kernel, VECTORS)
        for kernel in (
            Linear(),
            Polynomial(),
            Polynomial(2, offset=0.0),
            Polynomial(5, offset=2.0, scale=0.3),
            Gaussian(),
            Gaussian.from_gamma(0.2),
            Laplacian(2.0),
            Laplacian.from_gamma(0.3),
            Exponential(1.5),
            Matern(0.5),
            Matern(1.5, 2.0),
            Matern(2.5),
            Matern(0.8, 0.7),
            Matern(7.3),
            RationalQuadratic(0.5, 2.0),
            Sigmoid(0.7, -1.0),
            Cosine(),
            BSpline(0, 2.0),
            BSpline(1, 1.5),
            Hamming(),
            Constant(2.0),
            Sum((Linear(), Gaussian())),
            Product((Linear(), Gaussian())),
            Scaled(Gaussian(), 3.0),
            ConicCombination((Linear(), Gaussian(), Constant()), (0.5, 0.0, 2.0)),
            Power(Gaussian(3.0), 3),
            Exponentiated(0.2 * Linear()),
            Normalized(Polynomial()),
            Normalized(Linear()),
            Centered(Gaussian(), VECTORS[:5]),
            Conditioned(Gaussian(2.0), VECTORS[:4]),
            Conditioned(Linear(), VECTORS[:2], noise=0.3),
            Deformed(Gaussian(2.0), VECTORS[:2], [[2.0, -2.0], [-2.0, 2.0]], 0.5),
            Composed(Linear(), lambda x: [x[0] ** 2, x[1] * x[2]]),
            Reweighted(Gaussian(), lambda x: x[0]),
            FromDistance(euclid, np.ones((1, 4)), claim=True),
            RadialOf(city, width=3.0, power=1.0, claim=True),
            RadialOf(euclid, width=2.0, claim=True),
        )
    ),
    *(
        (kernel, HISTOGRAMS)
        for kernel in (
            HistogramIntersection(),
            AdditiveChiSquared(),
            ExponentialChiSquared(0.5),
            SkewedChiSquared(0.3),
        )
    ),
    *(
        (kernel, STRINGS)
        for kernel in (
            Delta(),
            Spectrum(1),
            Spectrum(2),
            BoundedRange(3),
            BoundedRange(4, shortest=2, weight=lambda s: 1.0 / len(set(s))),
            AllSubstrings(),
            AllSubstrings(0.5),
            AllSubstrings(lambda length: 1.0 / length),
            GappedSubsequences(2, decay=0.7),
            GappedSubsequences(3, decay=1.0, shorter=True),
            Mismatch(2, 1, alphabet=8),
            Mismatch(3, 3, alphabet=8),
            EditDistance(2.0),
            Alignments(),
            Alignments(0.5, substitution=2.0),
            Convolution(lambda s: splits(s, 2), (Delta(), Spectrum(1))),
            FromFunction(lambda a, b: len(set(a) & set(b)), STRINGS),
            Normalized(Spectrum(2)),
        )
    ),
    (Spectrum(2), WORDS),
    (AllSubstrings(), WORDS),
    (GappedSubsequences(2), WORDS),
    (BagOfWords(), TEXTS),
    (BagOfWords(pairs=True), TEXTS),
    (BagOfWords(ignored=frozenset({"two"})), TEXTS),
    (SetIntersection(), SETS),
    (CommonSubsets(), SETS),
    (Jaccard(), SETS),
    (Jaccard(), STRINGS),
    (MeanEmbedding(Gaussian()), BAGS),
    (MeanEmbedding(Linear(), mean=False), BAGS),
    (TensorProduct((Spectrum(1), Gaussian())), PAIRS),
    (RandomWalk(), GRAPHS),
    (RandomWalk(0.9), LABELLED),
    (RandomWalk(weights=(0.0, 1.0, 0.0, 2.0)), LABELLED),
    (Graphlets(3), GRAPHS),
    (Graphlets(4), GRAPHS),
    (Graphlets(4, connected=True), GRAPHS),
    (Graphlets(5), GRAPHS),
    (WeisfeilerLehman(2), GRAPHS),
    (WeisfeilerLehman(3), LABELLED),
    (Precomputed(VECTORS[:7] @ VECTORS[:7].T), NODES),
    (Diffusion(NETWORK, 0.4), NODES),
    (RegularizedLaplacian(NETWORK, 2.0), NODES),
    (VertexPaths(NETWORK), NODES),
    (VertexPaths(NETWORK, 3, "shift", walks=False), NODES),
    (VertexPaths(NETWORK, 1, "sum", trivial=False), NODES),
]

EXPORTED = [
    value
    for value in (getattr(kernels, name) for name in kernels.__all__)
    if isinstance(value, type) and issubclass(value, kernels.Kernel)
]
