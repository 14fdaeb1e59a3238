"""Calls of the library by threads that may end before the program.

LLVM's OpenMP runtime keeps memory of tasks, which belongs to the thread that called, in lists of its other threads, and uses these
lists in later calls. It does so after the end of that thread, too, and then crashes (seen with LLVM 19). The main thread lives as
long as the program; calls of the others are made by threads that do, too."""
import contextlib
import queue
import threading
from concurrent.futures import Future
from typing import Any, Callable, Iterator, List

_idle: List[Any] = []       # queues of threads that wait for a call
_running = threading.local()


@contextlib.contextmanager
def callback() -> Iterator[None]:
    """The library runs a callback, on any thread, while another thread has the lock of the grid."""
    _running.callback = True
    try:
        yield
    finally:
        _running.callback = False


def in_callback() -> bool:
    """Whether this thread runs a callback, which may use local functions of its grid only, without the lock."""
    return getattr(_running, "callback", False)


def _serve(calls: Any) -> None:
    while True:
        future, function, arguments = calls.get()
        try:
            future.set_result(function(*arguments))
        except BaseException as error:
            future.set_exception(error)
        del future, function, arguments     # a thread that waits keeps no array and no matrix


def lasting_call(function: Callable[..., Any], *arguments: Any) -> Any:
    """function(*arguments), by a thread that lives as long as the program."""
    if threading.current_thread() is threading.main_thread():
        return function(*arguments)
    try:
        calls = _idle.pop()
    except IndexError:
        calls = queue.SimpleQueue()
        threading.Thread(target=_serve, args=(calls,), name="ompfact", daemon=True).start()
    future: Any = Future()
    calls.put((future, function, arguments))
    try:
        return future.result()
    finally:
        _idle.append(calls)
