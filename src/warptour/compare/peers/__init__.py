"""Other programs: one file each says how it is called, what it reads and where its answer is."""
