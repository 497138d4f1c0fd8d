// Live matches with two seats each; moves at a steady rate; how long until the other seat has the new position.
//   node load.mjs sandtable URL MATCHES RATE SECONDS [IDLE]      node load.mjs peer URL MATCHES RATE SECONDS
// IDLE spectators sit at matches in which nobody moves. Everybody comes from a hundred addresses of this machine, so that
// a server's limits for each client hold as they would for people.
import { createRequire } from 'node:module';
import http from 'node:http';
import WebSocket from 'ws';
const require = createRequire(import.meta.url);

const [, , target, url, matchesText, rateText, secondsText, idleText = '0'] = process.argv;
const matches = Number(matchesText), rate = Number(rateText), seconds = Number(secondsText), idle = Number(idleText);
const agents = Array.from({ length: 100 }, (_, n) => new http.Agent({ keepAlive: true, maxSockets: 2, localAddress: `127.0.1.${n + 1}` }));
const now = () => Number(process.hrtime.bigint()) / 1e6;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

const lobby = url.replace(/\d+$/, (port) => String(Number(port) + 1)); // boardgame.io's lobby

function call(method, path, body, secret, base = url, agent = agents[0]) {
  return new Promise((done, fail) => {
    const data = body === undefined ? undefined : JSON.stringify(body);
    const headers = { ...(data ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(data) } : {}),
      ...(secret ? { authorization: `Bearer ${secret}` } : {}) };
    const request = http.request(base + path, { method, headers, agent }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if (answer.statusCode >= 300) fail(new Error(`${method} ${path}: ${answer.statusCode} ${text.slice(0, 200)}`));
        else done(text ? JSON.parse(text) : null);
      });
    });
    request.on('error', fail);
    request.end(data);
  });
}

const seen = [];
let failures = 0;

// ---- Sandtable: acts and hears over the WebSocket, each move with the table as the seat sees it
const OURS = { game: 'three-crowns', scenario: 'war', seats: [{ roles: ['red'] }, { roles: ['blue', 'green'] }] };
const dial = (match, agent) => new WebSocket(`${url.replace('http', 'ws')}/api/matches/${match}/live`,
  { perMessageDeflate: false, localAddress: agent.options.localAddress });

async function sandtableMatch(place) {
  const agent = agents[place % agents.length];
  const made = await call('POST', '/api/matches', OURS, undefined, url, agent);
  const table = { number: 0, waiting: null };
  const listen = (secret, index) => new Promise((done) => {
    const socket = dial(made.match, agent);
    socket.on('open', () => socket.send(JSON.stringify({ seat: secret, lang: 'en' })));
    socket.on('message', (data) => {
      const message = JSON.parse(data);
      if (message.type === 'state') done(socket);
      if (message.type === 'error') { failures += 1; if (failures < 3) console.error(String(data)); }
      const wait = table.waiting;
      if (message.type === 'state' && wait && wait.listener === index && message.table.number === wait.number) {
        seen.push(now() - wait.began);
        table.waiting = null;
      }
    });
  });
  const sockets = await Promise.all(made.seats.map((seat, index) => listen(seat.secret, index)));
  const turn = [['red', { do: 'plan', posture: 'march' }], ['blue', { do: 'plan', posture: 'march' }],
    ['green', { do: 'plan', posture: 'march' }], ['red', { do: 'end-moves' }], ['blue', { do: 'end-moves' }],
    ['green', { do: 'end-moves' }]];
  return async () => {
    if (table.waiting || table.number >= 28) return false;
    const [role, action] = turn[table.number % 6];
    const mine = role === 'red' ? 0 : 1;
    const number = table.number;
    table.number += 1;
    table.waiting = { listener: 1 - mine, number: number + 1, began: now() };
    sockets[mine].send(JSON.stringify({ type: 'act', role, action, answers: number, id: `m${number}` }));
    return true;
  };
}

async function sitIdle(place, match) {
  const socket = dial(match, agents[place % agents.length]);
  await new Promise((done, fail) => {
    socket.on('open', () => socket.send(JSON.stringify({ seat: null, lang: 'en' })));
    socket.on('message', done);
    socket.on('error', fail);
  });
}

// ---- boardgame.io: its own client on both sides
async function peerMatch() {
  const { Client } = require('boardgame.io/client');
  const { SocketIO } = require('boardgame.io/multiplayer');
  const { game } = await import('./game.mjs');
  const { matchID } = await call('POST', '/games/peer/create', { numPlayers: 2 }, undefined, lobby);
  const seats = await Promise.all(['0', '1'].map((playerID) =>
    call('POST', `/games/peer/${matchID}/join`, { playerID, playerName: `p${playerID}` }, undefined, lobby)));
  const table = { turn: 1, waiting: null };
  const clients = seats.map((seat, index) => {
    const client = Client({ game, matchID, playerID: String(index), credentials: seat.playerCredentials, debug: false,
      multiplayer: SocketIO({ server: url, socketOpts: { transports: ['websocket'] } }) });
    client.subscribe((state) => {
      const wait = table.waiting;
      if (state && wait && wait.listener === index && state.G.turn >= wait.turn) {
        seen.push(now() - wait.began);
        table.waiting = null;
      }
    });
    client.start();
    return client;
  });
  for (let tries = 0; tries < 600 && !clients.every((client) => client.getState()?.isConnected && client.getState()?.G); tries += 1) {
    await sleep(50);
  }
  return async () => {
    if (table.waiting) return false;
    const mover = Number(clients[0].getState().ctx.currentPlayer);
    if (Number(clients[mover].getState().ctx.currentPlayer) !== mover) return false;
    table.turn += 1;
    table.waiting = { listener: 1 - mover, turn: table.turn, began: now() };
    clients[mover].moves.step();
    return true;
  };
}

const open = target === 'sandtable' ? sandtableMatch : peerMatch;
const steps = [];
for (let first = 0; first < matches; first += 20) {
  steps.push(...await Promise.all(Array.from({ length: Math.min(20, matches - first) }, (_, n) => open(first + n))));
}
const quiet = idle ? await call('POST', '/api/matches', { ...OURS, public: true }) : null;
for (let first = 0; first < idle; first += 50) {
  await Promise.all(Array.from({ length: Math.min(50, idle - first) }, (_, n) => sitIdle(first + n, quiet.match)));
}
await sleep(1000);
const began = now();
let made = 0, next = 0;
while (now() - began < seconds * 1000) {
  const due = Math.floor(((now() - began) / 1000) * rate);
  while (made < due) {
    let tries = 0, moved = false;
    while (!moved && tries < matches) {
      const step = steps[next];
      next = (next + 1) % matches;
      tries += 1;
      const going = step().catch((error) => { failures += 1; if (failures < 3) console.error(error.message); });
      moved = true;
      void going;
    }
    made += 1;
  }
  await sleep(2);
}
await sleep(2000);
const percentile = (list, share) => {
  const sorted = [...list].sort((x, y) => x - y);
  return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] : null;
};
console.log(JSON.stringify({ matches, made, failures, seen: seen.length, p50: percentile(seen, 0.5), p99: percentile(seen, 0.99),
 rate: seen.length / seconds }));
process.exit(0);
