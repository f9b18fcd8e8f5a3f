"""An OpenAI-compatible server may do what it likes: every request ends, and says how."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluate.backends.asking import KEY, asked, backend_of, request_of, setting_of
from tests.evaluate.backends.misbehaving import (
    Misbehaving,
    Part,
    chat,
    completion,
    cut,
    drip,
    error,
    flood,
    raw,
    silence,
    status,
)

from deskcheck.evaluate.backends.openai_endpoints import MAX_BODY, Answer, seconds_to_wait
from deskcheck.evaluate.backends.openai_replies import Failure, understood
from deskcheck.evaluate.requests import OUTCOMES, Reply

# Failures


@pytest.mark.parametrize("code", [400, 401, 403, 404, 409, 422])
def test_a_client_error_fails_at_once(code: int) -> None:
    """What will not get better is not tried again, and the server's own words are kept."""
    reply, server = asked(error(code, "no such\nmodel"))
    assert len(server.chats) == 1
    assert (reply.outcome, reply.attempts) == ("engine_error", 1)
    assert reply.error == f"HTTP {code}: no such model"
    assert reply.facts == {"http_status": code}


@pytest.mark.parametrize(
    ("part", "outcome", "said"),
    [
        (error(500), "engine_error", "HTTP 500: as told"),
        (error(503), "engine_error", "HTTP 503: as told"),
        (status(502, b"<html>Bad\nGateway</html>"), "engine_error", "HTTP 502: <html>Bad Gateway"),
        (error(429), "no_response", "HTTP 429: as told"),
        (error(408), "no_response", "HTTP 408: as told"),
        (status(200, {"error": {"code": 502, "message": "x"}}), "engine_error", "HTTP 502: x"),
        (status(200, {"error": {"code": 429, "message": "x"}}), "no_response", "HTTP 429: x"),
        (status(200, {"error": "overloaded"}), "engine_error", "an error: overloaded"),
        (status(200, b"<html>hello</html>"), "engine_error", "no JSON"),
        (status(200, b""), "engine_error", "no JSON"),
        (status(200, b'{"choices": [NaN]}'), "engine_error", "no JSON"),
        (status(200, b"[" * 100_000), "engine_error", "no JSON"),
        (status(200, b"9" * 5_000), "engine_error", "no JSON"),
        (status(200, [1]), "engine_error", "no JSON object"),
        (status(200, {"choices": []}), "engine_error", "without a message"),
        (status(200, {"choices": [{"message": None}]}), "engine_error", "without a message"),
        (status(200, completion("ha", finish="error")), "engine_error", "broken off"),
        (status(200, b"\x1f\x8b nonsense", Content_Encoding="gzip"), "engine_error", "decompress"),
        (cut(), "no_response", "RemoteProtocolError"),
        (raw(), "no_response", "RemoteProtocolError"),
        (raw(b"SSH-2.0-server\r\n"), "no_response", "RemoteProtocolError"),
        (chat(None, refusal="I would rather not."), "no_response", "refusal: I would rather not."),
        (chat("", finish="content_filter"), "no_response", "refusal: content_filter"),
    ],
)
def test_attempts_are_bounded(part: Part, outcome: str, said: str) -> None:
    """What may get better is tried so often as the setting allows, and then has its name."""
    reply, server = asked(part, max_attempts=3)
    assert len(server.chats) == reply.attempts == 3
    assert reply.outcome == outcome
    assert said in reply.error
    assert "\n" not in reply.error
    assert reply.text == ""


def test_a_burst_of_failures_is_outlasted() -> None:
    """Server errors, cut connections and nonsense, then an answer: nothing is lost."""
    reply, server = asked(error(500), cut(), status(200, b"{"), chat("4"))
    assert (reply.outcome, reply.text, reply.attempts) == ("answered", "4", 4)
    assert reply.error == "the server sent an answer that is no JSON"
    assert len(server.chats) == 4
    assert len({json.dumps(seen.body) for seen in server.chats}) == 1


def test_the_error_status_is_told_after_the_last_attempt() -> None:
    """Whoever watches the run can tell from the facts which status a request ended with."""
    assert asked(error(503), max_attempts=2)[0].facts == {"http_status": 503}


@pytest.mark.parametrize("seconds", [1, 2])
def test_retry_after_is_honoured_in_both_forms(seconds: int) -> None:
    """The next attempt comes no sooner than the server asks, in seconds or as a date."""
    until = datetime.now(UTC) + timedelta(seconds=2)
    header = "1" if seconds == 1 else format_datetime(until, usegmt=True)
    reply, server = asked(status(429, {}, Retry_After=header), chat("4"))
    assert (reply.text, reply.attempts) == ("4", 2)
    if seconds == 1:
        assert server.chats[1].at - server.chats[0].at >= 1
    else:
        assert datetime.now(UTC) >= until.replace(microsecond=0)


