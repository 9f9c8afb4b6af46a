"""Scores from Python: those of the command, for arrays and files, in one thread and in many."""
import dataclasses
import json
import math
import os
import subprocess
import threading
import wave

import numpy as np
import pytest
import vqas
from vqas.channel import G711Line
from vqas.results import Score


@pytest.fixture(scope="session")
def corpus():
    return vqas.corpus.default()


@pytest.fixture(scope="session")
def pair(corpus):
    reference = corpus.recording("M6")
    return reference, G711Line(ber=1e-3, seed=7)(reference)


def path_of(corpus, name, rate=8000):
    return next(one.files[rate] for one in corpus.stimuli if one.id == name)


def as_in_json(value):
    """Dictionaries and lists, as JSON has them."""
    return json.loads(json.dumps(value))


def command():
    found = os.environ.get("VQAS_COMMAND")
    if not found or not os.path.exists(found):
        pytest.skip("the command vqas is not built")
    return found


def test_identity_scores_4_55(corpus):
    speech = corpus.recording("M1")
    found = vqas.score(speech, speech, 8000)
    assert found.scored and found.mos_lqo == 4.55 and found.auditory_distance == 0 and found.delay_ms == 0
    assert found.impairments == () and found.reason is None and found.score_version == vqas.SCORE_VERSION
    assert found.model_error.mos > 0


