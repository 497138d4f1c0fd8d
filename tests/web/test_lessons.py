"""A learner who knows nothing but what the lesson shows finishes every lesson, in both languages."""

from __future__ import annotations

import os
import time
from typing import Any

import pytest

from sandtable.games import find, games
from sandtable.host import lessons

from .conftest import Server
from .hands import spot_on_map

SMALL = {"width": 1000, "height": 620}
ALL = [(game, name) for game in games() for name in lessons.course(find(game))]
SECONDS = 240


SCRIPTED = [(game, name) for game, name in ALL if not lessons.lesson_of(find(game), name).computer]
"""Against the computer the dice are real and a lesson may be lost and begun again: that takes longer."""
CHOSEN = (
    [(game, name, language) for game, name in ALL for language in ("en", "de")]
    if os.environ.get("SANDTABLE_ALL_LESSONS")
    else [(game, name, ("en", "de")[place % 2]) for place, (game, name) in enumerate(SCRIPTED)]
)
"""Every scripted lesson, in one language and the other by turns; all in both with SANDTABLE_ALL_LESSONS=1."""


class Pupil:
    """Reads the lesson's panel and presses what it shows; knows no game and no lesson."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.read: list[str] = []

    def sees(self, name: str) -> Any:
        found = self.page.locator(f"[data-testid={name}]")
        return found.first if found.count() else None

    @property
    def is_done(self) -> bool:
        return self.page.get_attribute("[data-testid=lesson]", "data-done") == "true"

    def work(self) -> None:
        """One thing: go on, find what is asked for, do what the hint says, or begin again what is lost."""
        from playwright.sync_api import TimeoutError as GoneMeanwhile  # without it these tests are skipped

        said = self.page.evaluate("() => document.querySelector('[data-testid=lesson-say]')?.innerText")
        if said:
            self.read.append(said)
        for name in ("confirm", "lesson-continue", "lesson-find", "lesson-show", "lesson-ask", "lesson-again"):
            button = self.sees(name)
            if button is not None and button.is_enabled():
                try:
                    button.click(timeout=2000)
                except GoneMeanwhile:  # the computer has moved, and the panel says something else
                    return
                if name == "lesson-again":
                    self.page.wait_for_selector("[data-testid=lesson-say]")
                return
        self.page.wait_for_timeout(50)

    def finish(self) -> None:
        end = time.monotonic() + SECONDS
        while not self.is_done and time.monotonic() < end:
            self.work()
            self.page.wait_for_function("() => window.sandtableSession?.busy === false")
            self.page.wait_for_timeout(20)
        assert self.is_done, f"stuck at: {self.page.inner_text('[data-testid=lesson]')}"


@pytest.mark.parametrize(("game", "name", "language"), CHOSEN)
def test_a_pupil_finishes_the_lesson(open_page: Any, server: Server, game: str, name: str, language: str) -> None:
    page = open_page("/", viewport=SMALL)
    page.locator("header select").select_option(language)
    title = find(game).texts(language).say("game.title")
    page.get_by_role("button", name=title, exact=False).first.click()
    page.locator("[data-testid=learn] summary").click()
    page.locator(f'[data-lesson="{name}"]').click()
    page.wait_for_selector("[data-testid=lesson]")
    pupil = Pupil(page)
    pupil.finish()
    lesson = lessons.lesson_of(find(game), name)
    assert page.inner_text("[data-testid=lesson] h3") == lesson.title.of(language)
    assert len(set(pupil.read)) >= len(lesson.step) - 1
    page.goto(server.address + "/")
    page.get_by_role("button", name=title, exact=False).first.click()
    assert "✓" in page.locator(f'[data-lesson="{name}"]').inner_text(), "the browser remembers it"


FINDING = next(
    ((game, name) for game, name in ALL if any(step.find for step in lessons.lesson_of(find(game), name).step)), None
)


@pytest.mark.skipif(FINDING is None, reason="no lesson asks to find something")
def test_a_click_on_the_map_is_judged(open_page: Any, server: Server) -> None:
    assert FINDING is not None
    game, name = FINDING
    made = server.call("/api/matches/lesson", {"game": game, "lesson": name})
    page = open_page(made["seats"][0]["link"], viewport={"width": 1280, "height": 900})
    page.wait_for_selector("[data-testid=lesson]")
    pupil = Pupil(page)
    steps = lessons.lesson_of(find(game), name).step
    while pupil.sees("lesson-continue") is not None:
        pupil.sees("lesson-continue").click()
    said = pupil.sees("lesson-say").inner_text()
    step = next(step for step in steps if step.find)
    other = page.evaluate(
        """(not) => { const b = window.sandtableBoard, s = window.sandtableSession;
            return b.sheets.flatMap((sheet) => sheet.spaces).map((one) => one.id)
                .find((id) => !not.includes(id) && (s.table.stacks[id] ?? []).length === 0) }""",
        list(step.find),
    )
    where = spot_on_map(page, other)
    assert where is not None
    page.mouse.click(*where)
    page.wait_for_selector("[data-testid=lesson-wrong]")
    assert pupil.sees("lesson-say").inner_text() == said, "a wrong click leads nowhere"
    page.evaluate("() => { document.querySelector('[data-testid=lesson] header button').click() }")
    for target in step.find[:1] if not step.every else step.find:
        place = page.evaluate("(id) => window.sandtableSession.namer.whereIs(id) ?? id", target)
        where = spot_on_map(page, place)
        assert where is not None
        page.wait_for_timeout(400)
        page.mouse.click(*where)
        if page.locator(".fan").count():
            page.locator(f'.fan [data-unit="{target}"]').click()
    page.evaluate("() => { document.querySelector('[data-testid=lesson] header button').click() }")
    page.wait_for_function("(said) => document.querySelector('[data-testid=lesson-say]').innerText !== said", arg=said)


def test_a_wrong_move_gets_the_lessons_answer(open_page: Any, server: Server) -> None:
    game, name, pattern = next(
        (game, name, wrong.when)
        for game, name in ALL
        for step in lessons.lesson_of(find(game), name).step[:3]
        for wrong in step.wrong
        if step.is_task and wrong.when == {"do": "done"}
    )
    made = server.call("/api/matches/lesson", {"game": game, "lesson": name})
    page = open_page(made["seats"][0]["link"])
    page.wait_for_selector("[data-testid=lesson]")
    pupil = Pupil(page)
    while pupil.sees("lesson-continue") is not None:
        pupil.sees("lesson-continue").click()
    before = page.evaluate("() => window.sandtableSession.table.number")
    page.evaluate("(action) => window.sandtableSession.act(action)", pattern)
    page.wait_for_selector("[data-testid=lesson-wrong]")
    assert page.evaluate("() => window.sandtableSession.table.number") == before
    page.locator("[data-testid=lesson-wrong] button").click()
    page.wait_for_selector("[role=tabpanel] input[type=search]")