def test_a_wait_beyond_the_time_limit_is_not_begun() -> None:
    """A server that asks to come back in an hour is not asked again within a minute's limit."""
    reply, server = asked(status(429, {"message": "later"}, Retry_After="3600"), timeout_s=60.0)
    assert (reply.outcome, reply.attempts, len(server.chats)) == ("no_response", 1, 1)
    assert reply.error == "HTTP 429: later; no time is left to try again"


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("0", 0),
        ("120", 120),
        ("1.5", 1.5),
        ("9" * 400, 1e9),
        ("Fri, 31 Dec 1999 23:59:59 GMT", 0),
        ("Fri, 99 Dec 1999 23:59:59 GMT", None),
        ("soon", None),
        ("", None),
        ("-1", None),
        ("1e3", None),
    ],
)
def test_retry_after_is_read_strictly(header: str, seconds: float | None) -> None:
    """A number or a date gives seconds; anything else is as if it were not there."""
    assert seconds_to_wait(header) == seconds


@pytest.mark.parametrize("part", [silence, drip])
def test_time_is_bounded_by_the_total_deadline(part: Part) -> None:
    """Neither silence nor an answer that trickles in holds a request beyond its limit."""
    reply, server = asked(error(500), part, timeout_s=0.5)
    assert (reply.outcome, reply.attempts, len(server.chats)) == ("no_response", 2, 2)
    assert reply.error == "no reply within 0.5 s (before that: HTTP 500: as told)"


def test_an_endless_answer_is_given_up() -> None:
    """An answer above the bound is an error at once, and is not asked for again."""
    written: list[int] = []
    reply, server = asked(flood(written))
    assert (reply.outcome, len(server.chats)) == ("engine_error", 1)
    assert sum(written) < 2 * MAX_BODY
    assert reply.error == "the server sent more than 64 MB"


def test_redirects_are_not_followed() -> None:
    """A server that points elsewhere is told of, and the key does not travel there."""

    async def run() -> tuple[Reply, Misbehaving]:
        async with Misbehaving() as other:
            there = status(307, {}, Location=f"{other.url}/chat/completions")
            async with Misbehaving(there) as server:
                backend = backend_of(server)
                await backend.open()
                reply = await backend.answer(request_of(setting_of()))
                await backend.close()
                return reply, other

    reply, other = asyncio.run(run())
    assert (reply.outcome, reply.attempts) == ("engine_error", 1)
    assert reply.error.startswith("HTTP 307: the server points to 'http://127.0.0.1:")
    assert not other.chats and not other.others


@pytest.mark.parametrize(
    "body",
    [
        {"error": {"code": "context_length_exceeded", "message": "Too much."}},
        {"error": {"type": "exceed_context_size_error", "code": 400, "message": "request (9 …"}},
        {
            "object": "error",
            "message": "This model's maximum context length is 2048 tokens. However, your prompt "
            "contains at least 2049 input tokens",
            "code": 400,
        },
        {"error": {"message": "prompt is too long: 210000 tokens > 200000 maximum"}},
        {"error": {"message": "The input token count (9) exceeds the maximum number of tokens"}},
    ],
)
def test_a_prompt_that_does_not_fit_is_over_length(body: Any) -> None:
    """A server's word that prompt and reply exceed the context is no engine error."""
    reply, server = asked(status(400, body))
    assert (reply.outcome, reply.attempts, len(server.chats)) == ("over_length", 1, 1)


def test_a_limit_that_the_model_cannot_have_is_the_settings_fault() -> None:
    """A refused `max_tokens` says nothing of the prompt, so it is not over-length."""
    message = "max_tokens is too large: 100000. This model supports at most 16384 tokens"
    assert asked(error(400, message))[0].outcome == "engine_error"


def test_the_key_is_in_no_reply() -> None:
    """A server that repeats the key, wherever it does, does not get it into the record."""
    reply, _ = asked(error(401, f"Incorrect API key provided: {KEY}."))
    assert reply.error == "HTTP 401: Incorrect API key provided: ...."
    assert KEY not in repr(reply)
    echo = {**completion(f"You sent {KEY}"), "model": KEY, "system_fingerprint": KEY}
    reply, _ = asked(status(200, echo))
    assert (reply.outcome, reply.text) == ("answered", "You sent ...")
    assert KEY not in repr(reply)


def test_a_request_that_is_cancelled_ends_soon() -> None:
    """Cancelling is not mistaken for a failure that calls for another attempt."""

    async def run() -> int:
        async with Misbehaving(silence) as server:
            backend = backend_of(server)
            await backend.open()
            task = asyncio.create_task(backend.answer(request_of(setting_of())))
            while not server.chats:
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asyncio.wait_for(task, 10)
            await backend.close()
            return len(server.chats)

    assert asyncio.run(run()) == 1


