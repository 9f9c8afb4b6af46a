"""Packaged wideband speech codecs at 16 kHz, as those of codecs8k.py, and the narrowband lines that a wideband one falls back to."""

import ctypes as C

import numpy as np
from scipy import signal as sg

import codecs8k
from codecs8k import FrameCodec, Opus, _bytes, _load, _shorts


class G722(FrameCodec):
    """ITU-T G.722 at 64000, 56000 or 48000 bit/s (spandsp): 20 ms a frame; it has no concealment of its own."""

    frame = 320

    def __init__(self, bitrate=64000):
        self.lib, self.bitrate = _load("libspandsp.so.2"), bitrate
        self.lib.g722_encode_init.restype = self.lib.g722_decode_init.restype = C.c_void_p

    def open_encoder(self):
        return C.c_void_p(self.lib.g722_encode_init(None, self.bitrate, 0))

    def open_decoder(self):
        return C.c_void_p(self.lib.g722_decode_init(None, self.bitrate, 0))

    def encode_frame(self, s, f):
        out = np.zeros(len(f), np.uint8)
        return out[: self.lib.g722_encode(s, _bytes(out), _shorts(f), len(f))].copy()

    def decode_frame(self, s, f, y):
        self.lib.g722_decode(s, _shorts(y), _bytes(f), len(f))

    def with_errors(self, x, ber, rng):
        frames = self.encode(x)
        for f in frames:
            f ^= np.packbits(rng.random(8 * len(f)) < ber)
        return self.decode(frames)[: len(x)]

    def decode_file(self, path):
        """The samples of a file of plain G.722 at 64 kbit/s, as voice prompts are packaged."""
        coded = np.fromfile(path, np.uint8)
        y = np.zeros(2 * len(coded), np.int16)
        self.decode_frame(self.open_decoder(), coded, y)
        return y


class AmrWb(FrameCodec):
    """AMR-WB mode 0..8: 6.6, 8.85, 12.65, 14.25, 15.85, 18.25, 19.85, 23.05, 23.85 kbit/s (vo-amrwbenc, opencore-amrwb)."""

    frame = 320

    def __init__(self, mode):
        self.enc, self.dec, self.mode = _load("libvo-amrwbenc.so.0"), _load("libopencore-amrwb.so.0"), mode
        self.enc.E_IF_init.restype = self.dec.D_IF_init.restype = C.c_void_p

    def open_encoder(self):
        return C.c_void_p(self.enc.E_IF_init())

    def open_decoder(self):
        return C.c_void_p(self.dec.D_IF_init())

    def encode_frame(self, s, f):
        out = np.zeros(64, np.uint8)
        self.enc.E_IF_encode(s, self.mode, _shorts(f), _bytes(out), 0)
        return out

    def decode_frame(self, s, f, y):
        self.dec.D_IF_decode(s, _bytes(f), _shorts(y), 0)

    def conceal(self, s, y):
        lost = np.zeros(64, np.uint8)
        lost[0] = (14 << 3) | 4  # the frame type of lost speech
        self.dec.D_IF_decode(s, _bytes(lost), _shorts(y), 1)


class OpusWb(Opus):
    frame = 320
    rate = 16000


def down(x):
    return np.clip(np.round(sg.resample_poly(np.asarray(x, float), 1, 2, window=("kaiser", 9.0))), -32768, 32767).astype(np.int16)


def up(x, n):
    y = sg.resample_poly(np.asarray(x, float), 2, 1, window=("kaiser", 9.0))
    return np.clip(np.round(np.r_[y, np.zeros(max(0, n - len(y)))][:n]), -32768, 32767).astype(np.int16)


def narrow(run):
    """A function of int16 at 8 kHz as one at 16 kHz: what a narrowband piece of the line leaves."""
    return lambda x: up(run(down(x)), len(x))


def all_codecs():
    """Name -> codec for those on this machine, and name -> reason for the missing ones."""
    wanted = {f"g722_{k}": (lambda k=k: G722(k * 1000)) for k in (64, 56, 48)}
    wanted |= {f"amrwb{r}": (lambda m=m: AmrWb(m)) for m, r in ((0, "66"), (1, "885"), (2, "1265"), (5, "1825"), (8, "2385"))}
    wanted |= {f"opus{k}": (lambda k=k: OpusWb(k * 1000)) for k in (9, 12, 16, 24, 40)}
    have, missing = {}, {}
    for name, make in wanted.items():
        try:
            have[name] = make()
        except (OSError, AttributeError) as e:
            missing[name] = str(e)
    narrowband, missing_narrowband = codecs8k.all_codecs()
    return have, narrowband, missing | missing_narrowband
