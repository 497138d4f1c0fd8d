// The peer: boardgame.io's own server with a game of comparable state, two seats, alternating moves.
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const { Server, Origins } = require('boardgame.io/server');
import { game } from './game.mjs';

const server = Server({ games: [game], origins: [Origins.LOCALHOST] });
const port = Number(process.argv[2]);
// the lobby on a port of its own: on one port its routes are lost with the Koa of today
server.run({ port, lobbyConfig: { apiPort: port + 1 }, callback: () => console.log("ready") });
