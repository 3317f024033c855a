"""Makes the modules beside this file, such as `servers`, importable from every test folder.

No property test has a deadline: an example that opens a store takes what the disk takes.
"""

from hypothesis import settings

settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")
