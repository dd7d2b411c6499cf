/**
 * Sources that send steadily, and administrators' tabs, in a process of their own: `node tabs.ts`. Answers each line of input
 * (a {@link TabsCommand} as JSON) with a line of JSON; ends when its input does.
 */
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { alertBodies } from './alert-bodies.ts';
import { type Listener, listen } from './listener.ts';
import { percentile } from './measurement.ts';

/** What may be asked of it. */
export type TabsCommand =
  /** Opens so many tabs of one administrator. */
  | { do: 'open'; url: string; cookie: string; tabs: number }
  | { do: 'close' }
  /** Has each source post an alert a second. */
  | { do: 'send'; url: string; keys: string[]; seconds: number };

/** How long webhooks took, in milliseconds, and how many calls the tabs made meanwhile. */
export interface Sent {
  answers: number;
  p50: number;
  p99: number;
  calls: number;
}

/** What a tab does as the web app: after an event it reads again in half a second, and then at most this often. */
const SOON_MS = 500;
const AGAIN_MS = 2_000;
/** New alerts are counted in the page, and compared with the server's numbers this often. */
const COMPARED_MS = 10_000;
/** Health is read again without an event. */
const HEALTH_MS = 30_000;

const agent = new Agent({ keepAlive: true });
let calls = 0;
let tabs: { close(): void }[] = [];

interface Call {
  method?: string;
  headers: Record<string, string>;
  body?: string | undefined;
}

/** Resolves with how long the answer took, in milliseconds. */
async function call(url: URL, options: Call): Promise<number> {
  const startedAt = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<'answered' | 'again'>();
  const sent = request(url, { agent, ...options }, (response) => {
    response.resume().on('end', () => resolve('answered'));
    if ((response.statusCode ?? 500) >= 400) reject(new Error(`${url.pathname} answered ${response.statusCode}`));
  });
  // A connection that the server ended for being idle, at the moment at which it was used again, says nothing.
  sent.on('error', (error) => (sent.reusedSocket ? resolve('again') : reject(error)));
  sent.end(options.body);
  if ((await promise) === 'again') return call(url, options);
  return performance.now() - startedAt;
}

/** A page of System-Wide Alerts with the menu's dot: it shows the numbers of alerts, and whether sources refuse. */
async function openTab(url: URL, cookie: string): Promise<{ close(): void }> {
  const timers = new Set<NodeJS.Timeout>();
  const read = (path: string) => {
    calls += 1;
    void call(new URL(path, url), { headers: { cookie } }).catch(() => undefined);
  };
  const readers = new Map<string, { isPlanned: boolean; doneAt: number }>();
  const readSoon = (path: string, everyMs: number) => {
    const known = readers.get(path) ?? { isPlanned: false, doneAt: Number.NEGATIVE_INFINITY };
    readers.set(path, known);
    if (known.isPlanned) return;
    known.isPlanned = true;
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        Object.assign(known, { isPlanned: false, doneAt: performance.now() });
        read(path);
      },
      Math.max(SOON_MS, known.doneAt + everyMs - performance.now()),
    );
    timers.add(timer);
  };
  const onText = (text: Buffer) => {
    if (text.includes('"type":"new_alert"')) readSoon('/api/alerts/stats', COMPARED_MS);
    if (!text.includes('"type":"source_changed"')) return;
    // An event without counts asks for a fetch.
    const events = JSON.parse(text.toString()) as { type: string; counts?: object }[];
    if (events.some(({ type, counts }) => type === 'source_changed' && !counts)) readSoon('/api/sources', AGAIN_MS);
  };
  for (const path of ['/api/alerts/all?limit=50', '/api/alerts/stats', '/api/sources', '/api/source-names']) read(path);
  const health = setInterval(() => read('/api/sources'), HEALTH_MS);
  const live: Listener = await listen(url, cookie, onText);
  return {
    close() {
      live.close();
      clearInterval(health);
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

async function send({ url, keys, seconds }: TabsCommand & { do: 'send' }): Promise<Sent> {
  const bodies = alertBodies();
  const times: Promise<number>[] = [];
  const before = calls;
  const startedAt = performance.now();
  for (let number = 0; number < keys.length * seconds; number += 1) {
    await wait(Math.max(0, startedAt + (number * 1000) / keys.length - performance.now()));
    const headers = { 'content-type': 'application/json', 'x-webhook-auth': keys[number % keys.length] ?? '' };
    times.push(call(new URL('/webhook', url), { method: 'POST', headers, body: bodies[number % bodies.length] }));
  }
  const taken = await Promise.all(times);
  return { answers: taken.length, p50: percentile(taken, 50), p99: percentile(taken, 99), calls: calls - before };
}

async function obey(command: TabsCommand): Promise<unknown> {
  switch (command.do) {
    case 'open':
      for (let tab = 0; tab < command.tabs; tab += 1) tabs.push(await openTab(new URL(command.url), command.cookie));
      return tabs.length;
    case 'close':
      for (const tab of tabs) tab.close();
      tabs = [];
      return 0;
    case 'send':
      return send(command);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify((await obey(JSON.parse(line) as TabsCommand)) ?? null));
}
for (const tab of tabs) tab.close();
agent.destroy();
