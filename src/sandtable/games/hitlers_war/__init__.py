"""Hitler's War: the whole game, for two and three players.

Which file holds which chapter of the rulebook:

* `atlas` the board as numbers; `territory` connected territory; `state` the State; `actions`, `events`; `setup`
  the four scenarios; `sequence` seasons, player-turns, phases
* `control` hex control and garrisons; `movement` movement and stacking; `sealift` movement across seas; `routes` sea
  routes of invasions; `voyages` attacks on Allied transports (Campaign II)
* `combat` the order of the combat phase; `announce` making attacks; `invasion` naval fire and coastal air; `assault`
  assaults, defensive assaults, air attacks; `firepower` the table; `losses`; `advance` advances, paradrop, air
  superiority; `retreat`; `exploitation`
* `supply` supply and isolation; `budget` and `production` production, forts, repair, lend-lease; `arsenal` weapons in
  boxes; `research` research and technology; `partisans`
* `neutrality` violation of neutrality; `entry` entry into the war; `surrender`; `morale`; `victory`
* `strategic` bombing, sea raid, missiles, atomic bombs; `fleets_boxes` the Atlantic fleets and U-boats; `missiles`
* optional rules: `leaders`, `home_forces` (unaligned forces), `italian`; naval action in `fleets` (where ships may go),
  `fleet_moves`, `harbours`, `naval_battle`, `interception`, `raid`, with `actions_naval`, `events_naval` and, where it
  reaches into other chapters, `naval_hooks`; `shipyard` (ship builds), `carriers`
* `odds` exact odds; `table` and `panels` what a role sees; `faults` what must always hold; `game` the Game
* `barred` and `spaces` small kinds of offers and domains
"""
