"""The page: the whole of Sandtable as a static site. The host runs in the browser, in a Worker, as WebAssembly.

`site` writes the site and `archives` packs the Python that goes into it; both run on the machine of whoever publishes
the page. `desk` and `cabinet` run inside the browser: the desk carries the host's messages and the cabinet keeps its
records. They need msgspec and the standard library only, as the host does; JavaScript gives them functions that take
and return text. `in_node` runs the page's Python without a browser, `measure` is a program for it, and `bench_page`
has the figures.

From tab to desk and back
=========================
A message is a number and a text. Number 0 is the desk itself; any other is a line that the tab has opened, and its
text is a message of the host's protocol (`sandtable.host`), the hello first. To the desk, and with an `id`:

    matches  seats, lang      my matches, as a lobby shows them
    create   wish             start a match
    lessons  game, lang       the lessons of a game
    lesson   wish             begin a lesson
    import   file             bring in a match file
    file     match, seat      the match file
    save                      everything that is kept, as one file
    restore  file             bring in such a file: what is here already stays as it is
    remove   match            forget a match for good

Each gets one answer with its id: `value`, or `error` as on a line. `open` (line, match) and `close` (line) have no
answer. `closed` (line, code, reason) says that the desk has closed a line; the codes are those of the server's
WebSocket.
"""
