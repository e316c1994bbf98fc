"""What carries messages between a coordinator and its members: threads, processes, ranks of MPI, actors of Ray."""
