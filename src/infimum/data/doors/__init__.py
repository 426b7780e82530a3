"""Doors: the only places where user data is checked, each thing exactly once.

A door takes what the user gave and returns `Rows`; past it, arrays are trusted. Rows
with class labels enter by `labelled`, with numbers to tell by `measured`, without
targets by `rows`; collections of anything and kernel matrices by `things`; batches of
a stream by `streams`; new rows for a fitted estimator by `samples`; the arguments of
functions without an estimator by `array`, `table` and `vector`. `read` is for targets
of unusual kinds: it checks X and y and leaves the rest to its caller. The conventions
on labels, on the winner among classes and on class weights are in `labels`.
"""

from infimum.data.doors.admitted import Rows
from infimum.data.doors.arguments import array, same_length, table, vector
from infimum.data.doors.batches import streams
from infimum.data.doors.fitted import check_fitted
from infimum.data.doors.labels import class_weighted, coded, winners
from infimum.data.doors.limits import refuse_huge, refuse_tiny, refuse_unfinite
from infimum.data.doors.reading import read
from infimum.data.doors.sequence_lists import Sequences, sequences
from infimum.data.doors.tables import labelled, measured, rows, samples
from infimum.data.doors.thing_lists import things
from infimum.data.doors.token_attributes import (
    TokenAttributes,
    Vocabulary,
    chain_labels_of,
)
from infimum.data.doors.token_texts import NameTable, TokenTexts
from infimum.data.doors.weights import weighed

__all__ = [
    "NameTable",
    "Rows",
    "Sequences",
    "TokenAttributes",
    "TokenTexts",
    "Vocabulary",
    "array",
    "chain_labels_of",
    "check_fitted",
    "class_weighted",
    "coded",
    "labelled",
    "measured",
    "read",
    "refuse_huge",
    "refuse_tiny",
    "refuse_unfinite",
    "rows",
    "same_length",
    "samples",
    "sequences",
    "streams",
    "table",
    "things",
    "vector",
    "weighed",
    "winners",
]
