"""Voice quality of telephone, satellite and packet lines.

`score()` and `score_many()` compare recordings; `channel` has simulated lines, `marks` finds transmissions in a stream,
`sampling` says how many measurements are needed, `corpus` has sentences, `nodes` speaks to nodes, `batch` scores
manifests on many machines. Rates are in Hz; samples are mono, full scale 1."""
from . import channel, corpus, marks, nodes, picture, sampling
from ._native import SCORE_VERSION, InputError
from .nodes import two_nodes
from .results import Impairment, Score, Segment, score_from_json
from .samples import read_audio
from .scoring import Placement, Scorer, score, score_many

__all__ = ["SCORE_VERSION", "Impairment", "InputError", "Placement", "Score", "Scorer", "Segment", "channel", "corpus",
           "marks", "nodes", "picture", "read_audio", "sampling", "score", "score_from_json", "score_many", "two_nodes"]
