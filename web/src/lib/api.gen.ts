// The types of the API. Made from the server's OpenAPI description by tools/api_types.py: do not edit.

/** Make a move. Undo, resign, draw and order are moves too. */
export interface Act {
  type: 'act';
  id: string;
  role: string;
  action: ActionData;
  answers: number;
}

export interface Acted {
  number: number;
  id: string;
  events: LogLine[];
}

/** An action: what to do, and its fields by name. */
export interface ActionData {
  do: string;
  [more: string]: Value;
}

/** How many of each: (item, at most), with a total in bounds. */
export interface AmountsDomain {
  type: 'amounts';
  limits: ([Value, number])[];
  least: number;
  most: number;
  notes?: unknown[];
  labels?: (string | null)[];
}

/** The answer to a request that changed nothing. */
export interface Answer {
  type: 'answer';
  id: string;
  value: unknown;
}

/** A line over the map: an announced attack, a declared path, a convoy route, a retreat. */
export interface Arrow {
  path: string[];
  kind: string;
  side?: string;
  label?: string;
}

/** The seed and every die of a finished match. */
export interface AskDice {
  type: 'dice';
  id?: string;
}

/** What happened after move `since`. */
export interface AskLog {
  type: 'log';
  since?: number;
  id?: string;
}

/** All moves, for a scrubber. */
export interface AskMoves {
  type: 'moves';
  id?: string;
}

/** The exact odds of what an action would start. */
export interface AskOdds {
  type: 'odds';
  role: string;
  action: ActionData;
  id?: string;
}

/** A file about something that looks wrong to me: a refusal, the odds of an action, or a line of the log. */
export interface AskReport {
  type: 'report';
  about: 'event' | 'odds' | 'refusal';
  at: number;
  sentence: string;
  role?: string | null;
  action?: ActionData | null;
  line?: number;
  id?: string;
}

/** The table after any move. */
export interface AskTable {
  type: 'table';
  at?: number | null;
  role?: string | null;
  id?: string;
}

/** A place off the map that holds counters: reinforcements, a display, the turn track, a country off the map. */
export interface Box {
  id: string;
  title: string;
  group?: string;
  side?: string;
}

/** Play on from any move in a match of my own. */
export interface Branch {
  type: 'branch';
  at: number;
  seats?: SeatWish[];
  id?: string;
}

/** A card in a hand or on the table; a hidden one has only its back. */
export interface CardFace {
  id: string;
  title: string;
  text?: string;
  side?: string;
  cost?: string;
  hidden?: boolean;
  playable?: boolean;
}

/** What was said: everything after the greeting, then line by line. */
export interface Chat {
  type: 'chat';
  lines: ChatLine[];
}

/** One line of chat. */
export interface ChatLine {
  id: number;
  name: string;
  roles: string[];
  text: string;
  at: number;
}

export type ClientRequest = Act | Look | Next | WhyNot | AskOdds | AskTable | AskLog | AskMoves | AskDice | Say | Branch | AskReport;

/** The clocks: seconds left by role, and since when each of them is running. */
export interface ClockInfo {
  kind: string;
  seconds: number;
  increment: number;
  left: Record<string, number>;
  since: Record<string, number | null>;
  now: number;
}

export interface ClockWish {
  kind?: 'none' | 'move' | 'budget';
  seconds?: number;
  increment?: number;
}

/** One counter. `id` is what actions call it. */
export interface CounterFace {
  id: string;
  side: string;
  symbol?: string;
  icon?: string;
  size?: string;
  label?: string;
  numbers?: string;
  state?: string[];
  tooltip?: string;
  count?: number;
  carried_by?: string;
}

export interface CreateMatch {
  game: string;
  scenario?: string;
  options?: Record<string, boolean | number | string>;
  seats?: SeatWish[];
  clock?: ClockWish | null;
  public?: boolean;
}

export interface DiceAnswer {
  seed: string;
  seed_hash: string;
  dice: DieFace[];
}

/** A die that fell. */
export interface DieFace {
  n: number;
  sides: number;
  value: number;
  why: string;
}

export type Domain = OneDomain | NumberDomain | SomeDomain | AmountsDomain | WalkDomain;

export interface ErrorAnswer {
  error: ErrorBody;
  number?: number | null;
}

/** What went wrong, in one sentence; `rule` is the ledger id where the rules said no. */
export interface ErrorBody {
  code: string;
  message: string;
  rule?: string | null;
}

