"""Windows of a tour, on the host and on a device."""
