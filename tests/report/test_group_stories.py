"""Who tells the group, and what only the group changes, beside the criteria."""

from infimum.report import render


def test_proxies_flips_and_the_overall_error_stand_beside_the_groups(results):
    (told,) = results["binary"]["evidence"]["fairness"]["columns"]
    shares = [each["association"] for each in told["proxies"]]
    assert shares == sorted(shares, reverse=True)
    assert "colour" not in {each["column"] for each in told["proxies"]}
    wrong = [group["rates"]["error rate"]["hits"] for group in told["groups"]]
    assert told["overall"]["rates"]["error rate"]["hits"] == sum(wrong)
    assert told["used"]
    assert {each["value"] for each in told["flips"]["means"]} == {"red", "blue"}
    means = {each["value"]: each["mean"] for each in told["flips"]["means"]}
    assert means["red"] != means["blue"]
    page = render(results["binary"])
    assert "What tells the group" in page
    assert "If only colour changed" in page


def test_bounds_from_the_training_rows_are_told_or_called_vacuous(results):
    told = results["binary"]["evidence"]["guarantees"]
    methods = {each["method"] for each in told["bounds"] + told["vacuous"]}
    rests = [note for note in told["notes"] if "Bounds from the training rows" in note]
    known = ("VC bound", "Rademacher", "leaves")
    assert any(name in method for method in methods for name in known) or rests
