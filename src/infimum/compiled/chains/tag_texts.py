"""Best labels of sequences whose tokens are words: found, weighed and decoded."""

import numpy as np

from infimum.compiled.chains.chain_labels import chain_labels
from infimum.compiled.chains.field_scores import field_scores
from infimum.compiled.loop import loop
from infimum.compiled.texts.name_table import read_names
from infimum.typing import Indices, Matrix, Vector

__all__ = ["tag_texts"]


@loop()
def tag_texts(
    letters: Indices,
    numbers: Matrix,
    key_ends: Indices,
    kinds: Indices,
    names: Indices,
    ends: Indices,
    tables: Indices,
    slots: Indices,
    alone: Indices,
    starts: Indices,
    told: Indices,
    weights: Vector,
    edges: Vector,
    across: Matrix,
    bounds: Indices,
    pointers: Indices,
    labels: Indices,
) -> bool:
    """Fill the best labels; return whether the letters are as many words as needed.

    It is one loop, since another thread would wait for the interpreter's lock between
    two. The arguments are those of `read_names`, `field_scores` and `chain_labels`.
    """
    size = labels.size
    tokens = np.empty(size + 1, dtype=np.int64)
    ids = np.empty(size * kinds.size, dtype=np.int32)
    values = np.empty(size * kinds.size)
    found = read_names(
        letters, numbers, key_ends, kinds, names, ends, tables, slots, alone,
        tokens, ids, values,
    )  # fmt: skip
    if found < 0:
        return False
    scores = np.empty((size, across.shape[0]))
    field_scores(tokens, ids, values, starts, told, weights, scores)
    chain_labels(scores, edges, across, edges, bounds, pointers, labels)
    return True
