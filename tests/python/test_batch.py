"""Scores of manifests: those of the command, each pair once, in one process and by a cluster that loses workers."""
import csv
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import time
import wave
from pathlib import Path

import numpy as np
import pytest
import vqas
from vqas.channel import G711Line

pa = pytest.importorskip("pyarrow", reason="vqas.batch needs pyarrow")
pytest.importorskip("fsspec", reason="vqas.batch needs fsspec")
import pyarrow.parquet as pq  # noqa: E402
from vqas.batch import BadManifest, BatchError, Options, score_manifest  # noqa: E402

TEXTS = {"outcome", "impairment", "error", "score_version", "made_from"}


def write_wav(path, samples):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(np.round(samples * 32767).clip(-32768, 32767).astype("<i2").tobytes())


def write_csv(path, header, rows):
    with open(path, "w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return str(path)


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Six references with a degraded recording each, and a file that is no recording."""
    folder = tmp_path_factory.mktemp("archive")
    corpus = vqas.corpus.default()
    for n, one in enumerate(corpus.stimuli[:6]):
        speech = corpus.recording(one.id)
        write_wav(folder / f"{one.id}.wav", speech)
        write_wav(folder / f"{one.id}-heard.wav", G711Line(ber=10.0**-(2 + n % 3), seed=n)(speech))
    (folder / "damaged.wav").write_bytes(b"RIFF0000WAVE")
    return folder


@pytest.fixture(scope="module")
def manifest(archive):
    names = sorted(one.stem for one in archive.glob("??.wav"))
    rows = [[f"site {n}", f"{name}.wav", f"{name}-heard.wav"] for n, name in enumerate(names)]
    rows.insert(2, ["north, gone", f"{names[0]}.wav", "missing.wav"])
    rows.insert(4, ["broken", "damaged.wav", f"{names[1]}-heard.wav"])
    rows.append(["nothing", "", f"{names[1]}-heard.wav"])
    rows.append(["blanks", f" {names[0]}.wav", f"{names[0]}-heard.wav"])
    rows.append(["no columns"])
    return write_csv(archive / "pairs.csv", ["site", "reference", "degraded"], rows)


def parts(out):
    return {one.name: one.read_bytes() for one in sorted(Path(out).glob("part-*.parquet"))}


def table_of(out):
    return pa.concat_tables([pq.read_table(one) for one in sorted(Path(out).glob("part-*.parquet"))])


def rows_of(out):
    return table_of(out).to_pylist()


@pytest.mark.parametrize("impairments", [True, False])
def test_the_table_is_that_of_the_command(manifest, tmp_path, impairments):
    command = os.environ.get("VQAS_COMMAND")
    if not command or not os.path.exists(command):
        pytest.skip("the command vqas is not built")
    subprocess.run([command, "score", "--manifest", manifest, "--out", tmp_path / "scores.csv",
                    *([] if impairments else ["--no-impairments"])], capture_output=True, check=False)
    told = list(csv.DictReader(open(tmp_path / "scores.csv", newline="")))
    summary = score_manifest(Options(manifest, str(tmp_path / "out"), impairments, partition_pairs=4))
    found = rows_of(tmp_path / "out")
    assert list(found[0]) == list(told[0]) and len(found) == len(told) == 11 == summary.progress.pairs
    for ours, theirs in zip(found, told):
        for name, text in theirs.items():
            if name in ("site", "reference", "degraded"):
                assert (ours[name] or "") == text
            elif name in TEXTS:
                if not theirs["error"].startswith("the field") and "fields, but" not in theirs["error"]:
                    assert (ours[name] or "") == text, name
            else:
                assert ours[name] == (float(text) if text else None), name
        assert ours["error"] is None or ours["error"] == theirs["error"]
    assert summary.outcomes == {"bad_input": 5, "scored": 6} and summary.progress.unscored == 5


def test_a_finished_batch_is_found_and_a_changed_recording_is_scored_again(archive, manifest, tmp_path):
    options = Options(manifest, str(tmp_path / "out"), partition_pairs=3)
    score_manifest(options)
    before = parts(options.out)
    assert score_manifest(options).progress.found == 11 and parts(options.out) == before
    done = json.loads((tmp_path / "out" / "_done.json").read_text())
    assert done["partitions"] == 4 == len(before) and done["pairs"] == 11
    heard = next(archive.glob("??-heard.wav"))
    about = heard.stat()
    try:
        os.utime(heard, ns=(about.st_atime_ns, about.st_mtime_ns + 10**9))
        again = score_manifest(options).progress
        after = parts(options.out)
        assert 0 < again.found < 11 and len(after) == 4 and len(set(after) - set(before)) == len(set(before) - set(after)) > 0
    finally:
        os.utime(heard, ns=(about.st_atime_ns, about.st_mtime_ns))


def test_a_folder_of_another_batch_is_refused(manifest, tmp_path):
    out = str(tmp_path / "out")
    score_manifest(Options(manifest, out, impairments=False))
    for other in (Options(manifest, out), Options(manifest, out, impairments=False, partition_pairs=7),
                  Options(manifest, out, impairments=False, degraded_channel=1)):
        with pytest.raises(BatchError, match="name another folder"):
            score_manifest(other)
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "part-000000-x.parquet").touch()
    with pytest.raises(BatchError, match="name another folder"):
        score_manifest(Options(manifest, str(tmp_path / "foreign")))


@pytest.mark.parametrize("text, word", [
    ("a;b\n1;2\n", "commas"), ("reference,degraded,reference\n", "twice"), ("reference,degraded,error\nx,y,z\n", "rename"),
    ("reference,degraded\n", "no pair"), ("", "empty"), ('reference,degraded\n"x,y\n', "damaged"),
    ("reference,degraded\n\xff,y\n", "UTF-8")])
def test_a_damaged_manifest_is_refused_first(tmp_path, text, word):
    (tmp_path / "pairs.csv").write_bytes(text.encode("latin-1"))
    with pytest.raises(BadManifest, match=word):
        score_manifest(Options(str(tmp_path / "pairs.csv"), str(tmp_path / "out")))
    assert not (tmp_path / "out").exists()


def test_options_out_of_range_are_refused(manifest, tmp_path):
    with pytest.raises(ValueError, match="partition_pairs"):
        score_manifest(Options(manifest, str(tmp_path), partition_pairs=0))
    with pytest.raises(BadManifest, match="no manifest"):
        score_manifest(Options(str(tmp_path / "missing.csv"), str(tmp_path / "out")))


def test_a_parquet_manifest_keeps_its_types(archive, manifest, tmp_path):
    names = sorted(one.stem for one in archive.glob("??.wav"))
    table = pa.table({"reference": [f"{name}.wav" for name in names], "degraded": [f"{name}-heard.wav" for name in names],
                      "call": pa.array(range(6), pa.int32())})
    pq.write_table(table, archive / "pairs.parquet", row_group_size=4)
    score_manifest(Options(str(archive / "pairs.parquet"), str(tmp_path / "out"), partition_pairs=5))
    found = table_of(tmp_path / "out")
    assert found.column("call").type == pa.int32() and found.column("call").to_pylist() == list(range(6))
    assert set(found.column("outcome").to_pylist()) == {"scored"} and found.column("mos_lqo").type == pa.float64()
    pq.write_table(pa.table({"reference": [1], "degraded": ["x"]}), archive / "numbers.parquet")
    with pytest.raises(BadManifest, match="no text"):
        score_manifest(Options(str(archive / "numbers.parquet"), str(tmp_path / "other")))


def test_recordings_and_table_may_be_at_an_address(archive, manifest, tmp_path):
    import fsspec
    memory = fsspec.filesystem("memory")
    memory.put(str(archive) + "/", "/archive", recursive=True)
    score_manifest(Options("memory://archive/pairs.csv", "memory://scores", partition_pairs=4))
    score_manifest(Options(manifest, str(tmp_path / "out"), partition_pairs=4))
    memory.get("/scores", str(tmp_path / "fetched"), recursive=True)
    ours, theirs = rows_of(tmp_path / "fetched"), rows_of(tmp_path / "out")
    assert len(ours) == len(theirs) == 11 and not list((tmp_path / "fetched").glob("_*.tmp"))
    for one, other in zip(ours, theirs):
        for name in set(one) - {"made_from", "error"}:
            assert one[name] == other[name], name
        assert (one["error"] is None) == (other["error"] is None)
        assert one["error"] is None or "/tmp" not in one["error"]


def test_the_query_of_the_page_reads_the_table(manifest, tmp_path):
    for name in ("duckdb", "pandas"):
        pytest.importorskip(name, reason=f"the query needs {name}")
    score_manifest(Options(manifest, str(tmp_path / "scores"), partition_pairs=4))
    page = (Path(__file__).parents[2] / "libvqas/doc/batch.md").read_text("utf-8")
    code = re.search(r"<!-- file: read_scores.py -->\n```python\n(.*?)```", page, re.DOTALL).group(1)
    said = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert said.returncode == 0, said.stderr
    assert "worst_twentieth" in said.stdout and "north, gone" in said.stdout and "impairment" in said.stdout


def test_the_command_says_what_is_wrong(manifest, tmp_path):
    def run(*arguments):
        return subprocess.run([sys.executable, "-m", "vqas.batch.command", *map(str, arguments)], capture_output=True,
                              text=True)
    good = run(manifest, tmp_path / "out", "--workers", "0", "--json")
    assert good.returncode == 0 and json.loads(good.stdout)["outcomes"]["scored"] == 6
    other = run(manifest, tmp_path / "out", "--workers", "0", "--no-impairments")
    assert other.returncode == 3 and "impairments (True, now False)" in other.stderr
    assert run(tmp_path / "none.csv", tmp_path / "x", "--workers", "0").returncode == 3
    assert run(manifest, tmp_path / "x", "--workers", "-1").returncode == 2
    (tmp_path / "file").touch()
    assert run(manifest, tmp_path / "file" / "x", "--workers", "0").returncode == 7


def test_a_partition_is_sent_to_a_worker_without_the_rest_of_the_manifest(tmp_path):
    from vqas.batch.manifest import look_through
    manifest = write_csv(tmp_path / "pairs.csv", ["reference", "degraded"], [[f"{n}.wav", f"{n}-heard.wav"] for n in range(5000)])
    pieces = list(look_through(manifest, True).pieces(300))
    assert [one.index for one in pieces] == list(range(17)) and sum(one.table.num_rows for one in pieces) == 5000
    assert pieces[16].table.column("reference")[199].as_py() == "4999.wav"
    assert max(len(pickle.dumps(one)) for one in pieces) < 20_000


@pytest.fixture(scope="module")
def many(archive, tmp_path_factory):
    """200 pairs with one missing, and their table as one process makes it."""
    names = sorted(one.stem for one in archive.glob("??.wav"))
    rows = [[str(n), f"{names[n % 6]}.wav", f"{names[n % 6]}-heard.wav"] for n in range(200)]
    rows[77][2] = "missing.wav"
    manifest = write_csv(archive / "many.csv", ["call", "reference", "degraded"], rows)
    alone = tmp_path_factory.mktemp("alone") / "out"
    summary = score_manifest(Options(manifest, str(alone), partition_pairs=10))
    assert summary.outcomes == {"bad_input": 1, "scored": 199}
    return manifest, alone


def is_the_table_of(out, alone):
    assert parts(out) == parts(alone) and len(parts(out)) == 20
    assert (out / "_done.json").read_bytes() == (alone / "_done.json").read_bytes()
    assert [row["call"] for row in rows_of(out)] == [str(n) for n in range(200)]


def test_a_cluster_that_loses_a_worker_gives_the_same_bytes(many, tmp_path):
    distributed = pytest.importorskip("distributed", reason="a cluster needs dask and distributed")
    manifest, alone = many
    lost = []
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            workers = list(client.run(os.getpid).values())

            def kill_one(progress):
                if progress.partitions == 3 and not lost:
                    lost.append(workers[0])
                    os.kill(workers[0], signal.SIGKILL)

            summary = score_manifest(Options(manifest, str(tmp_path), partition_pairs=10), client, kill_one)
    assert lost and len(set(workers)) == 2 and summary.progress.found < 200
    is_the_table_of(tmp_path, alone)


def test_a_batch_that_is_killed_whole_is_finished_by_the_same_command(many, tmp_path):
    pytest.importorskip("distributed", reason="a cluster needs dask and distributed")
    manifest, alone = many
    out = tmp_path / "out"
    command = [sys.executable, "-m", "vqas.batch.command", manifest, str(out), "--workers", "2", "--partition-pairs", "10"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        while len(parts(out)) < 5:
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.002)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    begun = len(parts(out))
    assert begun < 20 and not (out / "_done.json").exists()
    again = subprocess.run([*command, "--json"], capture_output=True, text=True, timeout=120)
    assert again.returncode == 0, again.stderr
    told = json.loads(again.stdout)
    assert told["pairs"] == 200 and told["found"] >= 10 * begun
    is_the_table_of(out, alone)
