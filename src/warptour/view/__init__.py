"""The live view: a page in the browser over traces, and runs that it starts (``docs/developer/view.md``)."""
