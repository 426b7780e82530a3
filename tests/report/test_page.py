"""The report as a text: complete, self-contained, safe."""

import copy
import json
import re
from html.parser import HTMLParser

import plotly.graph_objects as go
import pytest

from infimum import report
from infimum.errors import DataError
from infimum.report import render, write_report
from infimum.report.menu import menu
from infimum.report.rivals import blend_words, champion_words
from infimum.report.sentences import answer, titles

TASKS = ["binary", "multiclass", "regression"]
every_task = pytest.mark.parametrize("task", TASKS)


class _Reader(HTMLParser):
    """Collects the elements and the visible text of a page."""

    def __init__(self):
        super().__init__()
        self.elements, self.words, self.inside = [], [], []
        self.figures = ""

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        self.inside.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop()[0] != tag:
            pass

    def handle_data(self, data):
        tag, attributes = self.inside[-1] if self.inside else ("", {})
        if attributes.get("id") == "figures":
            self.figures += data
        elif tag not in {"script", "style"}:
            self.words.append(data)

    @property
    def text(self):
        return re.sub(r"\s+", " ", "".join(self.words))


def read(page):
    reader = _Reader()
    reader.feed(page)
    return reader


@pytest.fixture(scope="module")
def pages(results):
    return {task: read(render(results[task])) for task in TASKS}


@every_task
def test_the_whole_report_stays_below_six_megabytes(results, task):
    assert 10_000 < len(render(results[task]).encode()) < 6e6


