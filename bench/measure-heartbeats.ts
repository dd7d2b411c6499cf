import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { nameSortKey } from '#backend/contract/name.ts';
import { HeartbeatEntity } from '#backend/intake/heartbeats/heartbeat-entities.ts';
import { tokenHashOf } from '#backend/intake/heartbeats/take-beat.ts';
import { nameKeyOf } from '#backend/intake/sources/source-entity.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { startTestServer } from '#tests/support/test-server.ts';

/**
 * What 10,000 heartbeats cost: calls in a row, an idle minute with all of them expected, misses that are spread over a minute,
 * and all of them missing in one moment. By hand: `node bench/measure-heartbeats.ts`, on SQLite, or on MariaDB with
 * `TEST_DIALECT=mysql` and a server (docs/testing.md).
 */
const HEARTBEATS = Number(process.env['HEARTBEATS'] ?? 10_000);
const CALLS = 2_000;
const MINUTE_MS = 60_000;

const server = await startTestServer();
const admin = await server.signedIn({ role: 'admin' });
const tokens = Array.from({ length: HEARTBEATS }, () => randomUUID());
const figures: Record<string, string> = {};
const cpu = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};
const percentile = (values: number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** What the server takes by itself, in milliseconds of processor time a second. */
async function idle(): Promise<string> {
  const began = process.cpuUsage();
  await wait(20_000);
  return `${(cpu(began) / 20).toFixed(1)} ms of processor time a second`;
}

figures['without heartbeats'] = await idle();
const now = Date.now();
for (let at = 0; at < HEARTBEATS; at += 200) {
  await server.database.transaction(async (tx) => {
    await tx.getRepository(HeartbeatEntity).insert(
      tokens.slice(at, at + 200).map((token, index) => {
        const name = `Job ${at + index}`;
        return {
          id: newId(),
          name,
          nameKey: nameKeyOf(name),
          sortKey: nameSortKey(name),
          customer: `Customer ${(at + index) % 50}`,
          schedule: '{"kind":"interval","everySeconds":3600}',
          graceSeconds: 60,
          severity: 'high' as const,
          sourceId: null,
          tokenHash: tokenHashOf(token),
          tokenHint: token.slice(-4),
          status: 'up' as const,
          downReason: null,
          downSince: null,
          dueAt: now + 3_600_000,
          lateAt: now + 3_615_000,
          judgeAt: now + 3_660_000,
          startedAt: null,
          runId: null,
          pausedAt: null,
          pausedBy: null,
          lastBeatAt: now,
          beats: 0,
          runLog: null,
          downtimeId: null,
          changedBy: 'Bench',
          changedAt: now,
          createdAt: now,
          version: 1,
        };
      }),
    );
  });
}

{
  const took: number[] = [];
  const began = process.cpuUsage();
  for (let call = 0; call < CALLS; call += 1) {
    const at = performance.now();
    await fetch(`${server.url}/ping/${tokens[call % HEARTBEATS] ?? ''}`);
    took.push(performance.now() - at);
  }
  figures['a call, client included'] =
    `${percentile(took, 0.5).toFixed(2)} ms median, ${percentile(took, 0.99).toFixed(2)} ms at 99 %, ${(cpu(began) / CALLS).toFixed(2)} ms of processor time`;
}
figures['nothing to judge'] = await idle();
{
  const took: number[] = [];
  for (let count = 0; count < 20; count += 1) {
    const at = performance.now();
    await (await admin.get('/api/heartbeats?limit=50')).text();
    took.push(performance.now() - at);
  }
  figures['the list'] = `${percentile(took, 0.5).toFixed(0)} ms median`;
}

/** Waits until so many are missing; how much later than its grace each alert was made, in milliseconds. */
async function delays(expected: number): Promise<number[]> {
  for (;;) {
    const rows: { late: unknown }[] = await server.database.reads.query(
      "SELECT a.received_at - h.down_since AS late FROM heartbeats h JOIN problems p ON p.dedup_key = 'heartbeat ' || h.id " +
        "JOIN alerts a ON a.id = p.alert_id WHERE h.status = 'down'",
    );
    if (rows.length >= expected) return rows.map(({ late }) => Number(late));
    await wait(500);
  }
}
const report = async (name: string, expected: number, began: NodeJS.CpuUsage): Promise<void> => {
  const late = await delays(expected);
  figures[name] =
    `${percentile(late, 0.5).toFixed(0)} ms median, ${percentile(late, 0.99).toFixed(0)} ms at 99 %, ${Math.max(...late).toFixed(0)} ms at most after the grace; ` +
    `${(cpu(began) / expected).toFixed(2)} ms of processor time an alert`;
};
{
  const began = process.cpuUsage();
  const spread = Math.floor(HEARTBEATS / 2);
  // Whoever sets the times has set them all before the first is over.
  const from = Date.now() + 40_000;
  await server.database.transaction(async (tx) => {
    const ids: { id: string }[] = await tx.query(`SELECT id FROM heartbeats ORDER BY id LIMIT ${spread}`);
    for (const [index, { id }] of ids.entries()) {
      await tx.query('UPDATE heartbeats SET judge_at = ? WHERE id = ?', [
        from + Math.floor((index * MINUTE_MS) / spread),
        id,
      ]);
    }
  });
  await report(`${spread} misses in a minute`, spread, began);
}
{
  const began = process.cpuUsage();
  await server.database.transaction(async (tx) => {
    await tx.query("UPDATE heartbeats SET status = 'up', judge_at = ?", [Date.now() + 3_000]);
    await tx.query("DELETE FROM problems WHERE dedup_key LIKE 'heartbeat %'");
  });
  await report(`${HEARTBEATS} misses in one moment`, HEARTBEATS, began);
}
for (const [name, text] of Object.entries(figures)) console.log(`${name}: ${text}`);
await server.destroy();
process.exit(0);
