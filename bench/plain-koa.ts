/**
 * What the product is compared with, in a process of its own on the same Node: `node plain-koa.ts [FOLDER]`. Without a
 * folder the least that a server of its kind can be: Koa, its router, the body read and parsed, 202; nothing is checked,
 * stored or published. With one, the least that keeps what it takes: it stores each alert in a SQLite database there and
 * answers after the commit. Speaks as `serve.ts` does: its address first, then an answer to each line; it ends when its input
 * does.
 */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Router } from '@koa/router';
import BetterSqlite3 from 'better-sqlite3';
import Koa from 'koa';
import getRawBody from 'raw-body';
import { uuidv7 } from 'uuidv7';
import { processUsage } from './processor-time.ts';

interface Stored {
  id: string;
  receivedAt: string;
}

/**
 * Stores as little as an inbox can do with: one row in one table with four indexes, and one counter. Its commits are as
 * safe as those of the product (WAL, `synchronous=FULL`), and what arrives while one is made shares the next.
 */
function openStore(folder: string): (body: string) => Promise<Stored> {
  const database = new BetterSqlite3(join(folder, 'alerts.db'));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec(`
    CREATE TABLE alerts (id TEXT PRIMARY KEY, received_at TEXT NOT NULL, customer TEXT, alert_type TEXT,
      status TEXT NOT NULL, owner_id TEXT, payload TEXT NOT NULL) WITHOUT ROWID;
    CREATE INDEX by_time ON alerts (status, received_at);
    CREATE INDEX by_owner ON alerts (owner_id, received_at);
    CREATE INDEX by_customer ON alerts (customer, received_at);
    CREATE INDEX by_type ON alerts (alert_type, received_at);
    CREATE TABLE counters (name TEXT PRIMARY KEY, total INTEGER NOT NULL);
    INSERT INTO counters VALUES ('inbox', 0);
  `);
  const insert = database.prepare(
    "INSERT INTO alerts (id, received_at, customer, alert_type, status, payload) VALUES (?, ?, ?, ?, 'pending', ?)",
  );
  const count = database.prepare("UPDATE counters SET total = total + ? WHERE name = 'inbox'");
  let waiting: { body: string; resolve: (stored: Stored) => void; reject: (error: unknown) => void }[] = [];
  const write = database.transaction((batch: typeof waiting) => {
    const stored = batch.map(({ body }) => {
      const { customer, alertType } = JSON.parse(body) as { customer?: string; alertType?: string };
      const alert = { id: uuidv7(), receivedAt: new Date().toISOString() };
      insert.run(alert.id, alert.receivedAt, customer ?? null, alertType ?? null, body);
      return alert;
    });
    count.run(batch.length);
    return stored;
  });
  const commit = (): void => {
    const batch = waiting;
    waiting = [];
    try {
      const stored = write(batch);
      for (const [index, { resolve }] of batch.entries()) resolve(stored[index] as Stored);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };
  return (body) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ body, resolve, reject }) === 1) setImmediate(commit);
    });
}

const folder = process.argv[2];
const store = folder === undefined ? undefined : openStore(folder);

const router = new Router();
router.post('/webhook', async (ctx) => {
  const body = await getRawBody(ctx.req, { length: ctx.req.headers['content-length'] ?? null, encoding: 'utf8' });
  if (!store) JSON.parse(body);
  const stored = await store?.(body);
  ctx.status = 202;
  ctx.body = stored ?? { id: randomUUID(), receivedAt: new Date().toISOString() };
});

const server = new Koa().use(router.routes()).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
createInterface({ input: process.stdin })
  .on('line', () => console.log(JSON.stringify(processUsage())))
  .on('close', () => process.exit(0));
