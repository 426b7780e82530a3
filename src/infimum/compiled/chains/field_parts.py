"""What loops of random fields are given: tokens with attributes, weights of pairs."""

from typing import Any, NamedTuple

__all__ = ["Pairs", "Tokens"]


class Tokens(NamedTuple):
    """Attributes of token t stand from ``starts[t]`` on in `ids`, with their values."""

    starts: Any
    ids: Any
    values: Any


class Pairs(NamedTuple):
    """Pairs of attribute a and a label stand from ``starts[a]`` on, with weights."""

    starts: Any
    labels: Any
    weights: Any
