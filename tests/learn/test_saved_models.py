"""Using a saved model: predictions and a new look at its proof."""

import numpy as np
import polars as pl
import pytest
from sklearn.preprocessing import StandardScaler

import infimum
from infimum.errors import DataError, ModelFileError
from infimum.learn import predict_table, recheck, write_predictions
from infimum.learn.run_directory import write_run


@pytest.fixture
def saved(learned, tmp_path):
    return write_run(learned, tmp_path / "run", None).out / "model.infimum"


def test_the_proof_holds_when_computed_again(saved, learned, binary_table):
    checked = recheck(saved, binary_table)
    assert checked.same_data
    assert checked.certificate.closed
    assert checked.certificate.primal == pytest.approx(learned.proof.primal, rel=1e-9)
    assert checked.rows == learned.data.train_rows


def test_the_proof_fails_on_altered_data(saved, binary_table):
    flipped = {"no": "yes", "yes": "no"}
    altered = binary_table.with_columns(pl.col("verdict").replace(flipped))
    checked = recheck(saved, altered)
    assert not checked.same_data
    assert not checked.certificate.closed


def test_only_models_of_learn_can_be_rechecked(tmp_path, binary_table):
    path = tmp_path / "scaler.infimum"
    infimum.save(StandardScaler().fit([[0.0], [1.0]]), path)
    with pytest.raises(ModelFileError, match="not written by `infimum learn`"):
        recheck(path, binary_table)


def test_predictions_come_with_probabilities_or_scores(saved, learned, binary_table):
    predicted = predict_table(saved, binary_table.drop("verdict"))
    assert predicted.height == 160
    assert predicted.columns[0] == "prediction"
    assert all(
        c.startswith(("probability of ", "score of ")) for c in predicted.columns[1:]
    )
    expected = learned.model.predict(binary_table)
    np.testing.assert_array_equal(predicted["prediction"].to_numpy(), expected)


def test_regressions_predict_numbers(rows):
    result = infimum.learn(rows.select("size", "signal"), "signal", budget=1e-6)
    predicted = predict_table(result.model, rows)
    assert predicted.columns == ["prediction"]
    assert predicted["prediction"].dtype == pl.Float64


@pytest.mark.parametrize(
    "name, read",
    [
        ("p.csv", pl.read_csv),
        ("p.parquet", pl.read_parquet),
        ("p.jsonl", pl.read_ndjson),
    ],
)
def test_predictions_are_written_by_the_ending_of_the_file(tmp_path, name, read):
    predictions = pl.DataFrame({"prediction": ["a", "b"], "score of b": [-1.5, 2.5]})
    write_predictions(predictions, tmp_path / name)
    assert read(tmp_path / name).equals(predictions)
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


def test_odd_places_for_predictions_are_refused(tmp_path):
    with pytest.raises(DataError, match=r"must end in \.csv"):
        write_predictions(pl.DataFrame(), tmp_path / "p.xlsx")
    with pytest.raises(DataError, match="does not exist"):
        write_predictions(pl.DataFrame(), tmp_path / "no" / "p.csv")


def test_a_column_that_is_gone_is_named(saved, binary_table):
    with pytest.raises(DataError, match="no column 'size'"):
        predict_table(saved, binary_table.drop("size"))
