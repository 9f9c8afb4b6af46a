"""Scores of manifests on one machine or many, by Dask. The command is `vqas-batch`; batch.md is its page.

Needs `pip install vqas[batch]`."""
from .driver import BatchError, Options, PartitionsLost, Progress, Summary, score_manifest
from .manifest import BadManifest

__all__ = ["BadManifest", "BatchError", "Options", "PartitionsLost", "Progress", "Summary", "score_manifest"]
