"""Build one wheel per platform with zig, in ``dist/``, and print the size and the time of each.

``python release/wheels.py [PLATFORM...]``: by default all of ``hatch_build.PLATFORMS``. Needs the dependency group
``release``. Objects are kept in ``build/``, so only changed sources are compiled again.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from check import ROOT, faults
from hatch_build import PLATFORMS


def build(platform: str, folder: Path) -> Path:
    """Return the wheel for `platform`, built into `folder`."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "WARPTOUR_WHEEL": platform}, check=True, capture_output=True)
    (wheel,) = folder.glob(f"warptour-*-py3-none-{platform}.whl")
    return wheel


def main(platforms: list[str]) -> int:
    """Build and check the wheels; return 1 if one has a fault."""
    folder = ROOT / "dist"
    folder.mkdir(exist_ok=True)
    found = 0
    for platform in platforms or PLATFORMS:
        for old in folder.glob(f"*-{platform}.whl"):
            old.unlink()
        start = time.monotonic()
        try:
            wheel = build(platform, folder)
        except subprocess.CalledProcessError as error:
            print(f"{platform}: {error.stderr.decode(errors='replace').strip()}", file=sys.stderr)
            return 1
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB, {time.monotonic() - start:.0f} s", flush=True)
        for fault in faults(wheel):
            found = 1
            print(f"{wheel.name}: {fault}", file=sys.stderr)
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
