"""Streams: rows of files that are read in passes, without ever being held at once."""

from infimum.data.streams.chances import chances
from infimum.data.streams.passes import (
    LocalRunner,
    current_runner,
    in_any_order,
    nodes_of,
    runner,
    tree_for,
)
from infimum.data.streams.scan import Scan, scan
from infimum.data.streams.spool import Leaf, Spool
from infimum.data.streams.tree import Node, Sums, Tree, added

__all__ = [
    "Leaf",
    "LocalRunner",
    "Node",
    "Scan",
    "Spool",
    "Sums",
    "Tree",
    "added",
    "chances",
    "current_runner",
    "in_any_order",
    "nodes_of",
    "runner",
    "scan",
    "tree_for",
]
