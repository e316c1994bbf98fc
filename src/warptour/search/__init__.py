"""What every search uses: its budget, its threads, what ends it and what it leaves behind."""
