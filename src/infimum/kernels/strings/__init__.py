"""Kernels on strings, and on any sequences of symbols."""

from typing import TYPE_CHECKING

from infimum.lazy import load_on_demand

if TYPE_CHECKING:
    from infimum.kernels.strings.alignments import Alignments
    from infimum.kernels.strings.all_substrings import AllSubstrings
    from infimum.kernels.strings.bag_of_words import BagOfWords
    from infimum.kernels.strings.bounded_range import BoundedRange
    from infimum.kernels.strings.edit_distance import EditDistance
    from infimum.kernels.strings.gapped_subsequences import GappedSubsequences
    from infimum.kernels.strings.mismatch import Mismatch
    from infimum.kernels.strings.occurrences import (
        is_subsequence,
        is_substring,
        occurrence_weight,
    )
    from infimum.kernels.strings.spectrum import Spectrum


__all__ = [
    "Alignments",
    "AllSubstrings",
    "BagOfWords",
    "BoundedRange",
    "EditDistance",
    "GappedSubsequences",
    "Mismatch",
    "Spectrum",
    "is_subsequence",
    "is_substring",
    "occurrence_weight",
]

if not TYPE_CHECKING:
    __getattr__ = load_on_demand(__name__)
