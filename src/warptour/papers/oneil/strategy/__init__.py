"""Hill climbing, once or from random starts."""
