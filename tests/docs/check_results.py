"""The files of scores and runs, against those that the program writes."""
import csv
import io
import json
import re
import sqlite3

import sources

ROOMS = [f"{sources.ROOMS}/{room}" for room in ("score", "sync", "sampling", "run", "store", "report", "trend", "receive", "node", "line")]


def known(world):
    return world.sources.literals(*ROOMS, sources.TOOLS)


def header(holding, text, what):
    holding.exactly(next(csv.reader(io.StringIO(text))), what)


def score_json(holding, world):
    holding.members([world.score], known(world))


def score_json_segments(holding, world):
    holding.members(world.long_score["segments"], known(world))


def score_columns(holding, world):
    text = world.manifest_scores
    columns = next(csv.reader(io.StringIO(text)))
    holding.exactly([one for one in columns if one not in ("reference", "degraded", "line")], "column")


def results_csv(holding, world):
    header(holding, (world.run_folder / "results.csv").read_text(), "column")


def results_run(holding, world):
    holding.members([world.results], known(world), elsewhere=("sampling", "directions"))


def results_direction(holding, world):
    holding.members(world.results["directions"], known(world), elsewhere=("conversation_estimate", "outcomes", "stimuli"))


def results_stimulus(holding, world):
    stimuli = [one for direction in world.results["directions"] for one in direction["stimuli"]]
    holding.members(stimuli, known(world), elsewhere=("outcomes", "measurements"))


def results_measurement(holding, world):
    holding.members(world.measurements, known(world))


def conversation_estimate(holding, world):
    holding.exactly(world.results["directions"][0]["conversation_estimate"], "member")


def run_files(holding, world):
    """Files of a run with a note and of a campaign with repeats; the others are named in the sources."""
    folders = [world.run_folder, world.campaign_folder, world.campaign_folder / "run-0001"]
    real = {path.name + ("/" if path.is_dir() else "") for folder in folders for path in folder.iterdir()}
    documented = {token: row for row in holding.table.rows for token in row.tokens()}
    for name in sorted(real):
        if re.sub(r"^run-\d+/$", "run-0001/", name) not in documented:
            holding.wrong(f"the file \"{name}\" is missing", "add a row for it")
    names = known(world) | world.sources.literals(f"{sources.ROOMS}/campaign", sources.INCLUDE)
    for name, place in holding.tokens().items():
        if name not in real and name.rstrip("/") not in names:
            holding.wrong(f"no run has a file \"{name}\"", "correct the name, or take it out", place)


def store_tables(holding, world):
    world.program.run("results", "take", world.run_folder, "--store", world.folder / "store.sqlite")
    with sqlite3.connect(world.folder / "store.sqlite") as store:
        tables = [name for name, in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    holding.exactly([one for one in tables if not one.startswith("sqlite_")], "table")


def trend_json(holding, world):
    holding.members([world.trend], known(world), elsewhere=("directions", "runs"))


def trend_json_direction(holding, world):
    holding.members(world.trend["directions"], known(world), elsewhere=("scales",))


def trend_json_scale(holding, world):
    holding.members([scale for direction in world.trend["directions"] for scale in direction["scales"]], known(world))


def trend_json_run(holding, world):
    holding.members(world.trend["runs"], known(world), elsewhere=("tags",))


def campaign_metrics(holding, world):
    assert world.campaign_events
    text = (world.folder / "campaign.prom").read_text()
    real = set(re.findall(r"^# TYPE (\w+) ", text, re.MULTILINE))
    holding.exactly(real, "figure")
    for row in holding.table.rows:
        for name in row.tokens(0):
            labels = set(re.findall(r'[{,](\w+)="', "".join(re.findall(rf"^{name}\{{.*\}} ", text, re.MULTILINE))))
            if name in real and labels != set(row.tokens(1)):
                holding.wrong(f"\"{name}\" has the labels {sorted(labels)}", "name these", row.place)


CHECKS = {"trend-json": trend_json, "trend-json-direction": trend_json_direction, "trend-json-scale": trend_json_scale,
          "trend-json-run": trend_json_run, "campaign-metrics": campaign_metrics, "score-json": score_json, "score-json-segments": score_json_segments, "score-columns": score_columns,
          "results-csv": results_csv, "results-run": results_run, "results-direction": results_direction,
          "results-stimulus": results_stimulus, "results-measurement": results_measurement,
          "conversation-estimate": conversation_estimate, "run-files": run_files, "store-tables": store_tables}
