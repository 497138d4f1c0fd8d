// Military unit symbols by milsymbol, loaded when the first counter needs one.
import {
  letterair, letterequipment, letterground, letterinstallations, lettersea, lettersubsurface, ms, numberair,
  numberlandequipment, numberlandunit, numbersea, numbersubsurface,
} from 'milsymbol-parts';

for (const icons of [
  letterground, letterair, lettersea, lettersubsurface, letterequipment, letterinstallations, numberlandunit,
  numberlandequipment, numberair, numbersea, numbersubsurface,
]) {
  ms.addIcons(icons);
}

/** A symbol as a picture, its frame filled with `ground`, its lines in `ink`; null for a code that means nothing. */
export function drawSymbol(code: string, px: number, ink: string, ground: string): HTMLCanvasElement | null {
  const symbol = new ms.Symbol(friendly(code), {
    size: px, infoFields: false, fillColor: ground, frameColor: ink, iconColor: ink, strokeWidth: 5,
    simpleStatusModifier: true,
  });
  if (!symbol.isValid()) return null;
  return symbol.asCanvas(1);
}

/** The rectangle of friendly units is the counter symbol of wargames for every side. Echelons are lettered apart. */
export function friendly(code: string): string {
  if (/^\d{20,}$/.test(code)) return `${code.slice(0, 3)}3${code.slice(4, 8)}00${code.slice(10)}`;
  if (code.length < 10) return code.padEnd(15, '-');
  return `${code[0]}F${code.slice(2, 10)}${'-'.repeat(5)}`;
}
