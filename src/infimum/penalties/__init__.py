"""Penalties Ω(w), one file each. To add one: write the file, add two lines here."""

from typing import TYPE_CHECKING

from infimum.lazy import load_on_demand

if TYPE_CHECKING:
    from infimum.penalties._penalty import Penalty, SeparablePenalty
    from infimum.penalties.ball import Ball
    from infimum.penalties.box import Box
    from infimum.penalties.elastic_net import ElasticNet
    from infimum.penalties.entropy import Entropy
    from infimum.penalties.fused_lasso import FusedLasso
    from infimum.penalties.graph_laplacian import GraphLaplacian
    from infimum.penalties.group_lasso import GroupLasso
    from infimum.penalties.lasso import Lasso
    from infimum.penalties.linear_equalities import LinearEqualities
    from infimum.penalties.mcp import MCP
    from infimum.penalties.non_negative import NonNegative
    from infimum.penalties.none import NoPenalty
    from infimum.penalties.nuclear_norm import NuclearNorm
    from infimum.penalties.p_norm import PNorm
    from infimum.penalties.ridge import Ridge
    from infimum.penalties.scad import SCAD
    from infimum.penalties.simplex import Simplex
    from infimum.penalties.sorted_l1 import SortedL1
    from infimum.penalties.sparse_group_lasso import SparseGroupLasso
    from infimum.penalties.total_variation import TotalVariation
    from infimum.penalties.weighted_elastic_net import WeightedElasticNet
    from infimum.penalties.weighted_lasso import WeightedLasso
    from infimum.penalties.weighted_ridge import WeightedRidge


__all__ = [
    "MCP",
    "SCAD",
    "Ball",
    "Box",
    "ElasticNet",
    "Entropy",
    "FusedLasso",
    "GraphLaplacian",
    "GroupLasso",
    "Lasso",
    "LinearEqualities",
    "NoPenalty",
    "NonNegative",
    "NuclearNorm",
    "PNorm",
    "Penalty",
    "Ridge",
    "SeparablePenalty",
    "Simplex",
    "SortedL1",
    "SparseGroupLasso",
    "TotalVariation",
    "WeightedElasticNet",
    "WeightedLasso",
    "WeightedRidge",
]

if not TYPE_CHECKING:
    __getattr__ = load_on_demand(__name__)
