import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { alertListSchema } from '#backend/contract/alert.ts';
import { ANSWER_LIMITS } from '#backend/http/answer-limits.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { type RawConnection, openRawConnection } from '#tests/support/raw-connection.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

const MIB = 1024 * 1024;
const LARGE = 12;
const FIRST_SMALL = 5;
const MOST_BYTES = 8 * MIB;

let server: TestServer;
let member: TestClient;
/** Oldest first: a few small ones, large ones, and a small one. */
let ids: string[];

beforeAll(async () => {
  // On a busy machine many requests take their time, for which those in the queue have to wait.
  server = await startTestServer({}, { answerLimits: { ...ANSWER_LIMITS, waitMs: 50_000 } });
  member = await server.signedIn();
  const payload = JSON.stringify({ text: 'ä'.repeat(MIB / 2 - 20) });
  const large = [];
  ids = await insertAlerts(
    server.database,
    Array.from({ length: FIRST_SMALL }, () => ({})),
  );
  // One at a time: a statement of MariaDB takes 16 MiB.
  for (let number = 0; number < LARGE; number += 1) {
    large.push(...(await insertAlerts(server.database, [{ payload, customer: `Customer ${number}` }])));
  }
  ids.push(...large, ...(await insertAlerts(server.database, [{}])));
});
afterAll(() => server.destroy());

/** Every page of a list, by the Link header: the ids of its alerts and how long it was. */
async function pagesOf(path: string): Promise<{ ids: string[]; bytes: number; total: string | null }[]> {
  const pages = [];
  let next: string | undefined = path;
  while (next) {
    const response: Response = await member.get(next);
    expect([next, response.status]).toEqual([next, 200]);
    const text = await response.text();
    pages.push({
      ids: alertListSchema.parse(JSON.parse(text)).map(({ id }) => id),
      bytes: Buffer.byteLength(text),
      total: response.headers.get('X-Total-Count'),
    });
    next = /<(.*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
  }
  return pages;
}

describe('a list of large alerts', () => {
  test.each([
    ['newest', '', (all: string[]) => all.toReversed()],
    ['oldest', '&limit=500', (all: string[]) => all],
    ['status', '&limit=20', (all: string[]) => all.toReversed()],
  ])('by %s comes in pages of 8 MiB at most, with every alert once', async (sort, limit, inOrder) => {
    const pages = await pagesOf(`/api/alerts/inbox?sort=${sort}${limit}`);
    expect(pages.flatMap((page) => page.ids)).toEqual(inOrder(ids));
    for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
    // Pages are full, and all of them count the whole list.
    expect(pages.length).toBeLessThanOrEqual(3);
    expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([String(ids.length)]));
  });

  test('holds an alert that is larger than a page', async () => {
    const [huge] = await insertAlerts(server.database, [
      { payload: JSON.stringify({ text: 'x'.repeat(MOST_BYTES) }), customer: 'Huge' },
    ]);
    const pages = await pagesOf('/api/alerts/inbox?customer=Huge');
    expect(pages.map((page) => page.ids)).toEqual([[huge]]);
    await member.send('DELETE', `/api/webhooks/${huge}`);
  });
});

test('short and long alerts of a page come with their own texts, in order', async () => {
  const texts = Array.from({ length: 140 }, (_, number) => `${number} ${'ö'.repeat(number % 10 === 3 ? 4_000 : 5)}`);
  const made = await insertAlerts(
    server.database,
    texts.map((text) => ({
      payload: JSON.stringify({ text }),
      latestPayload: JSON.stringify({ latest: text }),
      title: text.slice(0, 20),
      customer: 'Mixed',
    })),
  );
  const response = await member.get('/api/alerts/inbox?customer=Mixed&sort=oldest&limit=140');
  const listed = alertListSchema.parse(await response.json());
  expect(listed.map(({ id }) => id)).toEqual(made);
  expect(listed.map(({ payload }) => payload)).toEqual(texts.map((text) => ({ text })));
  expect(listed.map(({ latestPayload }) => latestPayload)).toEqual(texts.map((latest) => ({ latest })));
  expect(listed.map(({ title }) => title)).toEqual(texts.map((text) => text.slice(0, 20)));
});

/** Asks for the inbox over a connection of its own, which ends with the test: what nobody reads keeps a turn. */
async function ask(query: string, asker: TestClient): Promise<RawConnection> {
  const connection = await openRawConnection(server.url);
  onTestFinished(() => void connection.socket.resetAndDestroy());
  connection.socket.write(
    `GET /api/alerts/inbox?${query} HTTP/1.1\r\nHost: localhost\r\nCookie: ${asker.cookieHeader}\r\n\r\n`,
  );
  return connection;
}

describe('answers that nobody reads', () => {
  const { perMember, queuedPerMember } = ANSWER_LIMITS;
  const MORE = 8;

  test('take the turns of their member: the next wait, the rest are refused, others are served', async () => {
    const [slow, other] = [await server.signedIn(), await server.signedIn()];
    const unread = await Promise.all(
      Array.from({ length: perMember }, async () => {
        const connection = await ask('limit=500', slow);
        await connection.receives(/^HTTP\/1\.1 200 /);
        connection.socket.pause();
        return connection;
      }),
    );
    const next = await Promise.all(Array.from({ length: queuedPerMember + MORE }, () => ask('limit=1', slow)));
    const statuses = () => next.map((connection) => /^HTTP\/1\.1 (\d+)/.exec(connection.received())?.[1] ?? 'waits');
    await expect.poll(() => statuses().filter((status) => status === '429').length).toBe(MORE);
    expect(next.find((connection) => connection.received() !== '')?.received()).toMatch(/Retry-After: \d/);
    // What reads as much as a list does is in the same queue.
    expect((await slow.get('/api/changes')).status).toBe(429);
    expect((await slow.get('/api/alerts/severities?list=inbox')).status).toBe(429);
    expect((await other.get('/api/alerts/inbox?limit=1')).status).toBe(200);
    expect(statuses().filter((status) => status === 'waits')).toHaveLength(queuedPerMember);

    for (const { socket } of unread) socket.resetAndDestroy();
    await expect.poll(() => statuses().filter((status) => status === '200').length).toBe(queuedPerMember);
  });

  test('of six members take no turn of a seventh', async () => {
    for (let number = 0; number < 6; number += 1) {
      const slow = await server.signedIn();
      for (let turn = 0; turn < perMember; turn += 1) {
        const connection = await ask('limit=500', slow);
        await connection.receives(/^HTTP\/1\.1 200 /);
        connection.socket.pause();
      }
    }
    const seventh = await server.signedIn();
    const answers = await Promise.all(
      Array.from({ length: perMember }, () => seventh.get('/api/alerts/inbox?limit=1')),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});