def test_nothing_is_lost_on_a_server_that_does_everything_wrong() -> None:
    """Many requests at once to a server that fails in every way: each ends with a true outcome."""
    parts = [error(500), cut(), chat("4"), status(200, b"{"), error(429), chat("4"), raw()] * 30

    async def run() -> tuple[list[Reply], int]:
        async with Misbehaving(*parts) as server:
            backend = backend_of(server)
            await backend.open()
            setting = setting_of(max_attempts=2)
            replies = await asyncio.gather(
                *(backend.answer(request_of(setting, f"task-{number}")) for number in range(100))
            )
            await backend.close()
            return replies, len(server.chats)

    replies, chats = asyncio.run(run())
    assert sum(reply.attempts for reply in replies) == chats
    assert {reply.outcome for reply in replies} == {"answered", "no_response", "engine_error"}
    for reply in replies:
        assert (reply.outcome == "answered") == (reply.text == "4")
        assert reply.attempts == 2 or reply.outcome == "answered"


_NAMES = [
    "choices",
    "message",
    "content",
    "type",
    "text",
    "usage",
    "error",
    "code",
    "finish_reason",
    "reasoning",
    "refusal",
    "detail",
    "token_ids",
    "prompt_tokens",
    "thinking",
    "completion_tokens_details",
    "tool_calls",
    "model",
]
_BODIES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_NAMES), inner, max_size=5)
    ),
    max_leaves=12,
)


@given(_BODIES, _BODIES, st.sampled_from([200, 200, 302, 400, 418, 429, 500]))
def test_any_json_is_a_reply_or_a_failure(body: Any, message: Any, code: int) -> None:
    """Whatever shape an answer has, and its message in an otherwise good one, it is understood."""
    for whole in (body, {"choices": [{"message": message}], "usage": message, "error": None}):
        result = understood(Answer(status=code, body=json.dumps(whole).encode()))
        assert isinstance(result, Reply | Failure)
        assert result.outcome in OUTCOMES
        assert "\n" not in result.error


@pytest.mark.parametrize("finish", [["stop"], {}, 1, None])
def test_an_odd_word_for_the_end_is_no_fault(finish: Any) -> None:
    """A finish reason that is no text is none, and the reply stands."""
    choice = {"message": {"content": "4"}, "finish_reason": finish}
    result = understood(Answer(status=200, body=json.dumps({"choices": [choice]}).encode()))
    assert isinstance(result, Reply)
    assert (result.text, result.finish_reason) == ("4", "")


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e400", "-1e400"])
def test_a_number_that_no_json_holds_makes_no_reply(number: str) -> None:
    """It could not be stored again as JSON that other tools read."""
    body = b'{"choices": [{"message": {"content": "4", "tool_calls": [%s]}}]}'
    result = understood(Answer(status=200, body=body % number.encode()))
    assert isinstance(result, Failure)
    assert result.error == "the server sent an answer that is no JSON"


# Several servers


def test_nonsense_is_not_asked_for_twice_of_one_server() -> None:
    """A server that is quick and well, but sends no JSON, is passed over for the next attempt."""

    async def run() -> tuple[Reply, int]:
        async with Misbehaving(status(200, b"{")) as bad, Misbehaving(chat("4")) as good:
            backend = backend_of(bad, good)
            await backend.open()
            reply = await backend.answer(request_of(setting_of()))
            await backend.close()
            return reply, len(bad.chats)

    reply, asked_in_vain = asyncio.run(run())
    assert (reply.text, reply.attempts, asked_in_vain) == ("4", 2, 1)


def test_a_retry_goes_to_another_server() -> None:
    """What one server failed at is asked of the other, and the failed one rests."""

    async def run() -> tuple[list[Reply], int, int]:
        async with Misbehaving(error(500)) as bad, Misbehaving(chat("4")) as good:
            backend = backend_of(bad, good)
            await backend.open()
            setting = setting_of()
            replies = [await backend.answer(request_of(setting, f"{n}")) for n in range(10)]
            await backend.close()
            return replies, len(bad.chats), len(good.chats)

    replies, bad, good = asyncio.run(run())
    assert [reply.text for reply in replies] == ["4"] * 10
    assert (bad, good) == (1, 10)


def test_requests_are_spread_over_the_servers() -> None:
    """Of two servers that are well, each gets its half of what is asked at once."""

    async def slowly(writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.2)
        await chat("4")(writer)

    async def run() -> tuple[int, int, int]:
        async with Misbehaving(slowly) as one, Misbehaving(slowly) as two:
            backend = backend_of(one, two)
            await backend.open()
            setting = setting_of()
            await asyncio.gather(
                *(backend.answer(request_of(setting, f"{n}")) for n in range(backend.concurrency))
            )
            await backend.close()
            return backend.concurrency, len(one.chats), len(two.chats)

    assert asyncio.run(run()) == (32, 16, 16)


def test_a_server_that_is_down_does_not_stop_the_others() -> None:
    """One dead base URL of two is told of when the backend opens, and costs no reply."""

    async def run() -> tuple[Mapping[str, Any], Reply]:
        async with Misbehaving(chat("4")) as server:
            backend = backend_of(server, urls=["http://127.0.0.1:9/v1"])
            facts = await backend.open()
            reply = await backend.answer(request_of(setting_of()))
            await backend.close()
            return facts, reply

    facts, reply = asyncio.run(run())
    assert facts["unreachable"] == ["http://127.0.0.1:9/v1"]
    assert reply.text == "4"
