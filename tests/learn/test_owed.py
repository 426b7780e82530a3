"""What is promised of a model is told even when the time is up."""

import infimum


def test_promises_are_told_when_there_was_no_time_at_all(binary_table, monkeypatch):
    monkeypatch.setattr("infimum.learn.job._GRACE", 60.0)
    result = infimum.learn(binary_table, "verdict", budget=0.001)
    assert result.ended == "budget"
    assert result.evidence["guarantees"]["bounds"]
    assert "coverage" in result.evidence["conformal"]
    assert "no time left" in result.evidence["importance"]["reason"]
