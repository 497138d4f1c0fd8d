"""Munich War 1938.

Which file holds which chapter of the rules:

- 1, 3.2 game.py (roles, scenarios, options); 2 and the printed charts atlas.py; 2.2 to 2.4 state.py
- 2.3 and 10 facts.py (control, zones of control); 3 deployment.py; 4 sequence.py; 5 politics.py; 6 events_phase.py
- 7 mobilization.py, 7.3 and 11.17 losses.py; 8 movement.py (rules) and movement_phase.py (decisions); 9 stacking.py
- 11 combat.py (strengths, shifts), combat_phase.py (decisions), results.py (the result codes)
- 12 retreat.py; 13 advance.py; 14 supply.py; 15 fog.py; 16 air.py and terror.py, 16.10.1 movement_phase.py
- 17 combat_phase.py; 18 naval.py, 18.1 combat.py; 19 movement.py and combat.py; 20 where the storm bites
- 21 surrender.py; 22 victory.py; 23.1 and 23.6 deployment.py, 23.2 options.py, 23.3 and 23.4 naval.py, 23.5 politics.py

Besides: actions.py, events.py, domains.py (sets of hexes as one number), faults.py (invariants), odds.py, table.py.
"""
