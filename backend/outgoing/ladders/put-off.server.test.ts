import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { SlowCalendarError } from '#backend/outgoing/people/calendar-thread.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { calendarSchema } from '#backend/contract/ladder.ts';
import { json } from '#tests/support/outgoing-world.ts';
import { ladderWorld, onlineLadder } from '#tests/support/ladder-world.ts';
import { LadderRunEntity, LadderStepEntity, readTaken } from './ladder-entities.ts';
import { createPutOff } from './put-off.ts';
import { findRuns, previewLadder } from './present-run.ts';

let server: TestServer;
let admin: TestClient;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.signedIn({ role: 'admin' });
});
afterAll(() => server.destroy());

test('a step whose calendar cannot be read is put off, read once for all, and taken with a fault after a minute', async () => {
  const { database } = server;
  const content = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', 'END:VCALENDAR'].join('\r\n');
  const { id } = calendarSchema.parse(
    await json(admin.send('POST', '/api/outgoing/calendars', { name: 'On call', content }), 201),
  );
  const steps = [0, 1].map((afterMinutes) => ({ afterMinutes, recipients: [{ kind: 'calendar' as const, id }] }));
  const ladder = onlineLadder([], { steps });
  const rule = await ladderWorld(() => admin).addLadder('nobody', ladder);
  const alerts = await insertAlerts(database, [{ title: 'First' }, { title: 'Second' }]);
  // The server that leads finds none of them due: these are of tomorrow.
  const now = Date.now() + 24 * 3_600_000;
  const runs = alerts.map((alertId) => ({
    id: newId(),
    alertId,
    ruleId: rule.id,
    ruleName: rule.name,
    startKey: 'new',
    ladder: JSON.stringify(ladder),
    state: 'running' as const,
    position: 0,
    countedFrom: now,
    dueAt: now,
    startedAt: now,
    endedAt: null,
    endReason: null,
    endedBy: null,
  }));
  await database.transaction((tx) => tx.getRepository(LadderRunEntity).insert(runs));
  const whoIsOn = vi.fn<() => Promise<never>>().mockRejectedValue(new SlowCalendarError('It takes too long to read.'));
  const error = vi.fn<(...said: unknown[]) => void>();
  const logger = { ...createLogger('silent'), error };
  const config = { sessionMaxMs: 3_600_000, oidcProviders: [], passwordOnlyFor: undefined, breakGlass: undefined };
  const deps = {
    config,
    database,
    logger,
    onlineMembers: () => new Set<string>(),
    whoIsOn,
    publicUrl: undefined,
    gatherMs: 0,
  };
  const putOff = createPutOff(deps);
  const look = async (at: number) => {
    const take = putOff.taking(at, new AbortController().signal);
    for (const run of runs) await take(run.id);
    const stored = await database.reads.getRepository(LadderRunEntity).find({ order: { id: 'ASC' } });
    return stored.map(({ position, dueAt }) => [position, dueAt - now]);
  };
  expect(await look(now)).toEqual([
    [0, 30_000],
    [0, 30_000],
  ]);
  expect(whoIsOn).toHaveBeenCalledTimes(1);
  expect(await look(now + 30_000)).toEqual([
    [0, 60_000],
    [0, 60_000],
  ]);
  expect(await look(now + 60_000)).toEqual([
    [1, 60_000],
    [1, 60_000],
  ]);
  expect(whoIsOn).toHaveBeenCalledTimes(3);
  expect(error).toHaveBeenCalledTimes(runs.length);
  const [step] = await database.reads.getRepository(LadderStepEntity).findBy({ runId: runs[0]?.id ?? '' });
  expect(step && readTaken(step)).toEqual({ to: ['On call'], people: [], faults: ['On call could not be read.'] });

  // The page of the alert and the dry run say so, too, and wait for it once.
  whoIsOn.mockClear();
  const fault = ['On call could not be read.'];
  const [run] = await findRuns(deps, alerts[0] ?? '');
  expect(run?.steps.map(({ faults }) => faults)).toEqual([fault, fault, []]);
  expect(whoIsOn).toHaveBeenCalledTimes(1);
  expect((await previewLadder(deps, ladder, now)).map(({ faults }) => faults)).toEqual([fault, fault, []]);
  expect(whoIsOn).toHaveBeenCalledTimes(2);
});
