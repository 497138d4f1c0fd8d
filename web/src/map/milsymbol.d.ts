declare module 'milsymbol-parts' {
  interface SymbolOptions {
    size?: number;
    fill?: boolean;
    frame?: boolean;
    infoFields?: boolean;
    colorMode?: string | Record<string, string>;
    monoColor?: string;
    iconColor?: string;
    fillColor?: string;
    frameColor?: string;
    strokeWidth?: number;
    standard?: string;
    square?: boolean;
    simpleStatusModifier?: boolean;
  }
  class MilSymbol {
    constructor(code: string, options?: SymbolOptions);
    asCanvas(ratio?: number): HTMLCanvasElement;
    isValid(extended?: boolean): boolean;
    getSize(): { width: number; height: number };
  }
  export const ms: { addIcons(icons: unknown): void; Symbol: typeof MilSymbol };
  export const letterground: unknown;
  export const letterair: unknown;
  export const lettersea: unknown;
  export const lettersubsurface: unknown;
  export const letterequipment: unknown;
  export const letterinstallations: unknown;
  export const numberlandunit: unknown;
  export const numberlandequipment: unknown;
  export const numberair: unknown;
  export const numbersea: unknown;
  export const numbersubsurface: unknown;
}
