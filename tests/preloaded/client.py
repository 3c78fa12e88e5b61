"""Has a command run by a process that has loaded it already:

    python -I -S client.py SOCKET COMMAND ARGUMENT...

server.py writes scripts that do this, and describes what it is for.
"""

import os
import socket
import sys


def main() -> int:
    address, *command = sys.argv[1:]
    variables = [f"{name}={value}" for name, value in os.environ.items()]
    parts = (str(len(command)), os.getcwd(), *command, *variables)
    message = os.fsencode("\0".join(parts))
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(address)
        socket.send_fds(connection, [len(message).to_bytes(8, "big")], [0, 1, 2])
        connection.sendall(message)
        code = connection.recv(1)
    return code[0] if code else 1


os._exit(main())
