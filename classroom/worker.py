"""Runs one submission's code, and decides nothing: `python -I worker.py FD`.

Reads questions from the socket FD and answers them there. Everything that it trusts (numpy, the
reader of questions) is imported before the process gives up its rights (isolation.restrict); a
student's module is imported after that, when its first function is called.
"""
import contextlib
import importlib
import json
import os
import random
import socket
import sys

CLASSROOM = os.path.dirname(os.path.abspath(__file__))


def main(fd):
    channel = socket.socket(fileno=fd)
    received = channel.makefile("rb")
    setup = read(received)
    sys.path[:0] = [CLASSROOM, setup["tests"]]
    import checking
    import isolation
    import wire
    del sys.path[:2]
    folder = setup["folder"]
    sys.path.insert(0, folder)
    reached = isolation.restrict(setup)
    channel.sendall(wire.frame({"reached": reached}))
    while True:
        question = read(received)
        if question is None:
            os._exit(0)                      # not waiting for threads a student left behind
        if first_use(question["module"], question["name"], folder, checking):
            # A death from here to there is the module's, not the function's.
            channel.sendall(wire.frame({"importing": True}))
            with contextlib.suppress(BaseException):     # the call below meets it again
                importlib.import_module(question["module"])
            channel.sendall(wire.frame({"importing": False}))
        channel.sendall(wire.frame(reply(question, folder, checking, wire)))


def first_use(module, name, folder, checking):
    path = checking.Path(folder) / f"{module}.py"
    return module not in sys.modules and not checking.started(path, name)


def read(stream):
    head = stream.read(4)
    if len(head) < 4:
        return None
    return json.loads(stream.read(int.from_bytes(head, "big")))


def reply(question, folder, checking, wire):
    """The answer to one question. "id" lets the checks see that it belongs to it."""
    import numpy as np
    said = {"id": question["id"]}
    args = [wire.asked(x, folder) for x in question["args"]]
    kwargs = {name: wire.asked(x, folder) for name, x in question["kwargs"].items()}
    # Unseeded use of the global streams is allowed: the same run then draws the same again.
    random.seed(question["luck"])
    np.random.seed(question["luck"])
    function = checking.Function(folder, question["module"], question["name"])
    try:
        return {**said, "value": wire.answer(checking.run(function, *args, **kwargs))}
    except checking.Outcome as outcome:      # crashed, not started, an input changed in place
        if isinstance(outcome.__context__, MemoryError):
            return {**said, "kind": "out of memory"}
        return {**said, "kind": outcome.kind, "likely": outcome.likely, "got": outcome.got}
    except BaseException as error:           # KeyboardInterrupt; an answer nested without end
        return {**said, "kind": "crashed", "got": checking.crash_text(error)}


if __name__ == "__main__":
    main(int(sys.argv[1]))
