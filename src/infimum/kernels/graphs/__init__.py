"""Kernels between graphs, and between the vertices of one graph."""

from typing import TYPE_CHECKING

from infimum.lazy import load_on_demand

if TYPE_CHECKING:
    from infimum.kernels.graphs.diffusion import Diffusion
    from infimum.kernels.graphs.graph import Graph
    from infimum.kernels.graphs.graphlets import Graphlets
    from infimum.kernels.graphs.random_walk import RandomWalk
    from infimum.kernels.graphs.regularized_laplacian import RegularizedLaplacian
    from infimum.kernels.graphs.vertex_paths import VertexPaths
    from infimum.kernels.graphs.walks import (
        direct_product,
        stopping_probability,
        walk_distribution,
    )
    from infimum.kernels.graphs.weisfeiler_lehman import WeisfeilerLehman


__all__ = [
    "Diffusion",
    "Graph",
    "Graphlets",
    "RandomWalk",
    "RegularizedLaplacian",
    "VertexPaths",
    "WeisfeilerLehman",
    "direct_product",
    "stopping_probability",
    "walk_distribution",
]

if not TYPE_CHECKING:
    __getattr__ = load_on_demand(__name__)
