"""Kernels k(x, z): functions of two collections of anything, closed under algebra.

Vectors, strings, graphs and sets, one folder each; one idea a file. To add one: write
the file, add two lines to its folder and to this list, and the laws find it. Smoothing
windows live in `infimum.kernels.windows`.
"""

from typing import TYPE_CHECKING

from infimum.lazy import load_on_demand

if TYPE_CHECKING:
    from infimum.kernels._kernel import Kernel
    from infimum.kernels.algebra import (
        Centered,
        Composed,
        Conditioned,
        ConicCombination,
        Constant,
        Deformed,
        Exponentiated,
        Normalized,
        Power,
        Product,
        Reweighted,
        Scaled,
        Sum,
        TensorProduct,
        center_gram,
        normalize_gram,
    )
    from infimum.kernels.alignment import kernel_alignment, target_alignment
    from infimum.kernels.convolution import Convolution, splits
    from infimum.kernels.definiteness import Definiteness, check_definite
    from infimum.kernels.delta import Delta
    from infimum.kernels.distances import gram_from_distances, kernel_distances
    from infimum.kernels.from_distance import FromDistance, RadialOf
    from infimum.kernels.from_function import FromFunction
    from infimum.kernels.graphs import (
        Diffusion,
        Graph,
        Graphlets,
        RandomWalk,
        RegularizedLaplacian,
        VertexPaths,
        WeisfeilerLehman,
        direct_product,
        stopping_probability,
        walk_distribution,
    )
    from infimum.kernels.kernel_expansion import KernelExpansion
    from infimum.kernels.named import named_kernel
    from infimum.kernels.precomputed import Precomputed
    from infimum.kernels.sets import (
        CommonSubsets,
        Jaccard,
        MeanEmbedding,
        SetIntersection,
    )
    from infimum.kernels.strings import (
        Alignments,
        AllSubstrings,
        BagOfWords,
        BoundedRange,
        EditDistance,
        GappedSubsequences,
        Mismatch,
        Spectrum,
        is_subsequence,
        is_substring,
        occurrence_weight,
    )
    from infimum.kernels.vectors import (
        AdditiveChiSquared,
        BSpline,
        Cosine,
        Exponential,
        ExponentialChiSquared,
        Gaussian,
        Hamming,
        HistogramIntersection,
        Laplacian,
        Linear,
        Matern,
        Polynomial,
        RationalQuadratic,
        Sigmoid,
        SkewedChiSquared,
    )


__all__ = [
    "AdditiveChiSquared",
    "Alignments",
    "AllSubstrings",
    "BSpline",
    "BagOfWords",
    "BoundedRange",
    "Centered",
    "CommonSubsets",
    "Composed",
    "Conditioned",
    "ConicCombination",
    "Constant",
    "Convolution",
    "Cosine",
    "Definiteness",
    "Deformed",
    "Delta",
    "Diffusion",
    "EditDistance",
    "Exponential",
    "ExponentialChiSquared",
    "Exponentiated",
    "FromDistance",
    "FromFunction",
    "GappedSubsequences",
    "Gaussian",
    "Graph",
    "Graphlets",
    "Hamming",
    "HistogramIntersection",
    "Jaccard",
    "Kernel",
    "KernelExpansion",
    "Laplacian",
    "Linear",
    "Matern",
    "MeanEmbedding",
    "Mismatch",
    "Normalized",
    "Polynomial",
    "Power",
    "Precomputed",
    "Product",
    "RadialOf",
    "RandomWalk",
    "RationalQuadratic",
    "RegularizedLaplacian",
    "Reweighted",
    "Scaled",
    "SetIntersection",
    "Sigmoid",
    "SkewedChiSquared",
    "Spectrum",
    "Sum",
    "TensorProduct",
    "VertexPaths",
    "WeisfeilerLehman",
    "center_gram",
    "check_definite",
    "direct_product",
    "gram_from_distances",
    "is_subsequence",
    "is_substring",
    "kernel_alignment",
    "kernel_distances",
    "named_kernel",
    "normalize_gram",
    "occurrence_weight",
    "splits",
    "stopping_probability",
    "target_alignment",
    "walk_distribution",
]

if not TYPE_CHECKING:
    __getattr__ = load_on_demand(__name__)
