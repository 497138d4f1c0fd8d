// Putting a match together in the lobby: who sits where, and what the server is asked for.
import type { GameInfo, OptionInfo, OptionValue, ScenarioInfo } from './types';

export interface SeatPlan {
  kind: 'me' | 'friend' | 'computer';
  level: string;
}
export interface Party {
  id: string;
  name: string;
  roles: string[];
}

/** Those one can play alone against the computer: alliances where they hold several roles, else roles. */
export function partiesOf(game: GameInfo, scenario: ScenarioInfo, alliance: (id: string) => string): Party[] {
  const roles = rolesOf(game, scenario);
  const parties = new Map<string, string[]>();
  for (const role of roles) {
    const side = game.roles.find((one) => one.id === role)?.alliance ?? role;
    parties.set(side, [...(parties.get(side) ?? []), role]);
  }
  const name = (role: string): string => game.roles.find((one) => one.id === role)?.name ?? role;
  return [...parties].map(([id, held]) => ({ id, roles: held, name: held.length === 1 ? name(held[0] as string) : alliance(id) }));
}

/** The computer a newcomer meets unless he asks for another: one that knows the game and wastes no time. */
export function usualLevel(levels: readonly string[]): string {
  return levels.includes('captain') ? 'captain' : (levels[0] ?? 'recruit');
}

export function rolesOf(game: GameInfo, scenario: ScenarioInfo): string[] {
  return scenario.roles.length ? scenario.roles : game.roles.map((role) => role.id);
}

export function optionsFor(game: GameInfo, scenario: ScenarioInfo): OptionInfo[] {
  return game.options.filter((option) => option.scenarios.length === 0 || option.scenarios.includes(scenario.id));
}

interface SeatWish {
  roles: string[];
  kind: 'person' | 'computer';
  level?: string;
  name?: string;
  colour?: string;
  invite?: boolean;
}
/** Who makes the match. */
export interface Maker {
  name: string;
  colour: string;
}

/** Seats as the server wants them: all roles of mine are one seat, every friend and computer has one of his own. */
export function seatsOf(plan: Record<string, SeatPlan>, roles: string[], { name, colour }: Maker): SeatWish[] {
  const mine = roles.filter((role) => plan[role]?.kind === 'me');
  const seats: SeatWish[] = mine.length ? [{ roles: mine, kind: 'person', name, colour }] : [];
  for (const role of roles) {
    const seat = plan[role];
    if (seat?.kind === 'friend') seats.push({ roles: [role], kind: 'person', invite: true });
    if (seat?.kind === 'computer') seats.push({ roles: [role], kind: 'computer', level: seat.level });
  }
  return seats;
}

export function changedOptions(options: OptionInfo[], chosen: Record<string, OptionValue>): Record<string, OptionValue> {
  return Object.fromEntries(options.flatMap((o) => (o.id in chosen && chosen[o.id] !== o.default ? [[o.id, chosen[o.id] as OptionValue]] : [])));
}
