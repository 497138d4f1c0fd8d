"""World War II in Europe: land and sea spaces, fronts, six major powers in two alliances.

Which file holds which chapter of the rulebook:

* `atlas`, `kinds`: the board, the countries, the unit charts (The Map, Land Space Features, Combat Units)
* `state`, `actions`, `events`, `lookup`: what changes, what can be chosen, what happened, questions about a position
* `setup`: scenarios and their set-up cards
* `sequence`: Sequence of Play, The Phases; `game`: the game as the core sees it
* `politics`, `pact`, `armistice`: Neutrality, Minor Allies, Pact, French and Italian Armistice; `surrender`
* `supply`, `flow`, `convoylines`: Supply Sources, Cut Off, what convoys are and carry
* `routes`, `waters`: declared paths and open lanes; `land`: Land Movement; `air`: flights, raids, air drops;
  `sea`: Sea Movement, transports; `weather`: the calendar, Russian Winter
* `orders`, `order_offers`, `ready`: the Movement phase; `blitz`: Blitzkrieg
* `strength`, `fire`: Combat Values and hits; `battle`: rounds, casualties, retreat; `landings`: Amphibious Attack;
  `aftermath`, `homecoming`: retreats, captures, Return to Port/Land
* `crossings`, `encounters`: Interception and the order of naval battles; `assembly`, `seaweather`: Advanced
  Naval Rules; `stages`: the four stages; `strategic`: Strategic Warfare
* `seacontrol`, `redeploy`: Redeployment and Movement Penalties; `convoys`: Convoys
* `build`, `buy`, `collect`: Build, Buy, Collect Money, Technology
* `initiative`, `turnend`, `victory`: Initiative, end of the turn, Victory Conditions
* `leaders`, `special`: the options Leaders and Special Forces
* `odds`: exact odds; `table`: what the eyes get; `faults`: what must always hold
"""
