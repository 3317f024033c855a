"""Makes the modules beside this file, such as `servers`, importable from every test folder."""
