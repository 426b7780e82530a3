"""From objects to vectors, one kind of object a file."""

from infimum.features.additive_chi2_sampler import AdditiveChi2Sampler
from infimum.features.bag_of_words import STOP_WORDS, BagOfWords
from infimum.features.basis import PolynomialBasis, SineBasis
from infimum.features.feature_map import FeatureMap
from infimum.features.graph_motifs import MotifCounts
from infimum.features.hashed_words import HashedText
from infimum.features.images import ImageVectors
from infimum.features.intercept import InterceptColumn
from infimum.features.monomials import QuadraticMonomials
from infimum.features.norms import p_norm, p_power, support_size
from infimum.features.nystroem import Nystroem
from infimum.features.polynomial_count_sketch import PolynomialCountSketch
from infimum.features.purchases import (
    BasketCounts,
    PurchaseTable,
    count_together,
    count_users,
)
from infimum.features.rbf_sampler import RBFSampler
from infimum.features.skewed_chi2_sampler import SkewedChi2Sampler
from infimum.features.slope import maximal_slope
from infimum.features.standardization import Standardizer
from infimum.features.stemming import stem
from infimum.features.substrings import SubstringCounts
from infimum.features.table_encoder import TableEncoder
from infimum.features.term_counts import TermCounts
from infimum.features.web_pages import WebPageFeatures
from infimum.features.whitening import Whitener

__all__ = [
    "STOP_WORDS",
    "AdditiveChi2Sampler",
    "BagOfWords",
    "BasketCounts",
    "FeatureMap",
    "HashedText",
    "ImageVectors",
    "InterceptColumn",
    "MotifCounts",
    "Nystroem",
    "PolynomialBasis",
    "PolynomialCountSketch",
    "PurchaseTable",
    "QuadraticMonomials",
    "RBFSampler",
    "SineBasis",
    "SkewedChi2Sampler",
    "Standardizer",
    "SubstringCounts",
    "TableEncoder",
    "TermCounts",
    "WebPageFeatures",
    "Whitener",
    "count_together",
    "count_users",
    "maximal_slope",
    "p_norm",
    "p_power",
    "stem",
    "support_size",
]
