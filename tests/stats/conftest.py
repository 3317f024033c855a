"""Property tests of the statistics do not fail because a shared machine is slow."""

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
