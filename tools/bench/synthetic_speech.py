#!/usr/bin/env python3
"""Synthesises hours of English without repetition, for the false-mark bench of the sync marks.

usage: synthetic_speech.py FOLDER HOURS [SEED [VOICE…]]

Sentences come from a seeded grammar; no voice says one twice. HOURS are divided among the voices, by default sixteen: flite's rms,
slt, awb and kal, and twelve voices of espeak-ng that differ in formants, accent, pitch and speed. FOLDER gets one WAV file
of five to ten minutes at a time. Existing files are kept, so that a run can be interrupted.
Needs flite and espeak-ng.
"""

import pathlib
import random
import subprocess
import sys
import wave

FLITE = ["rms", "slt", "awb", "kal"]
ESPEAK = ["en-us", "en-us+f1", "en-us+m3", "en-gb+f4", "en-gb+m7", "en-gb-x-rp+f2", "en-gb-scotland+m1", "en-029+f3",
          "en-us+klatt2", "en-gb+klatt4", "en-us-nyc+m5", "en-gb-x-gbclan+f5"]

ADJECTIVES = """old quiet narrow bright careful distant early foreign gentle heavy hollow idle jolly keen lonely modern
noisy odd patient quick rusty silent tall ugly vast warm young zealous broken careless dusty eager frozen golden hungry
invisible crooked shallow strange thirsty useful wooden yellow generous feeble chilly clumsy damp faithful""".split()
NOUNS = """engine garden lawyer river kitchen pilot window village doctor bridge teacher forest captain letter station
brother market singer valley hammer office island painter machine soldier mirror farmer castle nephew orchard passenger
quarry rabbit sailor theatre uncle violin waiter yacht zoo bishop carpet donkey elbow factory guitar harbour insect jacket
kettle ladder mountain notebook onion pencil queen receipt shadow ticket umbrella volcano whistle""".split()
VERBS = """watched carried forgot painted followed measured repaired borrowed described avoided chased noticed sold visited
ignored lifted joined questioned admired replaced remembered searched weighed washed answered cheered doubted emptied fixed
guarded heated invited judged kicked loved moved needed offered pulled reached shook touched used wanted""".split()
PLACES = """behind the church|under the stairs|near the frontier|in the cellar|across the square|beside the old mill|at the
airport|on the third floor|between two lorries|outside the bank|along the beach|in a small boat|over the fence|beyond the
last houses|inside the museum|at the edge of town""".replace("\n", " ").split("|")
TIMES = """yesterday|on Thursday|before breakfast|in the middle of the night|last winter|twice a week|for the first time|
during the storm|after the concert|in nineteen sixty|every other month|at half past six|without a word|once again|all summer
long|as usual""".replace("\n", " ").split("|")
LINKS = ["because", "although", "while", "before", "after", "so that", "until", "and", "but", "whenever"]


def noun_phrase(draw):
    number = draw.choice(["the", "a", "this", "every", "that", "my", "her", "their", "our"])
    if draw.random() < 0.15:
        return f"{draw.randint(2, 9999)} {draw.choice(NOUNS)}s"
    return f"{number} {draw.choice(ADJECTIVES)} {draw.choice(NOUNS)}"


def clause(draw):
    words = [noun_phrase(draw), draw.choice(VERBS), noun_phrase(draw)]
    if draw.random() < 0.6:
        words.append(draw.choice(PLACES))
    if draw.random() < 0.4:
        words.append(draw.choice(TIMES))
    return " ".join(words)


def sentence(draw):
    text = clause(draw)
    if draw.random() < 0.5:
        text += f" {draw.choice(LINKS)} {clause(draw)}"
    return text[0].upper() + text[1:] + draw.choice([".", ".", ".", "?", "!"])


def seconds_of(path):
    with wave.open(str(path)) as file:
        return file.getnframes() / file.getframerate()


def speak(voice, text, path, draw):
    if voice in FLITE:
        command = ["flite", "-voice", voice, "--setf", f"duration_segment={draw.uniform(0.8, 1.3):.3f}", "-f", "/dev/stdin",
                   "-o", str(path)]
    else:
        command = ["espeak-ng", "-v", voice, "-p", str(draw.randint(20, 80)), "-s", str(draw.randint(120, 210)), "-w",
                   str(path), "--stdin"]
    subprocess.run(command, input=text.encode(), check=True)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    folder, hours = pathlib.Path(sys.argv[1]), float(sys.argv[2])
    draw = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1998)
    folder.mkdir(parents=True, exist_ok=True)
    voices = sys.argv[4:] or FLITE + ESPEAK
    said, done, number = set(), 0.0, 0
    while done < hours * 3600:
        voice = voices[number % len(voices)]
        text = []
        while len(text) < 70:
            words = sentence(draw)
            if words not in said:
                said.add(words)
                text.append(words)
        own = random.Random(draw.getrandbits(32))
        path = folder / f"{number:04d}-{voice}.wav"
        if not path.exists():
            unfinished = path.with_suffix(".part")
            speak(voice, "\n".join(text), unfinished, own)
            unfinished.rename(path)
        done += seconds_of(path)
        number += 1
    print(f"{done / 3600:.2f} h, {number} files, {len(said)} sentences, {len(voices)} voices")


if __name__ == "__main__":
    main()
