"""Arguments of the loops that grow boosted trees, as named tuples of arrays."""

from typing import Any, NamedTuple

__all__ = ["Finds", "Growth", "Share", "Split", "Terms"]


class Growth(NamedTuple):
    """A tree that grows: columns of its nodes are named in `boost_columns`.

    ``sets[at, code]`` tells whether a code goes left at a node, ``openings[at, group]``
    whether features of a group may still be asked there. `slots` are histograms.
    """

    nodes: Any
    reals: Any
    sets: Any
    tally: Any
    slots: Any
    openings: Any


class Terms(NamedTuple):
    """What a tree may do: groups of features, a table of features, rules, limits."""

    groups: Any
    table: Any
    rules: Any
    limits: Any


class Share(NamedTuple):
    """Rows of one part in the order of nodes, whose places are `spans`, with all data.

    The same codes lie feature by feature and, eight to a word, row by row.
    """

    codes: Any
    words: Any
    slopes: Any
    fine: Any
    rows: Any
    spare: Any
    spans: Any


class Finds(NamedTuple):
    """What each part has found about a node's children: histograms and best splits.

    With no room for histograms a part has all rows, and counts them where they belong.
    """

    planes: Any
    nodes: Any
    reals: Any
    sets: Any


class Split(NamedTuple):
    """The best split of a node so far, with what is known of the node."""

    node: Any
    real: Any
    goes_left: Any
