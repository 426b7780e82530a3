"""Decoders: the best labelling of a structure, the sum over all, and marginals."""

from infimum.decoders.assignment import Assignment
from infimum.decoders.chain import Chain, ChainMarginals
from infimum.decoders.graph import Graph, Relaxed
from infimum.decoders.grid import Grid
from infimum.decoders.ontology import Ontology
from infimum.decoders.tree import Tree, TreeMarginals

__all__ = [
    "Assignment",
    "Chain",
    "ChainMarginals",
    "Graph",
    "Grid",
    "Ontology",
    "Relaxed",
    "Tree",
    "TreeMarginals",
]
