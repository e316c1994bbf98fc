"""Short tours and cheap vehicle routes by local search.

>>> import warptour as wt
>>> problem = wt.read("uniform:1000:7")
>>> result = wt.solve(problem, seconds=10)  # doctest: +SKIP
>>> result.cost, result.tour[:5]  # doctest: +SKIP
"""

from warptour._version import __version__ as __version__

TYPE_CHECKING = False  # as typing has it, whose import would take longer than all of this

if TYPE_CHECKING:
    from warptour._names import *  # noqa: F403
    from warptour._names import __all__ as __all__
else:

    def __getattr__(name: str) -> object:
        """Import public names when the first is used: the program minds signals before it takes that time."""
        here = globals()
        if name == "api":  # all that the program needs of these
            from importlib import import_module

            return import_module("warptour.api")
        if not name.startswith("__") or name == "__all__":
            from importlib import import_module

            names = import_module("warptour._names")
            here.update({key: vars(names)[key] for key in names.__all__ if key in vars(names)}, __all__=names.__all__)
            if name in names.__all__ and name not in here:
                here[name] = getattr(names, name)
        if name not in here:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return here[name]

    def __dir__() -> list[str]:
        return sorted({*globals(), *__getattr__("__all__")})

    del TYPE_CHECKING
