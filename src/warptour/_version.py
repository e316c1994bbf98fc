"""The version, here alone: the build reads this file and so does a checkout that was never installed."""

__version__ = "1.0.0rc1"
