// The files of a static site, as `sandtable page` has named them. They are in index.html; a server's has none.
export interface GameFiles {
  archive: string;
  map: string | null;
  /** Older rules, by version. */
  pins: Record<string, string>;
}
export interface PageFiles {
  python: { loader: string; module: string; wasm: string; library: string };
  /** Everything but the games, in order. */
  archives: string[];
  games: Record<string, GameFiles>;
  lobby: Record<string, string>;
  env: Record<string, string>;
  /** Bytes that the engine needs before its first game. */
  weight: number;
}

export function pageFiles(): PageFiles | null {
  if (typeof document === 'undefined') return null;
  const told = document.getElementById('page')?.textContent;
  return told ? (JSON.parse(told) as PageFiles) : null;
}
