"""Blitzkrieg General: the whole game, basic (1939-basic) and advanced (1939-advanced, 1941-advanced).

Which file holds which chapter (numbers of the advanced rules):

* `atlas` the board, counters, countries, cards and charts as integers; `tables` numbers without a chart
* `state` the State and the smallest questions; `setup` 4.1 and the scenario cards; `options` set-up choices, 9.10, 9.13
* `sequence` 5.0 the turn, an action segment, the phases of a side; `timetable` 5.1; `reinforcements` 5.2 and 9.3, 9.8
* `supply` 6.1, 6.6 and the gates of 6.4.3 C; `reach` ranges and stacking; `rail` 6.2, 6.3;
  `movement` land units in 6.4.4 and 6.7; `flying` aircraft, Task Forces in support, bombing, declarations, 9.1
* `naval` 6.4.3 C and F; `cargo` 6.4.3 A and B and the landings of 6.5.4; `search` 6.4.3 D-E and the naval reaction of
  6.5.4; `reaction` 6.4.5, 6.4.6, 10
* `battles` which battles there are, `battle`, `chart`, `strength` 6.5; `retreat` 6.5.8, 6.5.9; `aftermath` 6.5.10;
  `bombing` 6.5.6; `control` 6.8; `garrison` Yugoslavia's
* `conquest` 7.1; `usentry` 7.2; `economy` the production flags; `production` 7.3 and 7.6; `cards` 7.4;
  `card_rules` when a card may be played; `card_effects`, `coups` what it does; `research` 7.5
* `politics` 8.1-8.4; `victory` 8.5; `fog` 9.12; `faults` the invariants; `odds` previews; `lazy` domains worked out on
  demand; `table` what the eyes get
"""
