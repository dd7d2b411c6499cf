import { afterAll, beforeAll, expect, test } from 'vitest';
import { NO_ECHOES } from '#backend/intake/write/echoes.ts';
import { NOTHING_DECIDES, createBatchWriter } from '#backend/intake/write/write-batch.ts';
import type { WrittenAlert } from '#backend/intake/write/write-rows.ts';
import { causeStorm } from '#tests/support/cause-storm.ts';
import { DEFAULT_POLICY, readRequest } from '#tests/support/incoming-events.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { DEFAULT_GROUP_MINUTES } from '#backend/contract/alert-group.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

/** Alerts that one commit of the storm has. */
const BATCH = 25;

test('1,500 alerts of 12 causes in ten minutes are a tenth of the cards, with every first critical one announced', async () => {
  const storm = causeStorm(37);
  const write = createBatchWriter(server.database, NO_ECHOES, {
    ...NOTHING_DECIDES,
    grouping: {
      active: () => [
        { kind: 'deployment', withinMinutes: DEFAULT_GROUP_MINUTES.deployment },
        { kind: 'names', withinMinutes: DEFAULT_GROUP_MINUTES.names },
      ],
    },
  });
  const began = Date.now();
  const stored: { alert: WrittenAlert; cause: number }[] = [];
  for (let at = 0; at < storm.length; at += BATCH) {
    const some = storm.slice(at, at + BATCH);
    const { alerts } = await write(
      some.map(({ at: after, body }) => ({
        source: { id: 'built-in', name: 'Storm', secretId: null },
        policy: DEFAULT_POLICY,
        isOwn: true,
        receivedAt: Math.round(began + after),
        events: [readRequest(JSON.stringify(body))],
      })),
    );
    for (const [index, alert] of alerts.entries()) stored.push({ alert, cause: some[index]?.cause ?? -1 });
  }
  // No alert is lost, and each is in the inbox.
  const [row]: { alerts: unknown }[] = await server.database.reads.query(
    "SELECT COUNT(*) AS alerts FROM alerts WHERE status = 'pending'",
  );
  expect(Number(row?.alerts)).toBe(1_500);

  const cards = Map.groupBy(stored, ({ alert }) => alert.alert.groupId ?? alert.alert.id);
  expect(cards.size).toBeLessThanOrEqual(150);
  let wrong = 0;
  for (const members of cards.values()) {
    const causes = Map.groupBy(members, ({ cause }) => cause);
    wrong += members.length - Math.max(...[...causes.values()].map(({ length }) => length));
    const firstCritical = members.find(({ alert }) => alert.alert.severity === 'critical');
    expect(members[0]?.alert.isQuiet).toBe(false);
    expect(firstCritical?.alert.isQuiet ?? false).toBe(false);
    // Two notifications at most: that of the first alert, and that of the first critical one.
    expect(members.filter(({ alert }) => !alert.isQuiet).length).toBeLessThanOrEqual(2);
  }
  expect(wrong / stored.length).toBeLessThanOrEqual(0.02);
  const announced = stored.filter(({ alert }) => !alert.isQuiet).length;
  process.stdout.write(`storm: ${cards.size} cards, ${announced} announced, ${wrong} wrong companions of 1500\n`);
});