/** A request that could not be met. */
export interface ErrorMessage {
  type: 'error';
  id: string;
  status: number;
  error: ErrorBody;
  number: number | null;
}

export interface FieldInfo {
  name: string;
  kind: string;
}

export interface GameInfo {
  id: string;
  title: string;
  blurb: string;
  roles: RoleInfo[];
  alliances: Record<string, string[]>;
  scenarios: ScenarioInfo[];
  options: OptionInfo[];
  levels: string[];
  windows: string[];
  has_map: boolean;
}

export interface Health {
  status: string;
  matches: number;
}

/** The first message on a line: which seat, in which language, and the last move it knows of. */
export interface Hello {
  seat?: string | null;
  lang?: string;
  since?: number;
}

export type HostMessage = State | Answer | ErrorMessage | Chat | Seats;

export interface ImportFile {
  file: string;
}

/** One line of the log, with the dice before it and the places and units it speaks of. */
export interface LogLine {
  number: number;
  role: string;
  text: string;
  kind: string;
  turn: string;
  dice: DieFace[];
  refs: string[];
}

/** See the match through the eyes of another role of mine, or just as it is now. */
export interface Look {
  type: 'look';
  role?: string | null;
  id?: string;
}

/** A small mark on a space: a fort, devastation 3, terror, a battle announced. */
export interface Mark {
  kind: string;
  text?: string;
  tooltip?: string;
}

export interface MatchCreated {
  match: string;
  seed_hash: string;
  seats: SeatGiven[];
}

/** Everything about a match but the position. */
export interface MatchInfo {
  match: string;
  game: string;
  scenario: string;
  options: Record<string, boolean | number | string>;
  seats: SeatInfo[];
  number: number;
  asked: string[];
  turn: string;
  over: boolean;
  outcome: OutcomeInfo | null;
  outcome_text: string;
  you: string[];
  clock: ClockInfo | null;
  seed_hash: string;
  seed: string | null;
  rules_version: number;
  frozen: string | null;
  kind: string;
  parent: string | null;
  draw: string[];
}

export interface MatchLine {
  match: string;
  game: string;
  scenario: string;
  turn: string;
  number: number;
  asked: string[];
  you: string[];
  over: boolean;
  updated: number;
  public: boolean;
  kind: string;
  secret: string | null;
}

export interface Modifier {
  name: string;
  value: number;
  rule: string;
}

export interface MoveInfo {
  n: number;
  role: string;
  verb: string;
  label: string;
  turn: string;
  at: number;
  taken_back: boolean;
}

/** What may come next in an offer, given the fields before; `so_far` within a walk. */
export interface Next {
  type: 'next';
  role: string;
  index: number;
  prefix?: Value[];
  so_far?: Value[] | null;
  id?: string;
}

/** A whole number. */
export interface NumberDomain {
  type: 'number';
  least: number;
  most: number;
}

export interface Odds {
  title: string;
  results: Result[];
  success: number;
  modifiers?: Modifier[];
  expected_losses?: Record<string, number>;
  policy?: string;
}

/** One kind of thing a role may do: its fields and the domain of the next one, or the actions one by one. */
export interface OfferInfo {
  index: number;
  verb: string;
  label: string;
  rule: string;
  fields: FieldInfo[];
  hint?: string;
  next?: OneDomain | NumberDomain | SomeDomain | AmountsDomain | WalkDomain | null;
  actions?: ActionData[] | null;
  words?: Record<string, string>;
}

export interface OffersAnswer {
  number: number;
  role: string;
  offers: OfferInfo[];
  undo: number;
}

/** One of these values. `labels` and `notes` stand beside the values. */
export interface OneDomain {
  type: 'one';
  values: Value[];
  notes?: unknown[];
  labels?: (string | null)[];
}

export interface OptionInfo {
  id: string;
  name: string;
  blurb: string;
  default: boolean | number | string;
  choices: (boolean | number | string)[];
  scenarios: string[];
  rule: string;
}

export interface OutcomeInfo {
  winners: string[];
  level: string;
  reason: string;
}

/** Something that can be switched on: supply, zones of control, sea lanes. Spaces with a key of the legend. */
export interface Overlay {
  id: string;
  title: string;
  spaces?: Record<string, string>;
  legend?: Record<string, string>;
  arrows?: Arrow[];
}

