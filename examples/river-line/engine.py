"""A computer player for any game, as a program: it speaks Sandtable's JSON lines on stdin and stdout.

sandtable simulate river-line --seat "north=exec:python engine.py" --matches 10
sandtable bot "exec:python engine.py" 'http://127.0.0.1:7357/m/MATCH#seat=SECRET'

It attacks where the odds are good and else plays at random. It uses nothing but Python's json: in any other language it
would be the same.
"""

import json
import sys


def tell(**words):
    print(json.dumps(words), flush=True)


def ask(**words):
    tell(**words)
    return json.loads(sys.stdin.readline())


for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] != "decide":
        continue  # hello: what is played; refused: the next answer should be another
    best, action = 0.5, None
    for one in ask(type="list", most=20)["actions"]:
        odds = ask(type="odds", action=one).get("odds")
        if odds and odds["success"] >= best:
            best, action = odds["success"], one
    tell(type="act", action=action or ask(type="sample")["action"])
