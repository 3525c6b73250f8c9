# The server in a container. Over standard input and output, as clients start it:
#   docker build --tag prioris .
#   docker run --rm --interactive --volume prioris:/data prioris
FROM python:3.13-slim-bookworm AS build
WORKDIR /source
COPY requirements/build.txt requirements/semantic.txt requirements/
RUN python -m venv /build \
    && /build/bin/pip install --no-cache-dir --require-hashes --requirement requirements/build.txt \
    && python -m venv /opt/prioris \
    && /opt/prioris/bin/pip install --no-cache-dir --require-hashes --only-binary :all: \
        --requirement requirements/semantic.txt
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN /build/bin/pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir /wheels . \
    && /opt/prioris/bin/pip install --no-cache-dir --no-deps --no-index /wheels/*.whl \
    && /opt/prioris/bin/pip uninstall --yes pip

FROM python:3.13-slim-bookworm
LABEL org.opencontainers.image.title="PriorisMCP" \
    org.opencontainers.image.description="Find, fetch, read, search and cite research papers over MCP." \
    org.opencontainers.image.licenses="MIT"
RUN useradd --uid 10001 --home-dir /data --create-home --shell /usr/sbin/nologin prioris
COPY --from=build /opt/prioris /opt/prioris
ENV PATH=/opt/prioris/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    XDG_DATA_HOME=/data/share \
    XDG_STATE_HOME=/data/state \
    PRIORIS_MCP_TRANSPORT=stdio
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
# Over HTTP: does it listen? Over standard input and output the client sees that by itself.
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["python", "-c", "import os, socket; os.environ['PRIORIS_MCP_TRANSPORT'] == 'stdio' or socket.create_connection(('localhost', int(os.environ.get('PRIORIS_MCP_PORT') or 8000)), 3).close()"]
ENTRYPOINT ["prioris-mcp"]
