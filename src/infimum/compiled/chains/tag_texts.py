"""Best labels of sequences whose tokens are words: found, weighed and decoded."""

import numpy as np

from infimum.compiled.chains.chain_labels import chain_labels
from infimum.compiled.chains.field_parts import Pairs, Tokens
from infimum.compiled.chains.field_scores import field_scores
from infimum.compiled.loop import loop
from infimum.compiled.texts.name_table import Names, read_names
from infimum.typing import Indices, Matrix, Vector

__all__ = ["tag_texts"]


@loop()
def tag_texts(
    letters: Indices,
    numbers: Matrix,
    names: Names,
    pairs: Pairs,
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
    most = size * names.kinds.size
    starts, ids = np.empty(size + 1, dtype=np.int64), np.empty(most, dtype=np.int32)
    tokens = Tokens(starts, ids, np.empty(most))
    if read_names(letters, numbers, names, tokens) < 0:
        return False
    scores = np.empty((size, across.shape[0]))
    field_scores(tokens, pairs, scores)
    chain_labels(scores, edges, across, edges, bounds, pointers, labels)
    return True
