// What the server sends. The shapes are those of the server's Table, offers and answers, nothing of a game's rules.

export interface SideFace {
  name: string;
  colour: string;
  pattern?: string;
}
export interface Mark {
  kind: string;
  text?: string;
  tooltip?: string;
}
export interface SpaceFace {
  side?: string;
  marks?: Mark[];
  value?: string;
  shade?: string;
  tooltip?: string;
}
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
export interface Box {
  id: string;
  title: string;
  group?: string;
  side?: string;
}
export interface TrackMark {
  at: number;
  label: string;
  side?: string;
  tooltip?: string;
}
export interface Track {
  id: string;
  title: string;
  cells: string[];
  marks?: TrackMark[];
}
export interface Row {
  cells: string[];
  refs?: string[];
  head?: boolean;
}
export interface CardFace {
  id: string;
  title: string;
  text?: string;
  side?: string;
  cost?: string;
  hidden?: boolean;
  playable?: boolean;
}
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
export interface Stage {
  id: string;
  title: string;
  now?: boolean;
  done?: boolean;
}
export interface Arrow {
  path: string[];
  kind: string;
  side?: string;
  label?: string;
}
export interface Overlay {
  id: string;
  title: string;
  spaces?: Record<string, string>;
  legend?: Record<string, string>;
  arrows?: Arrow[];
}
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

// ---- offers
export type Value = string | number | boolean | null | Value[];
export interface OneDomain {
  type: 'one';
  values: Value[];
  notes?: unknown[];
  labels?: (string | null)[];
}
export interface NumberDomain {
  type: 'number';
  least: number;
  most: number;
}
export interface SomeDomain {
  type: 'some';
  values: Value[];
  least: number;
  most: number;
  notes?: unknown[];
  labels?: (string | null)[];
}
export interface AmountsDomain {
  type: 'amounts';
  limits: [Value, number][];
  least: number;
  most: number;
  notes?: unknown[];
  labels?: (string | null)[];
}
export interface WalkDomain {
  type: 'walk';
  most?: number;
  next: Value[];
  may_stop?: boolean;
  notes?: unknown[];
  labels?: (string | null)[];
}
export type Domain = OneDomain | NumberDomain | SomeDomain | AmountsDomain | WalkDomain;
export interface FieldInfo {
  name: string;
  kind: string;
  label?: string;
}
export interface ActionData {
  do: string;
  [field: string]: unknown;
}
export interface OfferInfo {
  verb: string;
  label?: string;
  rule: string;
  index: number;
  fields: FieldInfo[];
  hint?: string;
  next?: Domain;
  actions?: ActionData[];
  /** What the words in the listed actions are called. */
  words?: Record<string, string>;
}
export interface OffersAnswer {
  number: number;
  role: string;
  offers: OfferInfo[];
  undo: number;
}
export interface Modifier {
  name: string;
  value: number;
  rule: string;
}
export interface OddsResult {
  probability: number;
  name: string;
  losses?: Record<string, number>;
  facts?: Record<string, number>;
}
export interface Odds {
  title: string;
  results: OddsResult[];
  success: number;
  modifiers?: Modifier[];
  expected_losses?: Record<string, number>;
  policy?: string;
}
export interface WhyNot {
  allowed: boolean;
  rule?: string | null;
  message?: string | null;
}

// ---- games and matches
export interface RoleInfo {
  id: string;
  name: string;
  alliance: string;
}
export interface ScenarioInfo {
  id: string;
  name: string;
  blurb: string;
  roles: string[];
  turns: number;
}
export type OptionValue = boolean | number | string;
export interface OptionInfo {
  id: string;
  name: string;
  blurb: string;
  default: OptionValue;
  choices: OptionValue[];
  scenarios: string[];
  rule: string;
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
  windows?: string[];
  has_map: boolean;
}
export interface RuleInfo {
  id: string;
  title: string;
  says: string;
  scope: string;
  kind: string;
}
export interface SeatGiven {
  roles: string[];
  kind: string;
  secret: string;
  link: string;
}
export interface MatchCreated {
  match: string;
  seed_hash: string;
  seats: SeatGiven[];
}
export interface SeatInfo {
  roles: string[];
  kind: string;
  level: string;
  name: string;
  connected: boolean;
  handed_over?: boolean;
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
  outcome: Record<string, unknown> | null;
  updated: number;
  public: boolean;
  kind?: string;
  secret?: string | null;
}
export interface ClockHand {
  role: string;
  left: number;
  since: number | null;
}
export interface MatchInfo {
  match: string;
  game: string;
  scenario: string;
  options: Record<string, unknown>;
  seats: SeatInfo[];
  number: number;
  asked: string[];
  turn?: string;
  over: boolean;
  outcome: Record<string, unknown> | null;
  outcome_text?: string;
  you: string[];
  clock: Record<string, unknown> | null;
  seed_hash: string;
  seed?: string | null;
  rules_version: number;
  frozen?: string | null;
  kind?: string;
  parent?: string | null;
  draw?: string[];
}
export interface DieFace {
  n: number;
  sides: number;
  value: number;
  why: string;
}
export interface LogLine {
  number: number;
  role?: string;
  text: string;
  kind: string;
  turn: string;
  dice: DieFace[];
  refs: string[];
}
export interface ChatLine {
  id: number;
  name: string;
  roles: string[];
  text: string;
  at: number;
}
export interface MoveInfo {
  n: number;
  role: string;
  verb: string;
  label?: string;
  turn: string;
  at?: number;
  taken_back?: boolean;
}

// ---- maps
export type Pair = [number, number];
export interface Lettering {
  text: string;
  text_de?: string;
  at: Pair;
  size: number;
  angle?: number;
  rank?: number;
  class?: string;
  spacing?: number;
}
export interface MapMark {
  kind: string;
  at?: Pair;
  d?: string;
  value?: string | number;
}
export interface MapSpace {
  id: string;
  name: string;
  name_de?: string;
  kind: string;
  d: string;
  at: Pair;
  r: number;
  terrain?: string | null;
  country?: string | null;
  marks?: MapMark[];
  label?: Lettering | null;
  value?: string | number | null;
  [more: string]: unknown;
}
export interface MapEdge {
  a: string;
  b: string;
  kind: string;
  d?: string;
  name?: string;
  label?: Lettering;
}
export interface MapSheet {
  id: string;
  title: { en: string; de: string };
  size: Pair;
  land?: string[];
  lakes?: string[];
  rivers?: { d: string; rank?: number }[];
  mountains?: number[][];
  hills?: number[][];
  forests?: number[][];
  marsh?: number[][];
  desert?: number[][];
  borders?: { d: string; kind: string }[];
  tints?: { country: string; d: string }[];
  frame?: string;
  spaces: MapSpace[];
  edges?: MapEdge[];
  labels?: Lettering[];
  insets?: unknown[];
}
export interface MapBox {
  id: string;
  title: { en: string; de: string };
  sheet: string;
  rect: [number, number, number, number];
}
export interface MapFile {
  format: number;
  game: string;
  grid?: { orientation: string; side: number; id_at: Pair; id_size: number };
  countries?: { id: string; name: string; name_de?: string; colour?: string }[];
  sheets: MapSheet[];
  boxes?: MapBox[];
}
