"""Every fitted ranker returns from its file with the same answers."""

import pytest

import infimum
from infimum.models import ranking
from infimum.models.ranking import BradleyTerryRanker

GAMES = [("a", "b"), ("b", "c"), ("c", "a"), ("a", "c"), ("b", "a"), ("c", "b")]
#: Every pair wins, loses and draws on its ground; "a" does better.
ROUNDS = [(*pair, won) for pair in GAMES for won in (1, 0, 0.5)] + [("a", "b", 1)]
RANKERS = [
    ranking.BradleyTerryRanker(),
    ranking.BradleyTerryRanker(home=True, ties="davidson"),
    ranking.CountingRanker("copeland"),
    ranking.KemenyRanker(),
    ranking.PlackettLuceRanker(),
    ranking.RankCentrality(),
    ranking.RankingSVC(),
    ranking.SerialRanker(),
]


@pytest.mark.parametrize("model", RANKERS, ids=repr)
def test_a_ranker_returns(model, tmp_path):
    model.fit(ROUNDS if getattr(model, "home", False) else GAMES)
    infimum.save(model, tmp_path / "r.infimum")
    loaded = infimum.load(tmp_path / "r.infimum")
    assert type(loaded) is type(model)
    assert loaded.ranking_ == model.ranking_
    assert loaded.scores_.tolist() == model.scores_.tolist()
    assert repr(loaded) == repr(model)
    if isinstance(model, BradleyTerryRanker):
        assert loaded.predict_proba([("a", "b")]).tolist() == (
            model.predict_proba([("a", "b")]).tolist()
        )
        assert loaded.rank_sets().tolist() == model.rank_sets().tolist()
