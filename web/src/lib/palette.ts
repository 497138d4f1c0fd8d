// The paint of the sides. A table names colours of the palette; here is what they look like, in print and for
// colour-blind eyes. Every side also has a pattern, so that colour is never the only mark.
import type { SideFace } from './types';

export type ColourName = SideFace['colour'];
export type Pattern = NonNullable<SideFace['pattern']>;
export interface Paint {
  /** Ground of a counter. */
  fill: string;
  /** Stripe and border of a counter, control on the map. */
  deep: string;
  /** Letters on the ground. */
  ink: string;
  pattern: Pattern;
}
type Colour = Omit<Paint, 'pattern'>;
export const PATTERNS: readonly Pattern[] = ['plain', 'stripes', 'dots', 'cross', 'backstripes', 'lines'];
const DARK_INK = '#1d1a15';
const LIGHT_INK = '#fbf7ec';

// Muted printing inks of the classic counter sheets.
const PRINTED: Record<ColourName, Colour> = {
  grey: { fill: '#9fa9a4', deep: '#41504a', ink: DARK_INK },
  olive: { fill: '#b9c18a', deep: '#66702c', ink: DARK_INK },
  yellow: { fill: '#e9d27c', deep: '#a3790b', ink: DARK_INK },
  tan: { fill: '#d9b77c', deep: '#94631b', ink: DARK_INK },
  sand: { fill: '#dcc08e', deep: '#8c5f22', ink: DARK_INK },
  blue: { fill: '#8fb4d9', deep: '#2c5f96', ink: DARK_INK },
  teal: { fill: '#a3c3c0', deep: '#2f6a66', ink: DARK_INK },
  green: { fill: '#a5b383', deep: '#4d6128', ink: DARK_INK },
  red: { fill: '#d08d78', deep: '#96321d', ink: DARK_INK },
  violet: { fill: '#b5a2cf', deep: '#5f4291', ink: DARK_INK },
  rose: { fill: '#d9a7b5', deep: '#93405a', ink: DARK_INK },
  steel: { fill: '#a8b9dd', deep: '#3e5699', ink: DARK_INK },
  sage: { fill: '#b5c9a0', deep: '#557437', ink: DARK_INK },
  mustard: { fill: '#d4c77c', deep: '#857410', ink: DARK_INK },
  stone: { fill: '#c9c0ae', deep: '#6f6554', ink: DARK_INK },
  neutral: { fill: '#d5d0c4', deep: '#847d6e', ink: DARK_INK },
};
// Okabe and Ito's set, which stays apart under every common kind of colour blindness, for the colours of great powers.
const SAFE: Record<ColourName, Colour> = {
  ...PRINTED,
  grey: { fill: '#5c5c5c', deep: '#202020', ink: LIGHT_INK },
  olive: { fill: '#009e73', deep: '#00543d', ink: LIGHT_INK },
  yellow: { fill: '#f0e442', deep: '#8f8500', ink: DARK_INK },
  tan: { fill: '#56b4e9', deep: '#0f5f8c', ink: DARK_INK },
  sand: { fill: '#e69f00', deep: '#7d5600', ink: DARK_INK },
  blue: { fill: '#0072b2', deep: '#00395a', ink: LIGHT_INK },
  green: { fill: '#56b4e9', deep: '#0f5f8c', ink: DARK_INK },
  red: { fill: '#d55e00', deep: '#6f3100', ink: LIGHT_INK },
  violet: { fill: '#cc79a7', deep: '#7b2f57', ink: DARK_INK },
  neutral: { fill: '#d9d9d9', deep: '#7a7a7a', ink: DARK_INK },
};

/** The paints of all sides; sides whose patterns would all be plain get different ones, so that no two look alike in grey. */
export function paintsOf(sides: Record<string, SideFace>, safe = false): Record<string, Paint> {
  const given = Object.values(sides).some((face) => (face.pattern ?? 'plain') !== 'plain');
  const paints = Object.entries(sides).map(([name, face], place) => {
    const pattern = given ? (face.pattern ?? 'plain') : (PATTERNS[place % PATTERNS.length] as Pattern);
    return [name, { ...(safe ? SAFE : PRINTED)[face.colour], pattern }] as const;
  });
  return Object.fromEntries(paints);
}

/** The inks of the map itself. */
export interface Inks {
  sea: string;
  seaDeep: string;
  shoal: string;
  shore: string;
  land: string;
  river: string;
  lake: string;
  grid: string;
  seaGrid: string;
  ink: string;
  halo: string;
  border: string;
  rail: string;
  mountain: string;
  mountainShade: string;
  hill: string;
  forest: string;
  forestDeep: string;
  marsh: string;
  desert: string;
  seaName: string;
  countryName: string;
  riverName: string;
  strait: string;
  paper: string;
  outside: string;
  tint: number;
  box: string;
}
export const LIGHT: Inks = {
  sea: '#c2d4da',
  seaDeep: '#b3c9d1',
  shoal: '#e3edee',
  shore: '#6f8d98',
  land: '#efe6cf',
  river: '#6b9bb5',
  lake: '#bcd1d9',
  grid: '#6d6554',
  seaGrid: '#7d9aa5',
  ink: '#2d2820',
  halo: '#f6efdd',
  border: '#9b3a2b',
  rail: '#4a4236',
  mountain: '#76634a',
  mountainShade: '#a08b6d',
  hill: '#a08f70',
  forest: '#8aa06c',
  forestDeep: '#5f7746',
  marsh: '#5f8785',
  desert: '#c6a463',
  seaName: '#416d80',
  countryName: '#7b6238',
  riverName: '#3f7593',
  strait: '#8b2f23',
  paper: '#e9dfc6',
  outside: 'rgba(240, 233, 216, 0.55)',
  tint: 0.5,
  box: '#f4ecd8',
};
export const DARK: Inks = {
  sea: '#1b2a33',
  seaDeep: '#17242c',
  shoal: '#2a404b',
  shore: '#60808d',
  land: '#3b382f',
  river: '#4f7f99',
  lake: '#22343e',
  grid: '#a39a83',
  seaGrid: '#5f7d8a',
  ink: '#ece5d3',
  halo: '#22201b',
  border: '#d27c66',
  rail: '#b3a88f',
  mountain: '#b09c7c',
  mountainShade: '#6d604c',
  hill: '#857860',
  forest: '#5d7449',
  forestDeep: '#80995f',
  marsh: '#6f9d9a',
  desert: '#8f7642',
  seaName: '#86adbf',
  countryName: '#cbb27f',
  riverName: '#7fb2cf',
  strait: '#e08a76',
  paper: '#2a2822',
  outside: 'rgba(22, 24, 24, 0.5)',
  tint: 0.22,
  box: '#2f2d27',
};
