"""Logistic regression in one pass over a tall dense table, beside stream learners."""

from benchmarks.tasks.online_dense import DenseStream


class TallStream(DenseStream):
    """A million rows, of which a tenth are for the judge.

    As text they would take more than a gigabyte, so that Vowpal Wabbit reads the first
    90,000 ten times, which are as many steps. River has its turn with fewer rows.
    """

    title = "Logistic steps, one pass, dense 1,000,000 × 100, 2 % of the least error"
    size = (1_000_000, 100)
    readable, passes = 90_000, 10

    def contenders(self):
        """Return those who learn this many rows in seconds."""
        return [one for one in super().contenders() if one.name != "River"]


TASK = TallStream()
