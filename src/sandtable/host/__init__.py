"""The host runs matches: seats, clocks, computer players, who is told what. It knows no network and no database.

A wrapper gives it a `Storage` and a `Thinker` and carries its messages: `sandtable.server` over HTTP and WebSocket with
SQL behind it. It needs msgspec, the standard library, and an asyncio event loop; no thread and no process.

The protocol
============
A client opens a *line* to a match. Messages are JSON objects; `messages.py` has all of them.

Hello. The client's first message: `{"seat": SECRET or null, "lang": "en", "since": N}`. `N` is the last move it knows
of, 0 at first. The host answers with `state` and then `chat`.

Requests. All other messages of the client have a `type` and an `id` of the client's own, and each gets exactly one
answer with that id, in the order in which they were sent but for work that takes long.

    act      role, action, answers      make a move; also {"do": "undo"}, "resign", "draw", "order"
    act-all  role, actions, answers     make several moves as one: all or none, one step of undo
    send     role, units, to, index, answers   send units to a place: all or none, one step of undo
    take-back  role, number, answers    take back one step and make those after it again: all or none
    look     role                       the match as it is now, through the eyes of this role of the seat
    next     role, index, prefix, so_far   the domain of an offer's next field
    reach    role, units, to, index     where units can go, or which can go to a place
    why-not  role, action               whether it is allowed, and which rule forbids it
    odds     role, action               what the action may lead to
    weigh    role, units, to, index     what units may lead to that are sent to a place together
    table    at, role                   the table after any move
    briefing role                       what the role is told at the beginning, and how everybody is doing
    staff    role                       up to three plans for the decision of a role; not between people
    review                              of a finished match: who won, why, when it was decided, how it went
    luck                                of a finished match: every die against its odds, some more at each request
    rehearse role, at, actions, level, turns, first, count   who wins when computer players play on from there
    digest   since                      what happened after that move, or since one's own last, in short
    book                                the book of the game's rules
    example name                        the table of an example of the book
    remarks                             what the computer players say of their last turns
    log      since                      what happened after that move
    moves, dice                         all moves; the seed and all dice of a finished match
    say      text                       chat
    branch   at, seats                  start a match of one's own from that move
    report   about, at, role, action, line, sentence   a file that says what looks wrong, and what it needs to be seen
    story    number                     a published story of the match, or one's own (without a number)
    annotate at, version, text, arrows, spaces   say something about the position after a move, in one's own story
    add-variation  branch, seat, text, version   put what was played on a branch into one's own story
    drop-variation  at, place, version  take a variation out of it
    publish  title, eyes, published, version   let others read one's own story, when the match is over
    variation  story, at, place, move, role   the position after some moves of a variation

Several as one. `act-all`, `send` and `take-back` make moves one after the other, each an entry of the log. Where one is
refused nothing has changed, and for `send` the error names the unit. Where a die falls or something is revealed, the
moves up to there are made and the rest is left: to try and take back would tell what nobody may know.

Work that takes long. The requests 'luck' and 'rehearse' do about a second of work each and are answered when that is
done; what is asked meanwhile is answered first. The former says how far it is, and has the ledger when all is done. The
latter says how many it has played, and goes on from there when it is asked again with `first`.

Answers. What makes moves, and `look`, are answered by `state`, the others by `answer` with a `value`, any of them by
`error`.

State. Everything that a client shows: `info` (seats, clocks, who is waited for, the outcome), `role` (whose eyes),
`table`, `offers`, `undo`, and the `events` since the last state, with the numbers of moves whose lines are `gone`. A
client is sent a state after every move of anybody: one message with all that changed. The state that answers an
`act` has its `id`, and in `acted` the number under which the move is committed.

Nothing acknowledged is lost. A move is committed before anybody is told of it. A client that lost its connection comes
back with a new hello and sends again, with the same ids, what was not answered. A move that had been made is not made
again: `acted` is the number that the first answer had, or would have had. `answers` is the number of the last move
that the client has seen; a move that answers an older decision is refused with status 409 and changes nothing.

Reports. The value of `report` is the text of a file for the player to keep; the host keeps nothing of it. It is about
a "refusal" or "odds" (with `action`; `at` is the last move before it) or an "event" (a line of the log of move `at`,
counted from 0). The file holds nothing that the seat may not know; `sandtable.host.reports` says what it holds.

Stories. A story holds notes about moves of a match; each seat has one. It is its teller's own until it is published,
and it can be published when the match is over. `version` is that of the story which the client has seen: where another
tab has changed it since, the request is refused with status 409. `sandtable.host.stories` says what a story may hold.

Unasked. `state` as above, `chat` with new lines, `seats` when somebody comes, leaves or is replaced by the computer.
"""

from .computers import Question, Thinker, ThinksHere, Thought, think
from .host import Host
from .line import Line
from .memory import MemoryStorage
from .records import Conflict, MatchRow, MoveRow, SeatRow, Storage
from .visit import Visit

__all__ = [
    "Conflict", "Host", "Line", "MatchRow", "MemoryStorage", "MoveRow", "Question", "SeatRow", "Storage", "Thinker",
    "ThinksHere", "Thought", "Visit", "think",
]  # fmt: skip
