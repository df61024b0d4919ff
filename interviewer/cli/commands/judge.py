"""The command that serves the judge's model for pages on other machines."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from interviewer.cli.observed import observed
from interviewer.cli.options import AsLogged, LogFormat, TracesUrl
from interviewer.cli.output import err, shown
from serving.errors import BadInputError
from serving.observation.process import traces_wanted

CACHE = 2**30
"""Bytes of keys and values that are kept for several pages: the points of sixty questions."""

DRAIN_S = 120
"""Seconds that the judge takes at most to finish the answers that it has begun, after it was told to stop."""


def judge(
    host: Annotated[str, typer.Option(help="Address to serve the judge on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port of the judge.", min=1, max=65535)] = 8100,
    metrics_port: Annotated[
        int | None,
        typer.Option(help="Count prompts and how long they take for Prometheus, at this port of the same host.", min=1),
    ] = None,
    traces_url: TracesUrl = None,
    log_format: AsLogged = LogFormat.TEXT,
) -> None:
    """Serve the judge's model for pages started with --judge-url; press Ctrl-C to stop it.

    It then finishes the answers that it has begun; Ctrl-C again ends it at once.
    """
    from serving import machine, paths
    from serving.llm.server_key import KEY_VARIABLE
    from serving.llm.vllm_server import arguments_for, environment_for, judge_spec
    from serving.models import catalogue
    from serving.servers.access import check_key

    # As far as the model server, which takes the port and the traces over, and tells of no mistakes in options.
    observed("judge", None, log_format, metrics_port, host, environment={}).close()
    key = os.environ.get(KEY_VARIABLE, "")
    check_key(key, host, "the judge", KEY_VARIABLE)
    options = ["--log-format", log_format.value]
    if traces_wanted(traces_url):
        options += ["--traces-url", traces_url or ""]
    if metrics_port is not None:
        options += ["--metrics-port", str(metrics_port)]
    found = machine.inspect(paths.home())
    profile = machine.choose(found)
    if profile.device != "cpu" or profile.blocked:
        raise BadInputError(
            profile.blocked or "The judge is served to other machines on the CPU only.",
            hint="Set INTERVIEWER_GPU=no and install again with `make run`.",
        )
    with shown("Judge") as tell:
        catalogue.ensure_judge(tell, profile.format)
    spec = judge_spec(catalogue.judge_folder(profile.format), catalogue.judge_digest(profile.format))
    command = [*arguments_for(spec, port, profile, host), "--cache", str(CACHE), "--drain", str(DRAIN_S), *options]
    err.print(f"The judge will be at http://{host}:{port} in a minute. Press Ctrl-C to stop it.", highlight=False)
    # The model server takes this process over, and with it whatever ends it.
    os.chdir(Path(__file__).parents[3])
    environment = environment_for(profile, found, os.environ, key)
    if log_format is LogFormat.JSON:
        # vLLM's messages then come to our log, instead of to a handler of its own.
        environment["VLLM_CONFIGURE_LOGGING"] = "0"
    os.execve(command[0], command, environment)  # noqa: S606
