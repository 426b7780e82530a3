"""Words, images, purchases, graphs and bases as vectors, one kind of object a file."""

from infimum.study.features.bag_of_words import STOP_WORDS, BagOfWords
from infimum.study.features.basis import PolynomialBasis, SineBasis
from infimum.study.features.feature_map import FeatureMap
from infimum.study.features.graph_motifs import MotifCounts
from infimum.study.features.hashed_words import HashedText
from infimum.study.features.images import ImageVectors
from infimum.study.features.intercept import InterceptColumn
from infimum.study.features.monomials import QuadraticMonomials
from infimum.study.features.norms import p_norm, p_power, support_size
from infimum.study.features.purchases import (
    BasketCounts,
    PurchaseTable,
    count_together,
    count_users,
)
from infimum.study.features.slope import maximal_slope
from infimum.study.features.standardization import Standardizer
from infimum.study.features.stemming import stem
from infimum.study.features.substrings import SubstringCounts
from infimum.study.features.term_counts import TermCounts
from infimum.study.features.web_pages import WebPageFeatures
from infimum.study.features.whitening import Whitener

__all__ = [
    "STOP_WORDS",
    "BagOfWords",
    "BasketCounts",
    "FeatureMap",
    "HashedText",
    "ImageVectors",
    "InterceptColumn",
    "MotifCounts",
    "PolynomialBasis",
    "PurchaseTable",
    "QuadraticMonomials",
    "SineBasis",
    "Standardizer",
    "SubstringCounts",
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
