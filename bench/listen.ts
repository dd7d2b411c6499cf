/**
 * Live clients for the bench, in a process of their own: `node listen.ts`. Answers each line of input (a
 * {@link ListenCommand} as JSON) with a line of JSON; ends when its input does.
 */
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { alertBodies } from './alert-bodies.ts';
import { type Listener, listen } from './listener.ts';
import { percentile } from './measurement.ts';

/** What may be asked of it. */
export type ListenCommand =
  /** Opens so many connections, shared out among the members. */
  | { do: 'connect'; url: string; cookies: string[]; sockets: number; listening: 'one' | 'all' }
  /** How many connections are open, and how many new alerts the first of them received. */
  | { do: 'count' }
  /** Posts alerts at a steady rate and measures how long after each answer the last client has it. */
  | { do: 'pace'; apiKey: string; perSecond: number; seconds: number };

export interface Count {
  open: number;
  received: number;
}

/** Milliseconds from a webhook's answer to the last client. */
export interface Delays {
  alerts: number;
  p50: number;
  p99: number;
  max: number;
}

/** Connections that are opened at once: the server's backlog is finite. */
const CONNECTING = 50;

/** Whatever has not arrived by then never will. */
const ARRIVAL_TIMEOUT_MS = 10_000;

const NEW_ALERT = '"type":"new_alert","alert":{"id":"';
const ID_LENGTH = 36;

const agent = new Agent({ keepAlive: true });
const clients: Listener[] = [];
let server = new URL('http://127.0.0.1');
let receivedByFirst = 0;
/** Of every alert, how many clients have it and when the latest of them got it. */
const arrivals = new Map<string, { clients: number; last: number }>();

function* newAlertIds(text: Buffer): Generator<string> {
  for (let at = text.indexOf(NEW_ALERT); at !== -1; at = text.indexOf(NEW_ALERT, at)) {
    at += NEW_ALERT.length;
    yield text.toString('latin1', at, at + ID_LENGTH);
  }
}

const countNews = (text: Buffer) => {
  for (const _ of newAlertIds(text)) receivedByFirst += 1;
};

const noteArrivals = (text: Buffer) => {
  const now = performance.now();
  for (const id of newAlertIds(text)) {
    const arrival = arrivals.get(id) ?? { clients: 0, last: now };
    arrivals.set(id, { clients: arrival.clients + 1, last: now });
  }
};

async function connectAll({ url, cookies, sockets, listening }: ListenCommand & { do: 'connect' }): Promise<Count> {
  server = new URL(url);
  for (let at = 0; at < sockets; at += CONNECTING) {
    const next = Array.from({ length: Math.min(CONNECTING, sockets - at) }, (_, offset) => {
      const number = at + offset;
      const onText = listening === 'all' ? noteArrivals : number === 0 ? countNews : undefined;
      return listen(server, cookies[number % cookies.length] ?? '', onText);
    });
    clients.push(...(await Promise.all(next)));
  }
  return count();
}

const count = (): Count => ({ open: clients.filter((client) => client.isOpen()).length, received: receivedByFirst });

/** Posts one alert. Resolves with its id and the moment of the answer. */
function post(apiKey: string, body: string): Promise<{ id: string; answeredAt: number }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-webhook-auth': apiKey };
    const posted = request(new URL('/webhook', server), { method: 'POST', agent, headers }, (response) => {
      const answeredAt = performance.now();
      let text = '';
      response.setEncoding('utf8').on('data', (data: string) => (text += data));
      response.on('end', () => {
        const { id } = JSON.parse(text) as { id?: string };
        if (id === undefined) reject(new Error(`The webhook answered ${response.statusCode}: ${text}`));
        else resolve({ id, answeredAt });
      });
    });
    posted.on('error', reject);
    posted.end(body);
  });
}

async function pace({ apiKey, perSecond, seconds }: ListenCommand & { do: 'pace' }): Promise<Delays> {
  const bodies = alertBodies();
  const startedAt = performance.now();
  const posts = [];
  for (let number = 0; number < perSecond * seconds; number += 1) {
    await wait(Math.max(0, startedAt + (number * 1000) / perSecond - performance.now()));
    posts.push(post(apiKey, bodies[number % bodies.length] ?? ''));
  }
  const answers = await Promise.all(posts);
  const isComplete = () => answers.every(({ id }) => arrivals.get(id)?.clients === clients.length);
  const deadline = performance.now() + ARRIVAL_TIMEOUT_MS;
  while (!isComplete()) {
    if (performance.now() > deadline) throw new Error('Not every live client received every alert.');
    await wait(10);
  }
  // Events leave after the commit, as the answer does: they may be there first.
  const delays = answers.map(({ id, answeredAt }) => Math.max(0, (arrivals.get(id)?.last ?? 0) - answeredAt));
  arrivals.clear();
  return {
    alerts: delays.length,
    p50: percentile(delays, 50),
    p99: percentile(delays, 99),
    max: percentile(delays, 100),
  };
}

async function obey(command: ListenCommand): Promise<Count | Delays> {
  switch (command.do) {
    case 'connect':
      return connectAll(command);
    case 'count':
      return count();
    case 'pace':
      return pace(command);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await obey(JSON.parse(line) as ListenCommand)));
}
for (const client of clients) client.close();
agent.destroy();
