import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '#backend/platform/database/ids.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { ladderWorld, onlineLadder } from '#tests/support/ladder-world.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { RUNS_LONG } from '#tests/support/what-runs-where.ts';
import { LadderRunEntity, LadderStepEntity } from './ladder-entities.ts';

/** Accepts that race with steps, in rounds of so many at once: 500 where tests may take long. */
const RACES = RUNS_LONG ? 500 : 100;
const AT_ONCE = 100;

/** Accepts come within this time, in milliseconds, while each look takes a step of each ladder. */
const WITHIN_MS = 1_500;

const HOUR_MS = 3_600_000;

let server: TestServer;
let admin: TestClient;

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

const stepsOf = (runId: string): Promise<number> =>
  server.database.reads.getRepository(LadderStepEntity).countBy({ runId });

test('accepts race with steps that are due: after an accept was answered, no step is taken', async () => {
  const recipients = [{ kind: 'member' as const, id: admin.id }];
  const steps = Array.from({ length: 10 }, (_, at) => ({ afterMinutes: at, recipients }));
  const ladder = onlineLadder([], { steps, repeat: 9 });
  const rule = await ladderWorld(() => admin).addLadder('nobody', ladder);
  const taken = new Map<number, number>();
  /** Alerts with a ladder each, all of whose steps are due: each look takes the next one. */
  const start = async (titles: string[]) => {
    const alerts = await insertAlerts(
      server.database,
      titles.map((title) => ({ title })),
    );
    const now = Date.now();
    const runs = alerts.map((alertId) => ({
      id: newId(),
      alertId,
      ruleId: rule.id,
      ruleName: rule.name,
      startKey: 'new',
      ladder: JSON.stringify(ladder),
      state: 'running' as const,
      position: 0,
      countedFrom: now - 24 * HOUR_MS,
      dueAt: now - 24 * HOUR_MS,
      startedAt: now,
      endedAt: null,
      endReason: null,
      endedBy: null,
    }));
    await server.database.transaction((tx) => tx.getRepository(LadderRunEntity).insert(runs));
    return runs;
  };
  // The server that leads takes a moment to begin.
  const [first] = await start(['First']);
  await expect.poll(() => stepsOf(first?.id ?? ''), { timeout: 20_000 }).toBeGreaterThan(0);
  await admin.send('POST', `/api/alerts/${first?.alertId}/accept`, {});
  for (let round = 0; round < RACES; round += AT_ONCE) {
    const runs = await start(Array.from({ length: AT_ONCE }, (_, at) => `Race ${round + at}`));
    // Whoever leads looks at once, and takes steps while accepts come.
    await admin.send('POST', '/api/webhook/test', {});
    await expect.poll(() => stepsOf(runs[0]?.id ?? ''), { timeout: 20_000 }).toBeGreaterThan(0);
    const atAnswer = await Promise.all(
      runs.map(async ({ id, alertId }) => {
        await wait(Math.random() * WITHIN_MS);
        const answer = await admin.send('POST', `/api/alerts/${alertId}/accept`, {});
        expect(answer.status).toBe(200);
        return stepsOf(id);
      }),
    );
    const isEnded = () => server.database.reads.getRepository(LadderRunEntity).countBy({ state: 'running' });
    await expect.poll(isEnded, { timeout: 20_000 }).toBe(0);
    const atEnd = await Promise.all(runs.map(({ id }) => stepsOf(id)));
    expect(atEnd).toEqual(atAnswer);
    for (const count of atEnd) taken.set(count, (taken.get(count) ?? 0) + 1);
  }
  // Accepts came between steps.
  expect(taken.size).toBeGreaterThan(1);
}, 180_000);
