"""Inner products of a few sparse rows with all the others."""

from infimum.compiled.loop import loop
from infimum.typing import Indices, Matrix, Vector

__all__ = ["dot_postings"]


@loop()
def dot_postings(
    starts: Indices,
    columns: Indices,
    entries: Vector,
    posting_starts: Indices,
    posting_rows: Indices,
    posting_entries: Vector,
    out: Matrix,
) -> None:
    """Add ⟨left row, right row⟩ to `out`.

    The left rows are compressed by row, the right ones by column: each entry of a left
    row visits the right rows that share its column and no others, which on text is a
    small part of all pairs.
    """
    for i in range(starts.size - 1):
        row = out[i]
        for place in range(starts[i], starts[i + 1]):
            column, entry = columns[place], entries[place]
            for p in range(posting_starts[column], posting_starts[column + 1]):
                row[posting_rows[p]] += entry * posting_entries[p]
