// The types of the API. Made from the server's OpenAPI description by tools/api_types.py: do not edit.

/** Make a move. Undo, resign, draw and order are moves too. */
export interface Act {
  type: 'act';
  id: string;
  role: string;
  action: ActionData;
  answers: number;
  forced?: boolean;
}

/** Make several moves as one: all or none, and one step of undo. It ends early where dice fall. */
export interface ActAll {
  type: 'act-all';
  id: string;
  role: string;
  actions: ActionData[];
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

/** Put what I have played on a branch of the match into my story. */
export interface AddVariation {
  type: 'add-variation';
  branch: string;
  version: number;
  seat?: string | null;
  text?: string;
  id?: string;
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

/** Say something about the position after a move, in my story; what was said there before is replaced. */
export interface Annotate {
  type: 'annotate';
  at: number;
  version: number;
  text?: string;
  arrows?: string[][];
  spaces?: string[];
  id?: string;
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

/** The book of the game's rules. */
export interface AskBook {
  type: 'book';
  id?: string;
}

/** What a role is told at the beginning, and how everybody is doing now. */
export interface AskBriefing {
  type: 'briefing';
  role?: string | null;
  id?: string;
}

/** The seed and every die of a finished match. */
export interface AskDice {
  type: 'dice';
  id?: string;
}

/** What happened after move `since`; without it, since the seat's own last move. */
export interface AskDigest {
  type: 'digest';
  since?: number | null;
  id?: string;
}

/** The table of an example of the book. */
export interface AskExample {
  type: 'example';
  name: string;
  id?: string;
}

/** What happened after move `since`. */
export interface AskLog {
  type: 'log';
  since?: number;
  id?: string;
}

/** The luck of a finished match. Each request weighs some more of it: ask again until the ledger comes. */
export interface AskLuck {
  type: 'luck';
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

/** What I ordered the last time at the desk that is open now. */
export interface AskOrders {
  type: 'orders';
  role: string;
  id?: string;
}

/** Play on from a position as a role of mine may know it. Each request plays some of the rehearsals. */
export interface AskRehearsal {
  type: 'rehearse';
  role: string;
  at?: number | null;
  actions?: ActionData[];
  level?: string;
  turns?: number;
  first?: number;
  count?: number;
  id?: string;
}

/** What the computer players say of what they did since my own last move, as far as I may know it. */
export interface AskRemarks {
  type: 'remarks';
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

/** What is worth telling of a finished match. */
export interface AskReview {
  type: 'review';
  id?: string;
}

/** Up to three plans for the decision of a role of mine. */
export interface AskStaff {
  type: 'staff';
  role: string;
  id?: string;
}

/** A published story of the match, or my own. */
export interface AskStory {
  type: 'story';
  number?: number | null;
  id?: string;
}

/** The table after any move. */
export interface AskTable {
  type: 'table';
  at?: number | null;
  role?: string | null;
  id?: string;
}

/** The position after some moves of a variation. */
export interface AskVariation {
  type: 'variation';
  story: number;
  at: number;
  place: number;
  move: number;
  role?: string | null;
  id?: string;
}

/** A battle that is being fought: who stands against whom, and all that counts. */
export interface Battle {
  place: string;
  attackers: Force;
  defenders: Force;
  round?: number;
  column?: string;
  parts?: Part[];
}

/** The fighting at one place in one turn. */
export interface BattleDigest {
  place: string;
  name: string;
  turn: string;
  number: number;
  lost: Tally[];
  holder: string;
  dice: number[];
  lines: string[];
}

export interface BeginLesson {
  game: string;
  lesson: string;
}

/** The rules of a game, written to be read. */
export interface BookFace {
  chapters: ChapterFace[];
  glossary: TermFace[];
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

/** Who you are, what you must achieve, what you have, what history did, what goes wrong; and how all are doing. */
export interface BriefingFace {
  role: string | null;
  scenario: string;
  who: string;
  goal: string;
  have: string;
  history: string;
  wrong: Warned[];
  gauges: GaugeFace[];
  today: string;
}

export interface Calls {
  push?: boolean;
  mail?: boolean;
  hook?: string;
  pace?: 'each' | 'hour' | 'day';
  quiet_from?: number;
  quiet_to?: number;
  zone?: string;
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

export interface ChangeSeat {
  do: 'claim' | 'renew' | 'release' | 'archive' | 'show';
  name?: string;
  colour?: string;
}

export interface ChapterFace {
  title: string;
  paragraphs: ParagraphFace[];
  rules: RuleInfo[];
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
  to?: string[];
}

export type ClientRequest = Act | ActAll | SendTo | TakeBack | Look | Next | Reach | WhyNot | AskOdds | Weigh | AskTable | AskBriefing | AskDigest | AskBook | AskExample | AskReview | AskLuck | AskRehearsal | AskStaff | AskRemarks | AskLog | AskMoves | AskOrders | AskDice | Say | Lend | Take | Rest | Motion | Rematch | Branch | AskReport | AskStory | Annotate | AddVariation | DropVariation | AskVariation | Publish;

/** The clocks: seconds left by role, and since when each of them is running. */
export interface ClockInfo {
  kind: string;
  seconds: number;
  increment: number;
  left: Record<string, number>;
  since: Record<string, number | null>;
  now: number;
  vacation?: number;
}

export interface ClockWish {
  kind?: 'none' | 'move' | 'budget';
  seconds?: number;
  increment?: number;
  vacation?: number;
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
  strength?: number | null;
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
  challenge?: boolean;
  rated?: boolean;
  staff?: boolean;
}

/** What a role can order now, and what it has to pay with. */
export interface Desk {
  money: number;
  currency: string;
  items: DeskItem[];
  title?: string;
}

/** Something that can be ordered. What its action lacks is chosen on the map. */
export interface DeskItem {
  action: Record<string, unknown>;
  title: string;
  price: number;
  picture?: CounterFace | null;
  number?: string;
  most?: number | null;
  arrives?: string;
  text?: string;
}

export interface Device {
  id: string;
  label: string;
  created: number;
  this: boolean;
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

/** What happened since a move, as a seat may know it. */
export interface DigestFace {
  since: number;
  number: number;
  turn: string;
  battles: BattleDigest[];
  changed: SpaceChange[];
  forces: Tally[];
  moved: Record<string, number>;
  lines: DigestLine[];
  text?: string;
}

/** Something else that happened. */
export interface DigestLine {
  number: number;
  turn: string;
  role: string;
  text: string;
  refs: string[];
}

export type Domain = OneDomain | NumberDomain | SomeDomain | AmountsDomain | WalkDomain;

/** Take a variation out of my story. */
export interface DropVariation {
  type: 'drop-variation';
  at: number;
  place: number;
  version: number;
  id?: string;
}

export interface Endpoint {
  endpoint: string;
}

export interface ErrorAnswer {
  error: ErrorBody;
  number?: number | null;
}

/** What went wrong, in one sentence; `rule` is the ledger id where the rules said no, `unit` to which of several. */
export interface ErrorBody {
  code: string;
  message: string;
  rule?: string | null;
  unit?: string | null;
}

/** A request that could not be met. */
export interface ErrorMessage {
  type: 'error';
  id: string;
  status: number;
  error: ErrorBody;
  number: number | null;
}

/** An example of the book: a position and something to try in it. Its table is asked for apart. */
export interface ExampleFace {
  id: string;
  rule: string;
  title: string;
  say: string;
  action: string[];
  ends: string;
  refused: string;
  show: string[];
}

export interface FieldInfo {
  name: string;
  kind: string;
}

/** One side of a battle. */
export interface Force {
  side: string;
  ranks: Rank[];
  total?: string;
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
  terms?: Record<string, string>;
}

/** A condition of victory: how far it is. */
export interface GaugeFace {
  id: string;
  label: string;
  roles: string[];
  value: number;
  goal: number;
  most: boolean;
  percent: boolean;
  met: boolean;
  marks: number[];
  places: string[];
  held: string[];
  rules: string[];
}

/** How a hand plays an offer: take units, aim at a place, let go.

    Where `units` and `place` are named, many units can be sent to one place in one gesture. */
export interface Gesture {
  units?: string;
  place?: string;
  ends?: boolean;
  usual?: boolean;
  repeats?: boolean;
}

export interface Health {
  status: string;
  matches: number;
  work: WorkHealth[];
  storage: string;
}

/** The first message on a line: which seat, in which language, and the last move it knows of. */
export interface Hello {
  seat?: string | null;
  lang?: string;
  since?: number;
  person?: string | null;
}

export type HostMessage = State | Answer | ErrorMessage | Chat | Seats;

export interface ImportFile {
  file: string;
  id?: string;
}

export interface ImportProgress {
  done: number;
  of: number;
}

export interface Invitation {
  info: MatchInfo;
  roles: string[];
}

export interface Known {
  me: Me;
  key: string | null;
}

/** Let the computer play my seat until I take it back. */
export interface Lend {
  type: 'lend';
  level?: string;
  id?: string;
}

/** A lesson as the learner sees it now: the steps up to the task they stand at. */
export interface LessonFace {
  id: string;
  kind: 'example' | 'lesson' | 'puzzle';
  title: string;
  goal: string;
  ends: string;
  role: string;
  task: number;
  tasks: number;
  done: boolean;
  steps: LessonStepFace[];
  hint: Want | null;
  next: string | null;
  plans: PlanFace[];
}

export interface LessonInfo {
  id: string;
  title: string;
  goal: string;
  minutes: number;
  role: string;
}

/** One step of a lesson: something to read, to find on the table, or (`task`) to do. */
export interface LessonStepFace {
  say: string;
  point: string[];
  find: string[];
  every: boolean;
  task: boolean;
  tries: Want | null;
  wrong: WrongFind[];
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
  scene: Scene;
}

/** See the match through the eyes of another role of mine, or just as it is now. */
export interface Look {
  type: 'look';
  role?: string | null;
  id?: string;
}

export interface LuckAnswer {
  done: number;
  of: number;
  face: LuckFace | null;
}

export interface LuckBattle {
  place: string;
  name: string;
  turn: string;
  move: number;
  dice: number;
  luck: Record<string, number>;
}

export interface LuckChain {
  side: string;
  falls: number;
  first: number;
  last: number;
  luck: number;
}

export interface LuckFace {
  dice: number;
  turns: string[];
  measures: LuckMeasure[];
}

export interface LuckFall {
  move: number;
  role: string;
  turn: string;
  place: string;
  name: string;
  dice: DieFace[];
  luck: Record<string, number>;
}

export interface LuckMeasure {
  measure: string;
  label: string;
  dice: number;
  sides: LuckSide[];
  falls: LuckFall[];
  battles: LuckBattle[];
  curves: Record<string, number[]>;
  chain: LuckChain | null;
}

export interface LuckSide {
  side: string;
  real: number;
  expected: number;
  luck: number;
  deviation: number;
  chance: number;
}

export interface Mail {
  address?: string | null;
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
  resigned: string[];
  place: number | null;
  challenge: boolean;
  rated: boolean;
  staff: boolean;
  rematch: string | null;
  base: number;
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
  players: PlayerFace[];
  since: number;
  left: number | null;
  last: string;
  archived: boolean;
  mine: boolean;
  challenge: boolean;
  rated: boolean;
  staff: boolean;
  clock: ClockWish | null;
}

export interface Me {
  id: string;
  name: string;
  colour: string;
  lang: string;
  account: boolean;
  mail: string;
  calls: Calls;
  feed: string;
  devices: Device[];
  pushes: number;
  ratings: Rating[];
}

export interface Modifier {
  name: string;
  value: number;
  rule: string;
}

/** Ask the table to agree to a change of somebody else's seat, or agree to it. none: it is off. */
export interface Motion {
  type: 'motion';
  place: number;
  do: 'computer' | 'invite' | 'none';
  level?: string;
  id?: string;
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

export interface Moved {
  token: string;
  seconds: number;
}

export interface Named {
  id: string;
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

/** What the teller says about the position after a move. */
export interface NoteFace {
  at: number;
  text: string;
  arrows: string[][];
  spaces: string[];
  variations: VariationFace[];
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
  whose?: string;
  aim?: string;
  basis?: string;
  mine?: boolean | null;
}

/** One kind of thing a role may do: its fields and the domain of the next one, or the actions one by one. */
export interface OfferInfo {
  index: number;
  verb: string;
  label: string;
  rule: string;
  fields: FieldInfo[];
  hint?: string;
  gesture?: Gesture;
  units?: string[];
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
  even: Record<string, boolean | number | string>;
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

export interface ParagraphFace {
  title: string;
  text: string;
  rules: string[];
  lesson: string;
  examples: ExampleFace[];
}

/** One thing that counts in a battle, with its value and its rule: 'River -1'. */
export interface Part {
  text: string;
  value?: string;
  rule?: string;
}

export interface PlaceInfo {
  place: string;
  ways: WayInfo[];
}

/** One way to solve a puzzle, with its exact chance in percent. */
export interface PlanFace {
  say: string;
  chance: number;
}

export interface PlayerFace {
  roles: string[];
  kind: string;
  level: string;
  name: string;
  colour: string;
  open: boolean;
  you: boolean;
}

/** Give my story a title, and let others read it, or no longer. */
export interface Publish {
  type: 'publish';
  title: string;
  eyes: string;
  published: boolean;
  version: number;
  id?: string;
}

export interface PushKeys {
  p256dh: string;
  auth: string;
}

/** Counters that stand in one row of a battle: those that need the same. */
export interface Rank {
  units: string[];
  needs?: string;
  parts?: Part[];
}

export interface RatedFace {
  name: string;
  colour: string;
  rating: number;
  deviation: number;
  matches: number;
  you: boolean;
}

export interface Rating {
  game: string;
  rating: number;
  deviation: number;
  volatility: number;
  matches: number;
  at: number;
}

/** Where these units can go, or which units can go to a place. */
export interface Reach {
  type: 'reach';
  role: string;
  units?: string[];
  to?: string;
  index?: number | null;
  id?: string;
}

export interface Rehearsed {
  played?: number;
  wins?: Record<string, number>;
  draws?: number;
  stuck?: number;
  slow?: boolean;
}

/** What a computer player says of its turn: what it did, and what it is after. */
export interface RemarkFace {
  role: string;
  deeds: string;
  aim: string;
  stands: string;
}

/** Play the same again with the same players; swap: everybody takes the side of the next one. */
export interface Rematch {
  type: 'rematch';
  swap?: boolean;
  id?: string;
}

/** Go on vacation for some days; 0: I am back. */
export interface Rest {
  type: 'rest';
  days: number;
  id?: string;
}

export interface Result {
  probability: number;
  name: string;
  losses?: Record<string, number>;
  facts?: Record<string, number>;
}

/** Who won, why, when it was decided, and how strength and production went. */
export interface ReviewFace {
  outcome: string;
  winners: string[];
  rule: string;
  why: string;
  decided: string;
  turns: TurnReview[];
  labels: Record<string, string>;
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
  doubt: string;
}

/** Say something to everybody at the table, or to my allies alone. */
export interface Say {
  type: 'say';
  text: string;
  allies?: boolean;
  id?: string;
}

export interface ScenarioInfo {
  id: string;
  name: string;
  blurb: string;
  roles: string[];
  turns: number;
}

/** How one event looks. Ids are those of the Table. */
export interface Scene {
  kind: 'arrive' | 'card' | 'fight' | 'flip' | 'hit' | 'leave' | 'move' | 'note' | 'owner' | 'reveal';
  units?: string[];
  path?: string[];
  side?: string;
}

export interface SeatGiven {
  roles: string[];
  kind: string;
  secret: string;
  link: string;
  invitation: boolean;
}

export interface SeatInfo {
  roles: string[];
  kind: string;
  level: string;
  name: string;
  connected: boolean;
  handed_over: boolean;
  open: boolean;
  colour: string;
  lent: boolean;
  away: number;
  vacation: number;
  late: boolean;
  motion: string;
  agreed: number[];
  needed: number[];
}

export interface SeatWish {
  roles: string[];
  kind?: 'computer' | 'person';
  level?: string;
  name?: string;
  colour?: string;
  invite?: boolean;
}

/** Somebody came, left, or was replaced by the computer. */
export interface Seats {
  type: 'seats';
  seats: SeatInfo[];
}

/** Send units to a place, by one offer or by whichever takes each of them there: all or none, one step of undo. */
export interface SendTo {
  type: 'send';
  id: string;
  role: string;
  units: string[];
  to: string;
  answers: number;
  index?: number | null;
}

export interface ServerFace {
  push: string;
  mail: boolean;
  account: string;
  addresses: string[];
}

export interface SetMe {
  name: string;
  colour?: string;
  lang?: string;
  device?: string;
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

/** A space that changed hands. */
export interface SpaceChange {
  space: string;
  name: string;
  was: string;
  now: string;
}

/** How a space looks now. What never changes is in map.json. */
export interface SpaceFace {
  side?: string;
  marks?: Mark[];
  value?: string;
  sign?: string;
  shade?: string;
  tooltip?: string;
}

/** What a computer player would do: in words, step by step, as arrows; and the chance of the first battle in it. */
export interface StaffPlan {
  level: string;
  says: string;
  steps: Want[];
  arrows: Arrow[];
  chance: number | null;
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
  undo_step: number;
  mine: number[];
  only: ActionData | null;
  losses: ActionData[];
  last: number;
  events: LogLine[];
  gone: number[];
  lesson: LessonFace | null;
  id: string | null;
  acted: number | null;
}

/** A match as one of its players tells it. */
export interface StoryFace {
  number: number;
  title: string;
  by: string;
  eyes: string;
  notes: NoteFace[];
  mine: boolean;
  published: boolean;
  may_publish: boolean;
  version: number;
  others: StoryLine[];
}

/** A published story in a list. */
export interface StoryLine {
  number: number;
  title: string;
  by: string;
}

export interface Subscription {
  endpoint: string;
  keys: PushKeys;
  expirationTime?: number | null;
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
  battles?: Battle[];
  desk?: Desk | null;
  ends?: string;
  outcome?: string;
  extra?: Record<string, unknown>;
}

/** Take my seat back from the computer. */
export interface Take {
  type: 'take';
  id?: string;
}

/** Take back one step of mine and make those after it again: all or none. */
export interface TakeBack {
  type: 'take-back';
  id: string;
  role: string;
  number: number;
  answers: number;
}

export interface TakeSeat {
  place: number;
  name?: string;
  colour?: string;
}

/** A number of counters of one kind. */
export interface Tally {
  side: string;
  what: string;
  number: number;
}

export interface TermFace {
  word: string;
  means: string;
}

export interface Token {
  token: string;
  device?: string;
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

/** How things stood when a turn ended. */
export interface TurnReview {
  turn: string;
  measures: Record<string, number>;
  leaders: string[];
}

/** A value of a field: a word, a number, yes or no, nothing, or a list of values. */
export type Value = string | number | boolean | Value[] | null;

/** How it could have gone: what was said about it, and its moves in short. */
export interface VariationFace {
  text: string;
  moves: string[];
}

/** A position of a variation, and what happened in it so far. */
export interface VariationStep {
  table: Table;
  lines: LogLine[];
}

export interface ViewAnswer {
  game: string;
  rules: number;
  role: string;
  number: number;
  asked: string[];
  state: Record<string, unknown>;
}

/** A sequence that is built one by one: what may come next, and whether it may end here. */
export interface WalkDomain {
  type: 'walk';
  next: Value[];
  most?: number | null;
  may_stop?: boolean;
  notes?: unknown[];
  labels?: (string | null)[];
  paths?: Value[][];
}

/** An action, and the words of the buttons that lead to it. */
export interface Want {
  action: ActionData;
  words: string[];
}

/** What beginners get wrong, with the rule behind it. */
export interface Warned {
  say: string;
  rule: string;
}

export interface WayInfo {
  unit: string;
  index: number;
  note: unknown;
}

/** The exact odds of what units would start that are sent to a place together. */
export interface Weigh {
  type: 'weigh';
  role: string;
  units: string[];
  to: string;
  index?: number | null;
  id?: string;
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

export interface WorkHealth {
  name: string;
  ok: boolean;
  rounds: number;
  failures: number;
  late: number;
  error: string | null;
}

/** What the lesson says to a click on one of these. */
export interface WrongFind {
  find: string[];
  say: string;
  rule: string;
}
