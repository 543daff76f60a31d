"""Servers and bots: what they are handed, by a decorator of an object of theirs, they call when somebody asks for it, and what
they are made with as that which starts them, before anybody does."""

from __future__ import annotations

SERVING = {
    "aiogram", "aiohttp", "bottle", "discord", "fastapi", "flask", "flask_socketio", "quart", "sanic", "socketio", "starlette",
    "telebot", "typer",
}  # fmt: skip
STARTING = {"lifespan", "on_startup"}
PURE = SERVING
