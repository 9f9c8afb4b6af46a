"""The plugin, as a user's test run has it."""
pytest_plugins = ["pytester"]

USE = """
import numpy as np
import vqas
from vqas.channel import G711Line

def speech():
    return vqas.corpus.default().recording("M6")
"""


def test_a_good_line_passes_and_gives_the_score(pytester):
    pytester.makepyfile(USE + """
def test_line(assert_voice_quality):
    heard = G711Line()(speech())
    assert assert_voice_quality(speech(), heard, 8000, at_least=3.8).mos_lqo > 3.8
""")
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_a_failure_shows_the_reasons_and_leaves_the_picture(pytester):
    pytester.makepyfile(USE + """
def test_bad_line(assert_voice_quality):
    heard = G711Line(ber=1e-2, seed=7)(speech())
    heard[12000:16000] = 0
    assert_voice_quality(speech(), heard, 8000, at_least=3.8)
""")
    result = pytester.runpytest("--vqas-pictures=pictures")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*voice quality below 3.80: MOS-LQON *", "*costs * MOS*", "missing speech: *",
                                 "model error *", "picture: *test_bad_line.svg"])
    picture = (pytester.path / "pictures" / "test_bad_line.svg").read_text()
    assert picture.startswith("<svg") and picture.count("<image") == 3 and "MOS-LQON" in picture


def test_what_has_no_score_fails(pytester):
    pytester.makepyfile(USE + """
def test_silence(assert_voice_quality):
    assert_voice_quality(speech(), np.zeros(40000, np.float32), 8000, at_least=1)

def test_missing_file(assert_voice_quality):
    assert_voice_quality("missing.wav", "missing.wav", at_least=1)

def test_wrong_limit(assert_voice_quality):
    assert_voice_quality(speech(), speech(), 8000, at_least=5)
""")
    result = pytester.runpytest()
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(["*voice quality unknown: no score: no_speech: *"])
    result.stdout.fnmatch_lines(["*voice quality unknown: no score: bad_input: *missing.wav*"])
    result.stdout.fnmatch_lines(["*ValueError: at_least is 5*"])
