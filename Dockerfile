# The command line of warptour: docker build --tag warptour .
# docs/user/recipes/docker.md says how to run it, and how to pin the base: PYTHON=python:3.13-slim@sha256:...
ARG PYTHON=python:3.13-slim
FROM ${PYTHON} AS build
WORKDIR /source
COPY pyproject.toml hatch_build.py README.md LICENSE dist/*.whl ./
COPY src src
COPY release/warptour.1 release/
# The wheel of this platform if `make wheels` has made it; else one is compiled, for every CPU of the architecture.
RUN pip wheel --no-cache-dir --no-deps --no-index --find-links . --wheel-dir /wheels warptour || \
    WARPTOUR_VARIANTS=all pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM ${PYTHON}
RUN --mount=type=bind,from=build,source=/wheels,target=/wheels \
    pip install --no-cache-dir /wheels/*.whl && useradd --create-home --uid 1000 warptour
USER 1000
WORKDIR /data
ENTRYPOINT ["warptour"]
CMD ["--help"]