@every_task
def test_the_page_asks_the_network_for_nothing(pages, task):
    for tag, attributes in pages[task].elements:
        if tag not in {"a"}:
            address = attributes.get("src") or attributes.get("href") or "data:"
            assert address.startswith(("data:", "#")), (tag, attributes)
    policy = next(
        attributes["content"]
        for tag, attributes in pages[task].elements
        if attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none'")
    assert "http" not in policy


@every_task
def test_column_names_and_labels_are_shown_as_text(pages, task):
    page = pages[task]
    scripts = [each for each in page.elements if each[0] == "script"]
    assert len(scripts) == 4
    assert not [each for each in page.elements if each[0] == "i"]
    assert "<script>window.broken" in page.text
    assert "<i>target</i>" in page.text


@every_task
def test_figures_are_valid_and_carry_their_finding(pages, task):
    figures = json.loads(pages[task].figures)
    placed = {
        attributes["data-figure"]
        for _, attributes in pages[task].elements
        if "data-figure" in attributes
    }
    assert placed == set(figures)
    assert {"score_path", "weight_path", "gap", "weights"} <= placed
    for figure in figures.values():
        assert figure.pop("table")["rows"], figure
        assert "value" in figure.pop("summary")
        plain = json.dumps(figure)
        assert "<script" not in plain
        go.Figure(json.loads(re.sub(r'"@\w+"', '"#123456"', plain)))


def test_each_task_shows_its_own_evidence(pages):
    binary, regression = (
        set(json.loads(pages[t].figures)) for t in (TASKS[0], TASKS[2])
    )
    assert "roc" in binary
    assert {"points", "histogram"} <= regression
    assert not {"roc", "calibration"} & regression
    assert "truly no" in pages["binary"].text
    assert "off by at most" in pages["regression"].text


@every_task
def test_the_answer_comes_first(results, pages, task):
    text = pages[task].text
    assert text.index("rows it had never seen") < text.index("cross-validation")
    assert "duality gap" in text
    assert results[task]["choice"]["label"] in text
    assert f"infimum=={results[task]['versions']['infimum']}" in text


def test_examples_are_named_by_rows_of_the_data_where_those_are_known(results):
    told = results["binary"]
    page = render(told)
    number = told["evidence"]["examples"]["counterfactual"]["number"]
    assert f"<p>Row {number:,}. If " in page
    assert "deciding so for everybody would have differences of 0" in page
    # Results of earlier versions know neither numbers nor extreme rules.
    older = json.loads(json.dumps(told))
    examples = older["evidence"]["examples"]
    for each in (*examples["shapley"]["rows"], *examples["near"]["rows"]):
        del each["number"]
    place = examples["counterfactual"].pop("row")
    examples["counterfactual"] |= {"row": place, "number": None}
    del older["evidence"]["fairness"]["columns"][0]["baselines"]
    page = render(older)
    assert f"<p>Test row {place + 1}. If " in page
    assert "deciding so for everybody" not in page


def test_a_result_without_figures_of_the_solvers_still_has_a_page(results):
    poor = copy.deepcopy(results["binary"])
    for contender in poor["contenders"]:
        contender["trace"], contender["proof"] = [], None
    poor["coefficients"] = []
    poor["ended"] = "interrupted"
    page = read(render(poor))
    assert "the best so far was taken" in page.text
    # A kernel machine has a proof and no weights, and asks about every column.
    assert "The model has no weights" in page.text
    assert "the same for every row" not in page.text
    poor["choice"]["weights"] = 0
    page = read(render(poor))
    assert "The model uses no feature" in page.text
    assert "the same for every row" in page.text


@pytest.mark.parametrize("task", ["quantile", "multilabel"])
def test_bounds_of_weighted_rows_are_not_called_exact(results, task):
    weighed = copy.deepcopy(results[task])
    weighed["exam"]["weights"] = {"column": "n", "effective_rows": 31.5}
    earlier = copy.deepcopy(results[task])
    del earlier["exam"]["weights"]  # as results of earlier days are
    plain, told = read(render(earlier)).text, read(render(weighed)).text
    assert "31.5 rows" in told
    assert "approximation" in told
    assert "approximation" not in plain
    assert "exact binomial bounds" not in told


def test_missing_numbers_are_dashes(results):
    poor = copy.deepcopy(results["binary"])
    poor["contenders"][0]["metrics"]["log_loss"] = None
    poor["exam"]["metrics"]["auc"] = None
    assert "–" in read(render(poor)).text


def test_the_report_is_written_anew_from_the_result_alone(results, tmp_path):
    (tmp_path / "result.json").write_text(json.dumps(results["regression"]))
    place = write_report(tmp_path)
    assert place == tmp_path / "report.html"
    assert place.read_text(encoding="utf-8") == render(results["regression"])
    assert {entry.name for entry in tmp_path.iterdir()} == {
        "result.json",
        "report.html",
    }


def test_a_directory_without_result_is_refused(tmp_path):
    with pytest.raises(DataError, match="does not exist"):
        write_report(tmp_path)
    with pytest.raises(DataError, match="is no directory"):
        write_report(tmp_path / "none")
    assert {"render", "write_report"} <= set(report.__all__)


def test_a_constant_that_ran_alone_is_not_said_to_be_unbeaten(results):
    told = copy.deepcopy(results["binary"])
    told["choice"]["name"] = "baseline"
    assert answer(told)[0].startswith("Nothing that was tried on")
    assert titles(told)["leaderboard"].startswith("No model clearly beats")
    told["contenders"] = [
        contender for contender in told["contenders"] if contender["name"] == "baseline"
    ]
    assert "better is not known" in answer(told)[0]
    assert titles(told)["leaderboard"].startswith("Only the constant answer had time")


def test_a_readable_model_of_no_cost_is_as_good():
    champion = {"name": "tree", "label": "Tree", "score": 0.9, "cost": 0.0, "folds": 5}
    told = {"champion": champion, "criterion": {"label": "accuracy"}}
    said = champion_words(told)
    assert said.endswith("exactly as good as the winner on the same folds.")


def test_a_blend_that_falls_behind_needs_no_other_reason():
    member = {"name": "m", "label": "M", "share": 0.5}
    blend = {"taken": False, "reason": "noise", "members": [member] * 2, "gain": -0.1}
    said = blend_words({"blend": blend, "criterion": {"label": "AUC"}})
    assert "falls behind the best single model by 0.10 of AUC." in said
    assert said.endswith(". So it was not taken.")


def test_stages_and_groups_are_called_what_people_call_them(results):
    page = render(results["binary"])
    assert "getting ready</th>" in page
    assert ">warm<" not in page
    links = menu({"main", "fairness"})
    assert links[-2:] == [(None, "Fairness"), ("fairness", "Groups")]
