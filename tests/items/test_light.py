"""The items are light to import."""

import subprocess
import sys


def test_importing_items_loads_no_heavy_package():
    """Neither arrays nor tables are loaded before a Parquet file is read."""
    code = (
        "import sys, unswayed.items\n"
        "heavy = {'numpy', 'scipy', 'pyarrow', 'pandas', 'torch', 'aiohttp'} & set(sys.modules)\n"
        "print(sorted(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
