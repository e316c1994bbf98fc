"""The version, here alone: the build reads this file and so does a checkout that was never installed."""

from pathlib import Path

__version__ = "1.0.0rc1"

BUILT_FROM = Path(__file__).with_name("_commit.txt")
"""Where the build leaves the commit of a wheel that is built from git, unless that is tagged with the version."""


def commit() -> str | None:
    """Return the commit that this was built from, or that of its checkout, with a note if it was changed; or None."""
    if BUILT_FROM.is_file():
        return BUILT_FROM.read_text(encoding="ascii").strip()

    import subprocess  # its import would slow every start

    def git(*words: str) -> str | None:
        try:
            done = subprocess.run(["git", *words], cwd=here.parent, capture_output=True, text=True, check=False)
        except OSError:
            return None
        return done.stdout.strip() if done.returncode == 0 else None

    here = Path(__file__).resolve()
    if git("ls-files", "--error-unmatch", here.name) is None:  # installed into some other project's checkout
        return None
    at = git("rev-parse", "--short", "HEAD")
    return at and at + (" with changes" if git("status", "--porcelain", "--untracked-files=no") else "")


def full_version() -> str:
    """Return the version with the commit, where it is no release: ``1.0.0, commit 6b976001``."""
    at = commit()
    return f"{__version__}, commit {at}" if at else __version__
