"""Packaged narrowband speech codecs, through their libraries' C interfaces (ctypes), frame by frame.

Every codec has `frame` (samples at 8 kHz), encode(int16 array) -> list of frames and decode(frames) -> int16 array, where
a frame that is None was lost and is concealed by the codec (or, if it has no concealment, by repetition that
fades). `available()` lists the codecs whose library is on this machine.
"""

import ctypes as C
import ctypes.util
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np


def _load(*names):
    for name in names:
        try:
            return C.CDLL(name)
        except OSError:
            continue
    raise OSError(f"none of {', '.join(names)} is installed")


def _shorts(a):
    return a.ctypes.data_as(C.POINTER(C.c_int16))


def _bytes(a):
    return a.ctypes.data_as(C.POINTER(C.c_uint8))


class FrameCodec:
    """Splits into frames, pads the end, and fades repeated frames for codecs without concealment of their own."""

    frame = 160

    def encode(self, x):
        x = np.ascontiguousarray(x, dtype=np.int16)
        x = np.r_[x, np.zeros(-len(x) % self.frame, np.int16)]
        state = self.open_encoder()
        return [self.encode_frame(state, np.ascontiguousarray(f)) for f in x.reshape(-1, self.frame)]

    def decode(self, frames):
        state = self.open_decoder()
        out, last, lost = [], None, 0
        for f in frames:
            y = np.zeros(self.frame, np.int16)
            if f is not None:
                self.decode_frame(state, f, y)
                last, lost = f, 0
            elif hasattr(self, "conceal"):
                self.conceal(state, y)
            elif last is not None:
                lost += 1
                self.decode_frame(state, last, y)
                y = (y * max(0.0, 1.0 - 0.25 * lost)).astype(np.int16)
            out.append(y)
        return np.concatenate(out)

    def run(self, x):
        return self.decode(self.encode(x))[: len(x)]


class Gsm(FrameCodec):
    def __init__(self):
        self.lib = _load("libgsm.so.1")
        self.lib.gsm_create.restype = C.c_void_p

    def _open(self):
        return C.c_void_p(self.lib.gsm_create())

    open_encoder = open_decoder = _open

    def encode_frame(self, s, f):
        out = np.zeros(33, np.uint8)
        self.lib.gsm_encode(s, _shorts(f), _bytes(out))
        return out

    def decode_frame(self, s, f, y):
        self.lib.gsm_decode(s, _bytes(f), _shorts(y))


class Amr(FrameCodec):
    """AMR-NB mode 0..7: 4.75, 5.15, 5.9, 6.7, 7.4, 7.95, 10.2, 12.2 kbit/s; dtx switches discontinuous transmission on."""

    def __init__(self, mode, dtx=False):
        self.lib, self.mode, self.dtx = _load("libopencore-amrnb.so.0"), mode, dtx
        self.lib.Encoder_Interface_init.restype = self.lib.Decoder_Interface_init.restype = C.c_void_p

    def open_encoder(self):
        return C.c_void_p(self.lib.Encoder_Interface_init(int(self.dtx)))

    def open_decoder(self):
        return C.c_void_p(self.lib.Decoder_Interface_init())

    def encode_frame(self, s, f):
        out = np.zeros(64, np.uint8)
        self.lib.Encoder_Interface_Encode(s, self.mode, _shorts(f), _bytes(out), 0)
        return out

    def decode_frame(self, s, f, y):
        self.lib.Decoder_Interface_Decode(s, _bytes(f), _shorts(y), 0)

    def conceal(self, s, y):
        no_data = np.zeros(64, np.uint8)
        no_data[0] = (15 << 3) | 4
        self.lib.Decoder_Interface_Decode(s, _bytes(no_data), _shorts(y), 0)


class Lpc10(FrameCodec):
    frame = 180

    def __init__(self):
        self.lib = _load("libspandsp.so.2")
        self.lib.lpc10_encode_init.restype = self.lib.lpc10_decode_init.restype = C.c_void_p

    def open_encoder(self):
        return C.c_void_p(self.lib.lpc10_encode_init(None, 0))

    def open_decoder(self):
        return C.c_void_p(self.lib.lpc10_decode_init(None, 0))

    def encode_frame(self, s, f):
        out = np.zeros(8, np.uint8)
        self.lib.lpc10_encode(s, _bytes(out), _shorts(f), len(f))
        return out

    def decode_frame(self, s, f, y):
        self.lib.lpc10_decode(s, _shorts(y), _bytes(f), 7)


