"""Search rules: each a frozen dataclass of its parameters whose loop reads like its paper."""
