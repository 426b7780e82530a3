"""Decoders: the best labelling of a structure, the sum over all, and marginals."""

from infimum.decoders.chain import Chain, ChainMarginals

__all__ = ["Chain", "ChainMarginals"]
