/**
 * `node bench/measure-wallboard.ts [hours]`: what the wallboard keeps in memory after a day (24 hours by a clock that is run
 * fast). Takes the build in dist/web; its server is one that answers other figures each time. Prints a line of JSON for each time.
 */
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { chromium } from 'playwright';
import type { Wallboard } from '#backend/contract/wallboard.ts';

const HOURS = Number(process.argv[2] ?? 24);
const WEB = join(import.meta.dirname, '..', 'dist', 'web');
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/** Figures that differ each time, as large as they get. */
function boardAt(now: number, turn: number): Wallboard {
  const at = (minutes: number): string => new Date(now - minutes * 60_000).toISOString();
  return {
    at: at(0),
    name: 'Operations',
    customers: { names: [`Customer ${turn}`, 'Northwind Traders', 'Oakline Retail'], more: turn % 20 },
    waiting: (['critical', 'high', 'warning'] as const).map((severity) => ({
      severity,
      alerts: turn % 97,
      oldestAt: at(turn % 90),
      onLadder: turn % 3,
    })),
    inProgress: { alerts: turn % 31, people: turn % 7 },
    rows: Array.from({ length: 5 }, (_, row) => ({
      id: `${turn}-${row}`,
      title: `Disk almost full on db-${turn}`,
      severity: 'critical' as const,
      customer: 'Harbor & Finch',
      alertType: null,
      arrivedAt: at(row),
    })),
    arrivals: {
      hours: Array.from({ length: 24 }, (_, hour) => ({
        startsAt: at(60 * (24 - hour)),
        alerts: 10 + ((turn * hour) % 90),
        critical: turn % 5,
      })),
      usual: 1_240,
    },
    onNow: { calendar: 'Night', names: ['Jolanta Peters'], until: at(-300) },
    windows: turn % 2 === 0 ? [{ name: 'Database upgrade', endsAt: at(-40), kept: turn }] : [],
    heartbeats: { down: turn % 2, all: 40, name: 'Invoice export', since: at(18) },
    sources: { refusing: turn % 2, silent: 1, names: ['Atlas Grafana', 'Kestrel uptime'] },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const file = pathname === '/wallboard' ? 'wallboard.html' : pathname.slice(1);
  const content = await readFile(join(WEB, file)).catch(() => undefined);
  response.writeHead(content ? 200 : 404, { 'Content-Type': TYPES[extname(file)] ?? 'image/svg+xml' }).end(content);
}

const server = createServer((request, response) => void answer(request, response));
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
const { port } = server.address() as AddressInfo;
const browser = await chromium.launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium' });
const page = await browser.newPage({ viewport: { width: 1920, height: 1080 } });
const session = await page.context().newCDPSession(page);
// Answered in the page: a round trip to this process for each reading would take most of the time.
const START = Date.parse('2026-11-27T00:00:00Z');
const answers = Array.from({ length: 101 }, (_, turn) => JSON.stringify(boardAt(START, turn)));
await page.addInitScript((texts) => {
  Reflect.set(globalThis, 'readings', 0);
  globalThis.fetch = async () => {
    const readings = Number(Reflect.get(globalThis, 'readings')) + 1;
    Reflect.set(globalThis, 'readings', readings);
    return new Response(texts[readings % texts.length], { headers: { 'Content-Type': 'application/json' } });
  };
}, answers);
await page.clock.install({ time: START });
await page.goto(`http://127.0.0.1:${port}/wallboard#adt_bench`);
await page.getByText('Operations').waitFor();

/** Heap and nodes after everything that is not used is collected. */
async function measure() {
  await session.send('HeapProfiler.enable');
  for (let time = 0; time < 3; time += 1) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
  const readings = await page.evaluate(() => Number(Reflect.get(globalThis, 'readings')));
  return { readings, heapKb: Math.round(usedSize / 1024), nodes, listeners: jsEventListeners };
}

for (let hour = 0; hour <= HOURS; hour += 1) {
  // The first hour warms up.
  if (hour > 0) for (let minute = 0; minute < 60; minute += 1) await page.clock.runFor(60_000);
  if (hour > 1 && hour % 6 !== 0) continue;
  process.stdout.write(`${JSON.stringify({ hour, ...(await measure()) })}\n`);
}
await browser.close();
server.close();
