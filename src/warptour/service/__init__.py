"""The service: plans over HTTP, each in a process of its own, and none lost (``docs/user/serve.md``)."""
