"""Designs: X as the objectives see it, behind five operations."""

from infimum.data.designs._design import Design, Judged
from infimum.data.designs.dense import DenseDesign
from infimum.data.designs.entry import as_design, centred
from infimum.data.designs.sparse import SparseDesign
from infimum.data.designs.standardized import StandardizedDesign

__all__ = [
    "DenseDesign",
    "Design",
    "Judged",
    "SparseDesign",
    "StandardizedDesign",
    "as_design",
    "centred",
]
