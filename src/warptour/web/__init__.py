"""What servers of this package share: their port, their connections, whom they answer, and the processes they start."""
