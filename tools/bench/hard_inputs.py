"""Inputs on which quality measures fail, made from one sentence at 8 kHz: named pairs, and a runner for each tool."""

import multiprocessing

import numpy as np
from scipy.signal import butter, sosfiltfilt

RATE = 8000


def losses(x, share, rng):
    y = x.copy()
    for begin in range(0, len(y), 160):
        if rng.random() < share:
            y[begin : begin + 160] = 0
    return y


def noise(x, snr_db, rng):
    return x + rng.normal(size=len(x)) * np.sqrt(np.mean(x**2)) * 10 ** (-snr_db / 20)


def drifted(x, ppm):
    return np.interp(np.arange(0, len(x) - 1, 1 + ppm * 1e-6), np.arange(len(x)), x)


def jump(x, samples):
    middle = len(x) // 2
    if samples > 0:
        return np.concatenate([x[:middle], np.zeros(samples), x[middle:]])
    return np.concatenate([x[:middle], x[middle - samples :]])


def hard_inputs(x, other, seed):
    """[(name, reference, degraded)] of a sentence and another one; the same for the same seed."""
    rng = np.random.default_rng(seed)
    half = x.copy()
    half[len(x) // 2 :] = 0
    with_nan = x.copy()
    with_nan[len(x) // 2] = np.nan
    low = sosfiltfilt(butter(8, 2000, fs=RATE, output="sos"), x)
    long = np.tile(x, int(np.ceil(300 * RATE / len(x))))[: 300 * RATE]
    nothing = np.zeros(len(x))
    degraded = [
        ("identity", x),
        ("DC offset 0.05", x + 0.05),
        ("5 s of silence behind it", np.concatenate([x, np.zeros(5 * RATE)])),
        ("second half missing", half),
        ("first 0.3 s cut off", x[int(0.3 * RATE) :]),
        ("40 ms inserted in the middle", jump(x, 320)),
        ("40 ms deleted in the middle", jump(x, -320)),
        ("clock drift 100 ppm", drifted(x, 100)),
        ("clock drift 0.5 %", drifted(x, 5000)),
        ("clock drift 2 %", drifted(x, 20000)),
        ("white noise 40 dB", noise(x, 40, rng)),
        ("white noise 20 dB", noise(x, 20, rng)),
        ("white noise 0 dB", noise(x, 0, rng)),
        ("low-pass 2 kHz", low),
        ("20 ms losses 1 %", losses(x, 0.01, rng)),
        ("20 ms losses 5 %", losses(x, 0.05, rng)),
        ("20 ms losses 10 %", losses(x, 0.1, rng)),
        ("20 ms losses 20 %", losses(x, 0.2, rng)),
        ("degraded silent", nothing),
        ("another sentence", other),
        ("noise only", rng.normal(size=len(x)) * 0.05),
        ("one sample not a number", with_nan),
    ]
    pairs = [(name, x, y) for name, y in degraded]
    pairs.append(("reference silent", nothing, x))
    pairs.append(("300 s, noise 20 dB", long, noise(long, 20, rng)))
    return pairs


def _answer(queue, measure, x, y):
    try:
        queue.put(f"{float(measure(x, y)):.2f}")
    except Exception as e:  # any exception is its answer
        queue.put(f"error: {type(e).__name__}")


def asked_apart(measure, x, y, seconds=120):
    """The answer of a tool, in a separate process, because some crash."""
    fork = multiprocessing.get_context("fork")
    queue = fork.SimpleQueue()
    child = fork.Process(target=_answer, args=(queue, measure, x, y))
    child.start()
    child.join(seconds)
    if child.is_alive():
        child.kill()
        child.join()
        return f"none in {seconds} s"
    if child.exitcode != 0 or queue.empty():
        return f"crash ({child.exitcode})"
    return queue.get()