def test_the_parts_of_a_loss_add_up_and_the_first_is_what_was_planted(corpus):
    speech = corpus.recording("M6")
    cut = speech.copy()
    cut[len(cut) // 3:len(cut) // 3 + 4000] = 0
    found = vqas.score(speech, cut, 8000)
    assert found.loss_parts[0].impairment == "loss"
    assert sum(part.mos for part in found.loss_parts) == pytest.approx(4.55 - found.mos_lqo, abs=0.03)
    assert vqas.score(speech, cut, 8000, diagnose=False).loss_parts == ()


def test_an_echo_is_said_not_to_be_recognised_before_what_costs_less(corpus):
    speech = corpus.recording("M5")
    echo = speech.copy()
    echo[800:] += speech[:-800] / 4
    found = vqas.score(speech, echo, 8000)
    assert found.impairments and found.unrecognised_cost_mos > found.impairments[0].cost_mos
    lines = str(found).splitlines()
    assert lines[1] == f"no impairment that is named explains {found.unrecognised_cost_mos:.1f} MOS of the loss"


@pytest.mark.parametrize("mode", ["nb", "wb", "auto"])
def test_a_mode_gives_the_score_of_the_command_in_that_mode(corpus, tmp_path, mode):
    reference = path_of(corpus, "F3", 16000)
    samples, rate = vqas.read_audio(reference)
    samples[40000:44000] = 0
    degraded = str(tmp_path / "heard.wav")
    with wave.open(degraded, "wb") as file:
        file.setparams((1, 2, rate, 0, "NONE", ""))
        file.writeframes(np.round(samples * 32768).astype("<i2").tobytes())
    told = json.loads(subprocess.run([command(), "score", reference, degraded, "--mode", mode, "--json"], check=True,
                                     capture_output=True, text=True).stdout)
    found = vqas.score(reference, degraded, mode=mode)
    assert found.mos_lqo == told["mos_lqo"] and found.score_mode == told["score_mode"] == ("nb" if mode == "nb" else "wb")
    assert found.score_version == told["score_version"]
    whole = vqas.score(corpus.recording("F3", 16000), corpus.recording("F3", 16000), 16000, mode=mode)
    assert whole.mos_lqo == pytest.approx(4.55 if mode == "nb" else 4.64, abs=0.01)


def test_wideband_needs_16_khz_and_auto_takes_what_both_rates_allow(pair):
    refused = vqas.score(*pair, 8000, mode="wb")
    assert refused.outcome == "bad_input" and refused.score_mode == "wb" and refused.mos_lqo is None
    assert vqas.score(*pair, 8000, mode="auto").score_mode == "nb"
    with pytest.raises(ValueError, match="auto"):
        vqas.score(*pair, 8000, mode="hd")


@pytest.mark.parametrize("explain", [False, True])
def test_a_score_has_the_names_and_values_of_the_command(corpus, tmp_path, explain):
    reference = path_of(corpus, "F2")
    degraded = str(tmp_path / "heard.wav")
    subprocess.run([command(), "channel", reference, degraded, "--ber", "3e-3"], check=True, capture_output=True)
    told = json.loads(subprocess.run([command(), "score", reference, degraded, "--json"], check=True,
                                     capture_output=True, text=True).stdout)
    ours = as_in_json(vqas.score(reference, degraded, explain=explain).to_dict())
    assert ours.pop("segments") == []
    if not explain:
        assert ours["explanation"] is None
        told["explanation"] = None
    assert ours == told


def test_a_long_score_has_the_names_and_values_of_the_command(corpus, tmp_path):
    sentences = [corpus.recording(one.id) for one in corpus.stimuli]
    reference = np.concatenate(sentences + sentences + sentences)
    assert len(reference) >= 120 * 8000
    heard = G711Line(ber=1e-4)(reference)
    # The command reads files; raw samples of 16 bits are the same in both.
    reference, heard = (np.round(one * 32768).clip(-32768, 32767).astype(np.int16) for one in (reference, heard))
    names = [write_wav(tmp_path / name, one) for name, one in (("reference.wav", reference), ("heard.wav", heard))]
    told = json.loads(subprocess.run([command(), "score", *names, "--json"], check=True, capture_output=True,
                                     text=True).stdout)
    from_files = vqas.score(*names)
    assert as_in_json(from_files.to_dict()) == told and len(from_files.segments) > 4
    from_arrays = vqas.score(reference, heard, 8000)
    assert dataclasses.replace(from_arrays, reference=names[0], degraded=names[1]) == from_files


def write_wav(path, samples):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(samples.astype("<i2").tobytes())
    return str(path)


def test_all_types_of_samples_give_the_same_score(pair):
    # Speech on the grid of 16 bits, so that each type holds it exactly.
    reference, degraded = (np.round(one * 32768).clip(-32768, 32767).astype(np.int16) for one in pair)
    expected = vqas.score(reference, degraded, 8000, diagnose=False)
    for kind, scale in ((np.float32, 2.0**-15), (np.float64, 2.0**-15), (np.int32, 2**16)):
        found = vqas.score((reference * scale).astype(kind), (degraded.astype(np.int64) * scale).astype(kind), 8000,
                           diagnose=False) if kind is not np.int32 else vqas.score(
                               reference.astype(np.int32) * scale, degraded.astype(np.int32) * scale, 8000, diagnose=False)
        assert found == expected
    every_second = np.repeat(degraded, 2)[::2]  # not contiguous
    assert vqas.score(reference, every_second, 8000, diagnose=False) == expected


@pytest.mark.parametrize("kind, scale", [(np.float32, 1), (np.float64, 1), (np.int16, 2**15), (np.int32, 2**31)])
def test_contiguous_arrays_are_read_where_they_lie(pair, kind, scale):
    from vqas.samples import recording
    reference, degraded = ((one * scale).astype(kind) for one in pair)
    scorer = vqas.Scorer()
    taken = [recording(one, 8000) for one in (reference, degraded)]
    reference.flags.writeable = False  # only read
    before = scorer._scorer.score(*taken, vqas._native.Depth.SCORE)
    degraded[:] = reference  # what was taken has changed, so it is no copy
    assert scorer._scorer.score(*taken, vqas._native.Depth.SCORE) != before
    assert vqas.score(reference, degraded, 8000, diagnose=False).mos_lqo == 4.55


def test_arrays_that_are_not_aligned_are_copied(pair):
    reference, degraded = pair
    packed = np.empty(len(degraded), np.dtype([("flag", "u1"), ("sample", "<f4")]))
    packed["sample"] = degraded
    shifted = np.frombuffer(b"\0" + degraded.tobytes(), np.uint8)[1:].view(np.float32)
    expected = vqas.score(reference, degraded, 8000, diagnose=False)
    assert vqas.score(reference, packed["sample"], 8000, diagnose=False) == expected
    assert vqas.score(reference, shifted, 8000, diagnose=False) == expected
    with pytest.raises(TypeError, match="full scale"):
        vqas.score(reference, degraded.astype(">f4"), 8000)


def test_files_and_arrays_at_two_rates_can_be_mixed(corpus):
    found = vqas.score(path_of(corpus, "M2", 16000), corpus.recording("M2"), (None, 8000))
    assert found.scored and found.mos_lqo > 4.4
    with pytest.raises(ValueError, match="rate"):
        vqas.score(path_of(corpus, "M2"), corpus.recording("M2"))


def test_a_placement_gives_silence_a_score(corpus):
    speech = corpus.recording("M3")
    silence = np.zeros_like(speech)
    unplaced = vqas.score(speech, silence, 8000)
    assert unplaced.outcome == "no_speech" and unplaced.mos_lqo is None and unplaced.reason
    placed = vqas.score(speech, silence, 8000, placement=vqas.Placement(0))
    assert placed.scored and placed.mos_lqo < 1.5


def test_what_cannot_be_used_has_an_outcome(corpus, tmp_path):
    speech = corpus.recording("M1")
    broken = speech.copy()
    broken[10000] = math.nan
    assert vqas.score(speech, broken, 8000).outcome == "bad_input"
    assert vqas.score(speech, speech[:0], 8000).outcome == "bad_input"
    assert vqas.score(speech, speech, -8000).outcome == "bad_input"
    assert vqas.score(speech, speech[:4000], 8000).outcome == "too_short"
    missing = vqas.score(tmp_path / "no.wav", speech, (None, 8000))
    assert missing.outcome == "bad_input" and "no.wav" in missing.reason and missing.mos_lqo is None
    damaged = tmp_path / "damaged.wav"
    damaged.write_bytes(b"RIFF0000WAVE")
    assert vqas.score(damaged, damaged).outcome == "bad_input"


def test_wrong_arguments_raise(corpus):
    speech = corpus.recording("M1")
    with pytest.raises(ValueError, match="shape"):
        vqas.score(np.stack([speech, speech]), speech, 8000)
    with pytest.raises(TypeError, match="full scale"):
        vqas.score(speech.astype(np.uint8), speech, 8000)
    with pytest.raises(TypeError):
        vqas.score(None, speech, 8000)
    with pytest.raises(ValueError, match="threads"):
        vqas.score_many([], threads=0)


def test_score_many_gives_the_scores_in_order(corpus, tmp_path):
    pairs = [(path_of(corpus, one.id), G711Line(ber=1e-3, seed=n)(corpus.recording(one.id)))
             for n, one in enumerate(corpus.stimuli)]
    pairs.insert(3, (tmp_path / "missing.wav", pairs[0][1]))
    expected = [vqas.score(*one, (None, 8000), diagnose=False) for one in pairs]
    assert expected[3].outcome == "bad_input"
    for threads in (1, 3):
        assert list(vqas.score_many(pairs, (None, 8000), threads=threads, diagnose=False)) == expected


def test_score_many_reads_a_few_pairs_ahead(pair):
    read = 0

    def endless():
        nonlocal read
        while True:
            read += 1
            yield pair

    scores = vqas.score_many(endless(), 8000, threads=2, diagnose=False)
    assert next(scores) == next(scores)
    assert read <= 10
    scores.close()


def test_the_interpreter_works_while_a_pair_is_scored(corpus):
    speech = np.concatenate([corpus.recording(one.id) for one in corpus.stimuli[:4]])
    heard = G711Line(ber=1e-3)(speech)
    scorer = vqas.Scorer()
    counted, done = 0, threading.Event()
    worker = threading.Thread(target=lambda: (scorer.score(speech, heard, 8000), done.set()))
    worker.start()
    while not done.is_set():
        counted += 1
    worker.join()
    # With the lock held the loop would run once or twice, before and after.
    assert counted > 100


def test_score_from_json_refuses_other_text():
    for text in ("{}", "[]", "1", ""):
        with pytest.raises((ValueError, TypeError)):
            vqas.score_from_json(text)
    assert {one.name for one in dataclasses.fields(Score)} >= {"mos_lqo", "confidence", "delay_ms", "impairments"}
