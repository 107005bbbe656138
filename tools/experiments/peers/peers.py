"""Draws tables by other programs, and measures tables with them, for the program beside this file.

    python peers.py draw TRAIN.csv FOLDER             one table by each program, and a line of JSON for each
    python peers.py measure TRAIN.csv CONTROL.csv SECRET TABLE.csv

Times are processor seconds. What cannot be done is told by its error.
"""

import json
import sys
import time
import warnings

warnings.filterwarnings("ignore")

import pandas as pd

ATTACKS = 500


def sdv_copula(train):
    from sdv.metadata import Metadata
    from sdv.single_table import GaussianCopulaSynthesizer

    data = {"table": train}
    model = GaussianCopulaSynthesizer(Metadata.detect_from_dataframes(data))
    model.fit(data)
    drawn = model.sample(len(train))
    return drawn["table"] if isinstance(drawn, dict) else drawn


DRAWN = {"sdv": sdv_copula}


def timed(f):
    begun = time.process_time()
    try:
        return f(), {"seconds": time.process_time() - begun}
    except Exception as e:  # of a program of others, whatever it is
        return None, {"error": f"{type(e).__name__}: {e}".splitlines()[0][:120]}


def draw(train, folder):
    for name, by in DRAWN.items():
        table, told = timed(lambda: by(train))
        if table is not None:
            table[list(train.columns)].to_csv(f"{folder}/{name}.csv", index=False)
        print(json.dumps({"name": name, **told}), flush=True)


def quality(train, table):
    from sdmetrics.reports.single_table import QualityReport

    columns = {
        name: {"sdtype": "numerical" if pd.api.types.is_numeric_dtype(column) else "categorical"}
        for name, column in train.items()
    }
    report = QualityReport()
    report.generate(train, table, {"columns": columns}, verbose=False)
    return {"figure": report.get_score()}


def risk(evaluator):
    found = evaluator.evaluate().risk(confidence_level=0.95)
    return {"figure": found.value, "lo": found.ci[0], "hi": found.ci[1]}


def singling_out(train, table, control):
    from anonymeter.evaluators import SinglingOutEvaluator

    return risk(SinglingOutEvaluator(train, table, n_attacks=ATTACKS, n_cols=3, control=control, seed=1))


def linkability(train, table, control, secret):
    from anonymeter.evaluators import LinkabilityEvaluator

    known = [name for name in train.columns if name != secret]
    sets = (known[0::2], known[1::2])
    return risk(LinkabilityEvaluator(train, table, aux_cols=sets, n_neighbors=1, n_attacks=ATTACKS, control=control))


def inference(train, table, control, secret):
    from anonymeter.evaluators import InferenceEvaluator

    known = [name for name in train.columns if name != secret]
    return risk(InferenceEvaluator(train, table, aux_cols=known, secret=secret, n_attacks=ATTACKS, control=control))


def measure(train, control, secret, table):
    for name, by in {
        "quality": lambda: quality(train, table),
        "singlingout": lambda: singling_out(train, table, control),
        "linkability": lambda: linkability(train, table, control, secret),
        "inference": lambda: inference(train, table, control, secret),
    }.items():
        figures, told = timed(by)
        print(json.dumps({"name": name, **told, **(figures or {})}), flush=True)


if sys.argv[1] == "draw":
    draw(pd.read_csv(sys.argv[2]), sys.argv[3])
else:
    read = {path: pd.read_csv(path) for path in (sys.argv[2], sys.argv[3], sys.argv[5])}
    measure(read[sys.argv[2]], read[sys.argv[3]], sys.argv[4], read[sys.argv[5]])
