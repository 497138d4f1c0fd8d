// The host that this client talks to: the page's own where the site has one, otherwise the server it came from.
import { InPage } from '../page/inpage';
import { pageFiles } from '../page/files';
import type { Carrier } from './carrier';
import { Server } from './server';

export { ApiError } from './carrier';

const files = pageFiles();
/** The page's own host; null where a server has it. */
export const page: InPage | null = files ? new InPage(files) : null;
/** The server; null in a page that has its own host. */
export const server: Server | null = page ? null : new Server();
const host: Carrier = page ?? (server as Server);

export const games = host.games.bind(host);
export const mapOf = host.mapOf.bind(host);
export const matches = host.matches.bind(host);
export const createMatch = host.createMatch.bind(host);
export const lessonsOf = host.lessonsOf.bind(host);
export const beginLesson = host.beginLesson.bind(host);
export const importMatch = host.importMatch.bind(host);
export const fileOf = host.fileOf.bind(host);
export const dial = host.dial.bind(host);
