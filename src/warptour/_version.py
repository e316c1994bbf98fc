"""The version, here alone: the build reads this file and so does a checkout that was never installed."""

__version__ = "0.1.0"
