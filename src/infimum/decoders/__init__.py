"""Decoders: the best labelling of a structure, the sum over all, and marginals."""

from infimum.decoders.chain import Chain, ChainMarginals
from infimum.decoders.ontology import Ontology

__all__ = ["Chain", "ChainMarginals", "Ontology"]
