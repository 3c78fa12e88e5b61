"""Commands of Python programs, run by processes that have loaded them already.

The FileCheck tests run thousands of commands, and most of their time goes into loading
xDSL. Here one process loads it, and forks for each command:

    with preloaded_commands("xdsl.dialects") as scripts:
        subprocess.run(["xdsl-opt", ...], env={"PATH": f"{scripts}:{os.environ['PATH']}"})

What the environment says to Python itself (PYTHONPATH, PYTHONHASHSEED) is what it says
when the server starts.
"""

from __future__ import annotations

import atexit
import gc
import os
import select
import shlex
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from io import BufferedReader, BufferedWriter, FileIO, TextIOWrapper
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, NoReturn

from xdsl.xdsl_opt_main import xDSLOptMain

COMMANDS = {"xdsl-opt": "xdsl.tools.xdsl_opt", "filecheck": "filecheck.main"}
"""By command, the module whose `main` it calls."""

STREAMS = (
    (0, "r", BufferedReader, "strict"),
    (1, "w", BufferedWriter, "strict"),
    (2, "w", BufferedWriter, "backslashreplace"),
)
"""Files that a process starts with, as Python opens them."""

_Mains = Mapping[str, Callable[[], Any]]


@contextmanager
def preloaded_commands(*packages: str) -> Iterator[Path]:
    """Serve the commands until the context ends, or this process. Yield the folder of
    the scripts to call.

    Args:
        packages: packages of which all modules are loaded, next to what each run of a
            command loads.
    """
    with tempfile.TemporaryDirectory() as folder:
        scripts = Path(folder, "bin")
        scripts.mkdir()
        address = f"{folder}/socket"
        client = Path(__file__).with_name("client.py")
        for name in COMMANDS:
            call = (sys.executable, "-I", "-S", str(client), address, name)
            script = scripts / name
            script.write_text(f'#!/bin/sh\nexec {shlex.join(call)} "$@"\n')
            script.chmod(0o755)
        with subprocess.Popen(
            (sys.executable, __file__, address, *packages),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            process_group=0,
        ) as server:
            assert server.stdout is not None
            if server.stdout.readline() != b"ready\n":
                raise RuntimeError("the server of preloaded commands has not started")
            yield scripts


def serve(address: str, packages: Sequence[str]) -> None:
    """Run a command for each connection, until the standard input ends."""
    mains = {name: import_module(path).main for name, path in COMMANDS.items()}
    xDSLOptMain(args=())
    for package in packages:
        path = import_module(package).__path__
        for module in walk_packages(path, f"{package}.", onerror=lambda name: None):
            # What needs something that is not installed is not used either.
            with suppress(ImportError):
                import_module(module.name)
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen(64)
        os.write(1, b"ready\n")
        # Nothing is ever written to the input: it can be read once it ends.
        while 0 not in select.select((listener, 0), (), ())[0]:
            connection, _ = listener.accept()
            if os.fork() == 0:
                listener.close()
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                _answer(connection, mains)
            connection.close()
    # The commands that still run end as well.
    os.killpg(0, signal.SIGKILL)


def _end_with_client(connection: socket.socket) -> None:
    """End this process when its client does, for which the time may have been up."""
    connection.recv(1)
    os._exit(1)


def _answer(connection: socket.socket, mains: _Mains) -> NoReturn:
    """Run the command of a connection in this process, and send its exit code."""
    head, files, _, _ = socket.recv_fds(connection, 8, 3)
    left = int.from_bytes(head, "big")
    parts: list[bytes] = []
    while left and (part := connection.recv(left)):
        parts.append(part)
        left -= len(part)
    if left or not head:
        os._exit(1)
    threading.Thread(target=_end_with_client, args=(connection,), daemon=True).start()
    message = os.fsdecode(b"".join(parts)).split("\0")
    count = int(message[0])
    folder, *command = message[1 : 2 + count]
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variable.split("=", 1) for variable in message[2 + count :])
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    sys.stdin, sys.stdout, sys.stderr = (
        TextIOWrapper(buffered(FileIO(number, mode, closefd=False)), errors=errors)
        for number, mode, buffered, errors in STREAMS
    )
    sys.argv = command
    code = _exit_code(mains[command[0]])
    connection.send(bytes((code,)))
    os._exit(code)


def _exit_code(main: Callable[[], Any]) -> int:
    """Call a main function as the script of its command does."""
    try:
        code = main()
    except SystemExit as error:
        code = error.code
    except BaseException:
        sys.excepthook(*sys.exc_info())
        code = 1
    if isinstance(code, str):
        sys.stderr.write(f"{code}\n")
        code = 1
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            code = 120
    return (code or 0) & 255


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2:])
