"""The harness of `sandtable.testing`, under its older name until the tests of the games no longer use it."""

from sandtable.testing.fuzzing import FuzzFailure, Report, fuzz, random_play

__all__ = ["FuzzFailure", "Report", "fuzz", "random_play"]
