"""Bootstrap fits of a league: games drawn again, scores fitted again."""

import numpy as np

from benchmarks.task import Contender, present
from benchmarks.tasks.bradley_terry import BradleyTerry, fit_choix

#: Fits; a hundred of choix's would take minutes.
ASKED = 10


class Bootstrap(BradleyTerry):
    """Judged by the spread of the scores, which both must tell alike."""

    title = "Bradley–Terry, 10 bootstrap fits of 1,000 items, 100,000 comparisons"
    tolerance = 0.5

    def contenders(self):
        yield Contender("infimum", fit_ours)
        if present("choix"):
            yield Contender("choix", fit_peer)

    def excess(self, problem, answer):
        pairs, n, _ = problem
        games = np.bincount(pairs.ravel(), minlength=n)
        # A score's error is about 2/√games; both rows must be that near to each other.
        return float(np.abs(np.diff(answer, axis=0)).mean() * np.sqrt(games.mean())) - 3


def fit_ours(problem, _):
    from infimum.models.ranking import BradleyTerryRanker

    model = BradleyTerryRanker().fit(problem[0])
    return model.bootstrap(ASKED, random_state=0)


def fit_peer(problem, _):
    pairs, n = problem[:2]
    rng = np.random.default_rng(0)
    draws = (pairs[rng.integers(0, len(pairs), len(pairs))] for _ in range(ASKED))
    return np.array([fit_choix((games, n), 1e-8) for games in draws])


TASK = Bootstrap()
