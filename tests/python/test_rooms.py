"""Channel, marks, sampling and corpus from Python."""
import math
import os
import subprocess

import numpy as np
import pytest
import vqas
from vqas.channel import G711Line, ProfileLine, profiles
from vqas.marks import Detector, MarkData, Receiver, find, leading_mark, trailing_mark, transmission
from vqas.sampling import Sampler, t_interval


@pytest.fixture(scope="module")
def speech():
    return vqas.corpus.default().recording("F4")


def test_a_line_repeats_by_its_seed(speech):
    first, again, other = (G711Line(ber=1e-3, seed=seed).carry(speech) for seed in (7, 7, 8))
    assert np.array_equal(first.samples, again.samples) and not np.array_equal(first.samples, other.samples)
    assert first.samples.shape == speech.shape and first.samples.dtype == np.float32
    expected = first.bits * 1e-3
    assert first.bits >= 8 * len(speech) and abs(first.bit_errors - expected) < 6 * math.sqrt(expected)


def test_a_line_is_that_of_the_command(speech, tmp_path):
    command = os.environ.get("VQAS_COMMAND")
    if not command or not os.path.exists(command):
        pytest.skip("the command vqas is not built")
    sent = next(one.files[8000] for one in vqas.corpus.default().stimuli if one.id == "F4")
    heard = tmp_path / "heard.wav"
    subprocess.run([command, "channel", sent, str(heard), "--ber", "1e-3", "--seed", "9"], check=True, capture_output=True)
    samples, rate = vqas.read_audio(heard)
    assert rate == 8000 and np.array_equal(samples, G711Line(ber=1e-3, seed=9)(speech))


def test_a_delay_puts_idle_line_before_the_sound(speech):
    heard = G711Line(delay_s=0.5)(speech)
    assert len(heard) == len(speech) + 4000 and np.abs(heard[:3900]).max() < 1e-3


def test_values_out_of_range_are_refused_in_words(speech):
    for line, word in ((G711Line(ber=0.9), "ber"), (G711Line(law="x"), "law"), (G711Line(delay_s=20), "delay")):
        with pytest.raises(vqas.InputError, match=word):
            line(speech)
    with pytest.raises(ValueError, match="16000"):
        G711Line()(speech, 16000)
    with pytest.raises(vqas.InputError):
        G711Line()(speech[:0])
    with pytest.raises(TypeError):
        G711Line(seed=-1)(speech)


def test_profiles_are_known_by_name(speech):
    assert "thunderstorm" in profiles()
    heard = ProfileLine("satellite-isdn", seed=3)(speech)
    assert len(heard) == len(speech)
    with pytest.raises(vqas.InputError, match="thunderstorm"):
        ProfileLine("no-such-line")(speech)


def test_marks_are_found_where_they_were_put(speech):
    data = MarkData("b", run_id=123456, stimulus=3, sequence=777, corpus_digest=0xBEEF)
    sent, start = transmission(speech, data, guard_s=0.1)
    assert np.array_equal(sent[start:start + len(speech)], speech)
    assert np.array_equal(sent[:len(leading_mark(data))], leading_mark(data))
    assert np.array_equal(sent[-len(trailing_mark("b")):], trailing_mark("b"))
    stream = np.concatenate([np.zeros(5000, np.float32), sent])
    marks = find(stream, "b")
    assert [one.kind for one in marks] == ["leading", "trailing"] and marks[0].data == data
    assert abs(marks[0].position - 5000) < 0.1 and not marks[0].coarse and marks[1].data is None
    assert find(stream, "a") == []
    detector = Detector("b")
    in_blocks = [mark for block in np.array_split(stream, 77) for mark in detector.push(block)]
    assert in_blocks[0] == marks[0]
    with pytest.raises(vqas.InputError):
        leading_mark(MarkData(stimulus=256))
    with pytest.raises(vqas.InputError):
        Detector("c")


def test_a_live_stream_gives_captures_that_can_be_scored(speech):
    data = [MarkData(sequence=n) for n in range(2)]
    sent, _ = transmission(speech, data[0])
    stream = G711Line(ber=1e-4, delay_s=0.2)(np.concatenate([sent, np.zeros(8000, np.float32)]))
    receiver = Receiver()
    for one in data:
        receiver.expect(one, len(speech))
    captures = [capture for block in np.array_split(stream, 50) for capture in receiver.push(block)]
    assert len(captures) == 1 and captures[0].data == data[0] and captures[0].placement is not None
    found = vqas.score(speech, captures[0].recording, 8000, placement=captures[0].placement)
    assert found.scored and 2.5 < found.mos_lqo < 4.55
    lost, = receiver.finish()
    assert lost.marks_found == "none" and lost.placement is None and lost.data == data[1]


def test_a_sampler_stops_at_its_goal():
    sampler = Sampler()
    assert sampler.wanted == 5 and sampler.interval.mean is None and sampler.stopped_because is None
    while sampler.wanted:
        sampler.add(3.5 + 0.01 * (sampler.interval.n % 3))
    assert sampler.stopped_because == "goal" and sampler.interval.half_width < 0.1
    failing = Sampler(max_failures=2)
    failing.add(None)
    failing.add(math.nan)
    assert failing.stopped_because == "failures" and failing.wanted == 0
    with pytest.raises(vqas.InputError, match="first_count"):
        Sampler(first_count=1)


def test_a_t_interval_is_that_of_the_textbook():
    interval = t_interval([1, 2, 3], 0.95)
    assert interval.n == 3 and interval.mean == 2 and interval.half_width == pytest.approx(2.4841, abs=1e-3)
    assert t_interval([1], 0.95).half_width is None
    with pytest.raises(vqas.InputError):
        t_interval([1, math.nan], 0.95)


def test_the_corpus_of_the_package_is_whole():
    corpus = vqas.corpus.default()
    assert len(corpus.stimuli) == 12 and len(corpus.digest) == 64
    assert all(set(one.files) == {8000, 16000} and one.text for one in corpus.stimuli)
    assert len(corpus.recording("M1", 16000)) == 2 * len(corpus.recording("M1"))
    with pytest.raises(vqas.InputError):
        corpus.recording("Z9")
    with pytest.raises(vqas.InputError):
        vqas.corpus.Corpus("no-such-folder")