class Codec2(FrameCodec):
    MODES = {"3200": 0, "2400": 1, "1600": 2, "1400": 3, "1300": 4, "1200": 5, "700C": 8}

    def __init__(self, mode):
        self.lib = _load("libcodec2.so.1.0", "libcodec2.so.1.2", "libcodec2.so")
        self.lib.codec2_create.restype = C.c_void_p
        self.mode = self.MODES[mode]
        s = self._open()
        self.frame = self.lib.codec2_samples_per_frame(s)

    def _open(self):
        return C.c_void_p(self.lib.codec2_create(self.mode))

    open_encoder = open_decoder = _open

    def encode_frame(self, s, f):
        out = np.zeros(16, np.uint8)
        self.lib.codec2_encode(s, _bytes(out), _shorts(f))
        return out

    def decode_frame(self, s, f, y):
        self.lib.codec2_decode(s, _shorts(y), _bytes(f))


class Opus(FrameCodec):
    rate = 8000

    def __init__(self, bitrate, voip=True):
        self.lib, self.bitrate = _load("libopus.so.0"), bitrate
        self.lib.opus_encoder_create.restype = self.lib.opus_decoder_create.restype = C.c_void_p

    def open_encoder(self):
        s = C.c_void_p(self.lib.opus_encoder_create(self.rate, 1, 2048, None))
        self.lib.opus_encoder_ctl(s, C.c_int(4002), C.c_int32(self.bitrate))
        self.lib.opus_encoder_ctl(s, C.c_int(4006), C.c_int32(0))  # constant bit rate
        return s

    def open_decoder(self):
        return C.c_void_p(self.lib.opus_decoder_create(self.rate, 1, None))

    def encode_frame(self, s, f):
        out = np.zeros(1000, np.uint8)
        return out[: self.lib.opus_encode(s, _shorts(f), len(f), _bytes(out), len(out))].copy()

    def decode_frame(self, s, f, y):
        self.lib.opus_decode(s, _bytes(f), len(f), _shorts(y), len(y), 0)

    def conceal(self, s, y):
        self.lib.opus_decode(s, None, 0, _shorts(y), len(y), 0)


class _SpeexBits(C.Structure):
    _fields_ = [("chars", C.c_char_p), ("bits", C.c_int), ("char_at", C.c_int), ("bit_at", C.c_int), ("owner", C.c_int),
                ("overflow", C.c_int), ("size", C.c_int), ("reserved1", C.c_int), ("reserved2", C.c_void_p)]


class Speex(FrameCodec):
    def __init__(self, quality):
        self.lib, self.quality = _load("libspeex.so.1"), quality
        for f in (self.lib.speex_lib_get_mode, self.lib.speex_encoder_init, self.lib.speex_decoder_init):
            f.restype = C.c_void_p

    def _mode(self):
        return C.c_void_p(self.lib.speex_lib_get_mode(0))

    def _bits(self):
        b = _SpeexBits()
        self.lib.speex_bits_init(C.byref(b))
        return b

    def open_encoder(self):
        s = C.c_void_p(self.lib.speex_encoder_init(self._mode()))
        self.lib.speex_encoder_ctl(s, 4, C.byref(C.c_int(self.quality)))
        return s, self._bits()

    def open_decoder(self):
        return C.c_void_p(self.lib.speex_decoder_init(self._mode())), self._bits()

    def encode_frame(self, s, f):
        out = np.zeros(200, np.uint8)
        self.lib.speex_bits_reset(C.byref(s[1]))
        self.lib.speex_encode_int(s[0], _shorts(f.copy()), C.byref(s[1]))
        return out[: self.lib.speex_bits_write(C.byref(s[1]), _bytes(out), len(out))].copy()

    def decode_frame(self, s, f, y):
        self.lib.speex_bits_read_from(C.byref(s[1]), _bytes(f), len(f))
        self.lib.speex_decode_int(s[0], C.byref(s[1]), _shorts(y))

    def conceal(self, s, y):
        self.lib.speex_decode_int(s[0], None, _shorts(y))