/** A record sheet, a build list, a hand of cards, a table of odds. */
export interface Panel {
  id: string;
  title: string;
  kind?: string;
  columns?: string[];
  rows?: Row[];
  cards?: CardFace[];
  body?: string;
  side?: string;
}

export interface Result {
  probability: number;
  name: string;
  losses?: Record<string, number>;
  facts?: Record<string, number>;
}

export interface RoleInfo {
  id: string;
  name: string;
  alliance: string;
}

/** A row of a record sheet. `refs` are spaces or units it speaks of, to light up on hover. */
export interface Row {
  cells: string[];
  refs?: string[];
  head?: boolean;
}

export interface RuleInfo {
  id: string;
  title: string;
  says: string;
  scope: string;
  kind: string;
}

/** Say something to everybody at the table. */
export interface Say {
  type: 'say';
  text: string;
  id?: string;
}

export interface ScenarioInfo {
  id: string;
  name: string;
  blurb: string;
  roles: string[];
  turns: number;
}

export interface SeatGiven {
  roles: string[];
  kind: string;
  secret: string;
  link: string;
}

export interface SeatInfo {
  roles: string[];
  kind: string;
  level: string;
  name: string;
  connected: boolean;
  handed_over: boolean;
}

export interface SeatWish {
  roles: string[];
  kind?: 'computer' | 'person';
  level?: string;
  name?: string;
}

/** Somebody came, left, or was replaced by the computer. */
export interface Seats {
  type: 'seats';
  seats: SeatInfo[];
}

/** How a side or country looks: its name, its colour and its pattern. */
export interface SideFace {
  name: string;
  colour: 'blue' | 'green' | 'grey' | 'mustard' | 'neutral' | 'olive' | 'red' | 'rose' | 'sage' | 'sand' | 'steel' | 'stone' | 'tan' | 'teal' | 'violet' | 'yellow';
  pattern?: 'backstripes' | 'cross' | 'dots' | 'lines' | 'plain' | 'stripes';
}

/** Some of these values, in their order. */
export interface SomeDomain {
  type: 'some';
  values: Value[];
  least: number;
  most: number;
  notes?: unknown[];
  labels?: (string | null)[];
}

/** How a space looks now. What never changes is in map.json. */
export interface SpaceFace {
  side?: string;
  marks?: Mark[];
  value?: string;
  shade?: string;
  tooltip?: string;
}

/** One phase in the sequence-of-play bar. */
export interface Stage {
  id: string;
  title: string;
  now?: boolean;
  done?: boolean;
}

/** The match as a seat sees it now, and what happened since the last message. */
export interface State {
  type: 'state';
  info: MatchInfo;
  role: string | null;
  table: Table;
  offers: OfferInfo[];
  undo: number;
  events: LogLine[];
  gone: number[];
  id: string | null;
  acted: number | null;
}

/** All that one role sees. */
export interface Table {
  game: string;
  scenario: string;
  role: string | null;
  number: number;
  prompt: string;
  asked: string[];
  turn: string;
  sequence: Stage[];
  sides: Record<string, SideFace>;
  spaces: Record<string, SpaceFace>;
  stacks: Record<string, CounterFace[]>;
  boxes?: Box[];
  tracks?: Track[];
  panels?: Panel[];
  arrows?: Arrow[];
  overlays?: Overlay[];
  rules?: string;
  outcome?: string;
  extra?: Record<string, unknown>;
}

/** A row of boxes with markers on it: turns, production, morale, research. */
export interface Track {
  id: string;
  title: string;
  cells: string[];
  marks?: TrackMark[];
}

/** A marker on a track. */
export interface TrackMark {
  at: number;
  label: string;
  side?: string;
  tooltip?: string;
}

/** A value of a field: a word, a number, yes or no, nothing, or a list of values. */
export type Value = string | number | boolean | null | Value[];

/** A sequence that is built one by one: what may come next, and whether it may end here. */
export interface WalkDomain {
  type: 'walk';
  next: Value[];
  most?: number | null;
  may_stop?: boolean;
  notes?: unknown[];
  labels?: (string | null)[];
}

/** Whether an action is allowed, and which rule forbids it. */
export interface WhyNot {
  type: 'why-not';
  role: string;
  action: ActionData;
  id?: string;
}

export interface WhyNotAnswer {
  allowed: boolean;
  rule?: string | null;
  message?: string | null;
}
