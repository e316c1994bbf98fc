"""One search on several devices, processes or machines.

A crew has members: threads of this process with a device each, processes, ranks of MPI, actors of Ray. Each is at the
other end of a link and does the same work (member.py). How a search is divided among them: islands, regions of one
tour, or rows of moves.
"""