class G726:
    """G.726 at 16000, 24000, 32000 or 40000 bit/s; `errors` flips the given bits of the packed code stream."""

    def __init__(self, bitrate):
        self.lib, self.bitrate, self.bits = _load("libspandsp.so.2"), bitrate, bitrate // 8000
        self.lib.g726_init.restype = C.c_void_p

    def run(self, x, ber=0.0, rng=None):
        x = np.ascontiguousarray(x, dtype=np.int16)
        codes, y = np.zeros(len(x) + 8, np.uint8), np.zeros(len(x) + 8, np.int16)
        n = self.lib.g726_encode(C.c_void_p(self.lib.g726_init(None, self.bitrate, 0, 0)), _bytes(codes), _shorts(x), len(x))
        if ber > 0:
            for b in range(self.bits):
                codes[:n] ^= (rng.random(n) < ber).astype(np.uint8) << b
        self.lib.g726_decode(C.c_void_p(self.lib.g726_init(None, self.bitrate, 0, 0)), _shorts(y), _bytes(codes), n)
        return y[: len(x)]


class G7231:
    """G.723.1 at 6.3 kbit/s through the ffmpeg program (its encoder has no lower rate)."""

    def __init__(self):
        if not shutil.which("ffmpeg"):
            raise OSError("the program ffmpeg is not installed")

    def run(self, x):
        with tempfile.TemporaryDirectory() as d:
            raw, coded, out = (Path(d) / n for n in ("in.raw", "mid.tco", "out.raw"))
            np.asarray(x, np.int16).tofile(raw)
            pcm = ["-f", "s16le", "-ar", "8000", "-ac", "1"]
            quiet = ["ffmpeg", "-v", "error", "-nostdin", "-y"]
            subprocess.run([*quiet, *pcm, "-i", raw, "-c:a", "g723_1", "-b:a", "6300", "-f", "g723_1", coded], check=True)
            subprocess.run([*quiet, "-f", "g723_1", "-i", coded, *pcm, out], check=True)
            y = np.fromfile(out, np.int16)
        return np.r_[y, np.zeros(max(0, len(x) - len(y)), np.int16)][: len(x)]


class Concealer:
    """Pitch-repeating concealment of lost pieces of waveform (spandsp, after ITU-T G.711 Appendix I)."""

    def __init__(self):
        self.lib = _load("libspandsp.so.2")
        self.lib.plc_init.restype = C.c_void_p
        self.state = C.c_void_p(self.lib.plc_init(None))

    def good(self, f):
        f = np.ascontiguousarray(f, dtype=np.int16).copy()
        self.lib.plc_rx(self.state, _shorts(f), len(f))
        return f

    def lost(self, n):
        f = np.zeros(n, np.int16)
        self.lib.plc_fillin(self.state, _shorts(f), n)
        return f


def all_codecs():
    """Name -> codec for those on this machine, and name -> reason for the missing ones."""
    wanted = {"gsm": Gsm, "lpc10": Lpc10, "g7231": G7231}
    wanted |= {f"amr{r}": (lambda m=m: Amr(m)) for m, r in enumerate(("475", "515", "59", "67", "74", "795", "102", "122"))}
    wanted |= {"amr122dtx": lambda: Amr(7, True), "amr59dtx": lambda: Amr(2, True)}
    wanted |= {f"codec2_{m}": (lambda m=m: Codec2(m)) for m in Codec2.MODES}
    wanted |= {f"opus{k}": (lambda k=k: Opus(k * 1000)) for k in (6, 8, 12, 16, 24)}
    wanted |= {f"speex{q}": (lambda q=q: Speex(q)) for q in (1, 2, 3, 4, 6, 8)}
    wanted |= {f"g726_{k}": (lambda k=k: G726(k * 1000)) for k in (16, 24, 32, 40)}
    have, missing = {}, {}
    for name, make in wanted.items():
        try:
            have[name] = make()
        except (OSError, AttributeError) as e:
            missing[name] = str(e)
    return have, missing
