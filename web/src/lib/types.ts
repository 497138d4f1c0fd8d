// What the server sends (generated from its description), and the maps that the client draws.
import type { OptionInfo } from './api.gen';

export type * from './api.gen';
export type OptionValue = OptionInfo['default'];

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
