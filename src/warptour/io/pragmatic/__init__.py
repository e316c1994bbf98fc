"""Problems in the JSON that vrp-cli calls pragmatic."""
