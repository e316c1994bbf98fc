"""Tours in parts: any strategy inside, as Mavroidis (2011, 3.1) describes partitions."""
