"""All-substrings kernel: 500 strings of 1,000 letters, all pairs."""

import numpy as np

from benchmarks.task import Contender

DECAY = 0.5
#: The dynamic programme takes a million steps a pair, so it is given a tenth of the
#: strings: 1,275 pairs, a 98th part of what the others compute.
SHARE = 10
JUDGED = 8


class AllSubstringsTask:
    """Judged by the values that the dynamic programme gives a few of the strings.

    Twice the letters should take ours twice the time.
    """

    title = (
        "All-substrings kernel, 500 strings × 1,000 letters, all 125,250 pairs "
        "(the dynamic programme: 50 strings, 1,275 pairs)"
    )
    tolerance = 1e-9

    def problem(self, *, quick):
        draw = np.random.default_rng(0)
        count, length = (100, 100) if quick else (500, 1_000)
        letters = np.array(list("acgt"))
        long = ["".join(letters[draw.integers(0, 4, 2 * length)]) for _ in range(count)]
        texts = [text[:length] for text in long]
        return {
            "texts": texts,
            "long": long,
            "values": {
                name: by_table(some[:JUDGED])
                for name, some in (("texts", texts), ("long", long))
            },
        }

    def contenders(self):
        yield Contender("infimum", fit_ours, ("texts",))
        yield Contender("infimum (2,000 letters)", fit_ours, ("long",))
        yield Contender("dynamic programme, NumPy (50 strings)", fit_table)

    def excess(self, problem, answer):
        name, gram = answer
        truth = problem["values"][name]
        return float((np.abs(gram[:JUDGED, :JUDGED] - truth) / truth).max())


def fit_ours(problem, name):
    from infimum.kernels import AllSubstrings

    return name, AllSubstrings(DECAY)(problem[name])


def fit_table(problem, _):
    texts = problem["texts"]
    return "texts", by_table(texts[: max(len(texts) // SHARE, JUDGED)])


def by_table(texts):
    """Sum over all pairs of ends the weight of their common suffixes, row by row.

    Ends with a common suffix of l letters share one substring of each length up to l,
    which weigh s = DECAY (1 + s of the ends before).
    """
    codes = [np.frombuffer(text.encode(), dtype=np.uint8) for text in texts]
    gram = np.zeros((len(codes), len(codes)))
    for i, x in enumerate(codes):
        for j, z in enumerate(codes[: i + 1]):
            gram[i, j] = gram[j, i] = _pair(x, z)
    return gram


def _pair(x, z):
    total, sums = 0.0, np.zeros(len(z) + 1)
    for letter in x:
        sums[1:] = np.where(z == letter, DECAY * (1.0 + sums[:-1]), 0.0)
        total += float(sums.sum())
    return total


TASK = AllSubstringsTask()
