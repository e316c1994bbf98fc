"""A signal asks once; asking again gets what the signal did before."""

import signal
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from warptour.observe import interrupt as module
from warptour.observe.interrupt import Interrupt, Interrupted, give_up


@pytest.fixture(autouse=True)
def usual_handlers() -> Iterator[None]:
    """Ctrl-C as Python has it: tests in the background, as `make test &` runs them, are started with it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_the_first_signal_calls_the_action_and_the_handler_is_restored():
    calls = []
    before = signal.getsignal(signal.SIGTERM)
    with Interrupt(signal.SIGTERM, action=lambda: calls.append(1)) as interrupt:
        signal.raise_signal(signal.SIGTERM)
        assert calls == [1] and interrupt.received == signal.SIGTERM
    assert signal.getsignal(signal.SIGTERM) is before


def test_the_same_keystroke_passed_on_twice_counts_once(monkeypatch):
    monkeypatch.setattr(module, "ECHO_SECONDS", 1e9)
    calls = []
    with Interrupt(signal.SIGINT, action=lambda: calls.append(1)):
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
    assert calls == [1]


def test_a_second_keystroke_does_what_it_did_before(monkeypatch):
    monkeypatch.setattr(module, "ECHO_SECONDS", -1.0)
    with Interrupt(signal.SIGINT, action=lambda: None):
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_a_second_signal_that_was_ignored_before_is_ignored_again(monkeypatch):
    monkeypatch.setattr(module, "ECHO_SECONDS", -1.0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    calls = []
    with Interrupt(signal.SIGINT, action=lambda: calls.append(1)) as interrupt:
        for _ in range(3):
            signal.raise_signal(signal.SIGINT)
        assert calls == [1] and interrupt.received == signal.SIGINT
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_with_nothing_to_save_the_signal_raises():
    with pytest.raises(Interrupted), Interrupt(signal.SIGINT, action=give_up):
        signal.raise_signal(signal.SIGINT)


def test_a_signal_whose_exception_was_swallowed_is_obeyed_by_the_next_action():
    calls = []
    with Interrupt(signal.SIGINT, action=give_up) as interrupt:
        with suppress(Interrupted):
            signal.raise_signal(signal.SIGINT)
        interrupt.redirect(lambda: calls.append("obeyed"))
    assert calls == ["obeyed"]


def test_outside_the_main_thread_it_does_nothing():
    before = signal.getsignal(signal.SIGINT)
    seen = []

    def enter():
        with Interrupt(signal.SIGINT, action=give_up):
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    assert seen == [before]
