// Silhouettes for counters that are not units of land armies, and small marks. Drawn in a box from -1 to 1.
type Pen = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const PATHS: Record<string, string> = {
  battleship: 'M-1 .15H-.55L-.5-.1H-.28V-.3H-.12V-.62H-.02V-.3H.14V-.1H.36L.42.15H1L.82.5H-.8Z',
  cruiser: 'M-1 .2H-.5V-.05H-.2V-.45H-.1V-.05H.3V.2H1L.84.46H-.84Z',
  destroyer: 'M-1 .24H-.36V.02H-.16V-.3H-.08V.02H.16V.24H1L.86.44H-.86Z',
  fleet: 'M-1 .15H-.55L-.5-.1H-.28V-.3H-.12V-.62H-.02V-.3H.14V-.1H.36L.42.15H1L.82.5H-.8Z',
  carrier: 'M-1-.02H.1V-.36H.34V-.02H1L.86.34L.7.46H-.66L-.86.2Z',
  submarine: 'M-.96.12Q-.9-.06-.6-.08H-.14V-.44H.06V-.08H.6Q.96-.02 1 .12Q.9.36.5.36H-.6Q-.9.34-.96.12Z',
  convoy: 'M-1 .1H-.7V-.24H-.3V.1H.2V-.14H.3V-.4H.4V-.14H.6V.1H1L.84.46H-.84Z',
  transport: 'M-1 .1H-.7V-.24H-.3V.1H.2V-.14H.3V-.4H.4V-.14H.6V.1H1L.84.46H-.84Z',
  fighter: 'M0-.9Q.12-.7.12-.35L.95.05V.25L.12.14L.07.55L.34.74V.86L0 .78L-.34.86V.74L-.07.55L-.12.14L-.95.25V.05L-.12-.35Q-.12-.7 0-.9Z',
  bomber: 'M0-.95Q.14-.75.14-.3L.4-.2V-.4H.52V-.16L1 .05V.28L.14.16L.09.58L.42.74V.9L0 .82L-.42.9V.74L-.09.58L-.14.16L-1 .28V.05L-.52-.16V-.4H-.4V-.2L-.14-.3Q-.14-.75 0-.95Z',
  attack: 'M0-.95Q.13-.75.13-.38L.42-.34L.98-.02V.2L.42.1L.13.14L.08.56L.36.72V.86L0 .78L-.36.86V.72L-.08.56L-.13.14L-.42.1L-.98.2V-.02L-.42-.34L-.13-.38Q-.13-.75 0-.95ZM-.6.2H-.5V.42H-.6ZM.5.2H.6V.42H.5Z',
  city: 'M-.9.75V-.1H-.5V-.55L-.25-.85L0-.55V.05H.2V-.35H.85V.75ZM-.35-.35V-.1H-.15V-.35ZM.4-.1V.12H.62V-.1Z',
  card: 'M-.6-.85H.6V.85H-.6ZM-.42-.62V.62H.42V-.62Z',
  factory: 'M-.9.7V-.1L-.4-.4V-.1L.1-.4V-.1L.5-.3V-.8H.75V.7Z',
  oil: 'M-.45-.8H.45V-.62H.38V.62H.45V.8H-.45V.62H-.38V-.62H-.45Z',
  fort: 'M-.8.6V-.5H-.5V-.25H-.18V-.5H.18V-.25H.5V-.5H.8V.6Z',
  partisan: 'M0-.9L.2-.25L.9-.25L.35.15L.55.85L0 .42L-.55.85L-.35.15L-.9-.25L-.2-.25Z',
  leader: 'M0-.9L.2-.25L.9-.25L.35.15L.55.85L0 .42L-.55.85L-.35.15L-.9-.25L-.2-.25Z',
  supply: 'M-.7-.3H.7V.7H-.7ZM-.4-.3V-.65H.4V-.3',
  rocket: 'M0-.95Q.3-.5.3.1L.6.6V.85L0 .6L-.6.85V.6L-.3.1Q-.3-.5 0-.95Z',
  marker: 'M0-.75L.75 0L0 .75L-.75 0Z',
  flag: 'M-.6-.85H-.45V.9H-.6ZM-.45-.8L.8-.45L-.45-.05Z',
};
const ALIASES: Record<string, string> = {
  ship: 'cruiser', escort: 'destroyer', 'u-boat': 'submarine', uboat: 'submarine', sub: 'submarine', plane: 'fighter',
  air: 'fighter', aircraft: 'fighter', missile: 'rocket', depot: 'supply', convoys: 'convoy', merchant: 'transport',
  general: 'leader', hq: 'leader', research: 'marker', production: 'factory', resource: 'oil',
};

export function iconPath(name: string): Path2D | null {
  const key = name.toLowerCase();
  const d = PATHS[key] ?? PATHS[ALIASES[key] ?? ''];
  return d ? new Path2D(d) : null;
}

export function drawIcon(ctx: Pen, name: string, x: number, y: number, half: number, colour: string): boolean {
  const path = iconPath(name);
  if (!path) return false;
  ctx.save();
  ctx.translate(x, y);
  ctx.scale(half, half);
  ctx.fillStyle = colour;
  ctx.fill(path, 'evenodd');
  ctx.restore();
  return true;
}

/** APP-6 codes of ships and aircraft, the first that fits. */
const SILHOUETTES: [RegExp, string][] = [
  [/^..A.MFB/, 'bomber'], [/^..A.MFA/, 'attack'], [/^..A.MFC/, 'bomber'], [/^..A/, 'fighter'], [/^..S.CLCV/, 'carrier'],
  [/^..S.CLBB/, 'battleship'], [/^..S.CLCC/, 'cruiser'], [/^..S.CL/, 'destroyer'], [/^..S/, 'transport'], [/^..U/, 'submarine'],
];

/** What a ship or an aircraft looks like; nothing for land units. */
export function silhouetteOf(symbol: string): string {
  return SILHOUETTES.find(([code]) => code.test(symbol))?.[1] ?? '';
}
