// One client at one address that does everything a server should shrug off, until it is stopped:
//   node abuse.mjs URL FILE
// It starts matches between computer players that think long, sends a large match file again and again, opens connections
// and never finishes their headers, and asks for pages that are not there as fast as it can. It says every second what it
// has done.
import http from 'node:http';
import net from 'node:net';
import { readFileSync } from 'node:fs';

const [, , url, file] = process.argv;
const { port } = new URL(url);
const localAddress = '127.0.9.9';
const agent = new http.Agent({ keepAlive: true, maxSockets: 32, localAddress });
const done = { thinking: 0, files: 0, dribbles: 0, misses: 0 };
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const call = (method, path, data) => new Promise((resolve) => {
  const headers = data ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(data) } : {};
  const request = http.request(url + path, { method, headers, agent }, (answer) => {
    answer.resume();
    answer.on('end', () => resolve(answer.statusCode));
  });
  request.on('error', () => resolve(0));
  request.end(data);
});

async function think() {
  const seats = [{ roles: ['axis'], kind: 'general' }, { roles: ['soviet'], kind: 'general' }];
  for (let n = 0; n < 40; n += 1) {
    const status = await call('POST', '/api/matches', JSON.stringify({ game: 'hitlers-war', scenario: 'barbarossa', seats }));
    done.thinking += status === 201 ? 1 : 0;
    await sleep(200);
  }
}

async function bring() {
  const text = readFileSync(file, 'utf8');
  for (let n = 0; ; n += 1) {
    const status = await call('POST', '/api/matches/import', JSON.stringify({ file: text, id: `a${n}` }));
    done.files += status && status < 300 ? 1 : 0;
    await sleep(100);
  }
}

async function dribble() {
  for (;;) {
    const socket = net.connect({ port: Number(port), host: '127.0.0.1', localAddress });
    socket.on('error', () => undefined);
    socket.on('connect', () => socket.write('GET /api/games HTTP/1.1\r\nHost: x\r\nX-Slow: '));
    done.dribbles += 1;
    await sleep(2);
  }
}

async function miss() {
  for (;;) {
    await call('GET', `/api/matches/nothing${Math.random()}`);
    done.misses += 1;
  }
}

void think();
void bring();
void dribble();
for (let n = 0; n < 8; n += 1) void miss();
setInterval(() => console.log(JSON.stringify(done)), 1000);
