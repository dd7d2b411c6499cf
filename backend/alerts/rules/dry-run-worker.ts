/** The thread of one dry run: it reads alerts on a connection of its own, and judges them by rules as they are and would be. */
import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import { openReader } from '#backend/alerts/insight/reader.ts';
import { DRY_RUN_ALERTS, DRY_RUN_MS } from '#backend/contract/rule.ts';
import type { DryRunAnswer, DryRunQuestion } from './dry-run-thread.ts';
import { type CompiledRule, compileRule, createRuleSet } from './rule-set.ts';
import { type TriedAlert, createTally } from './tally-dry-run.ts';

/** Alerts that one statement reads. */
const PAGE_ROWS = 2_000;

/** So many are judged however long it takes. */
const LEAST_ALERTS = 100;

if (!parentPort) throw new Error('The dry run was started outside a worker thread.');
const port = parentPort;
const { place, byKey, before, after, ruleId, assignable }: DryRunQuestion = workerData;

const compiled = (rules: DryRunQuestion['before']): CompiledRule[] =>
  rules.map((rule) => compileRule(rule, rule.actions, rule.list));

/** Where no rule looks for a text, payloads are not read: they are most of what an alert has. */
const readsTexts = [...before, ...after].some(({ list }) => list.texts.length > 0);

/** A rule that fails does nothing here; it is switched off where it is applied. */
const ignoreFault = (): void => undefined;

type Row = Omit<TriedAlert, 'isTest' | 'receivedAt'> & { isTest: number | string; receivedAt: number | string };

async function run(): Promise<DryRunAnswer> {
  const { read, close } = await openReader(place, new AbortController().signal);
  try {
    const beganAt = performance.now();
    const tally = createTally(
      createRuleSet(compiled(before), ignoreFault),
      createRuleSet(compiled(after), ignoreFault),
      ruleId,
      new Set(assignable),
    );
    const payload = readsTexts ? 'COALESCE(latest_payload, payload)' : "''";
    const sql =
      'SELECT id, received_at AS receivedAt, customer, alert_type AS alertType, source_id AS sourceId, ' +
      `COALESCE(severity, 'none') AS severity, label, title, url, is_test AS isTest, ${payload} AS payload ` +
      `FROM alerts ${byKey} WHERE id < ? ORDER BY id DESC LIMIT ${PAGE_ROWS}`;
    let last = 'g';
    let judged = 0;
    let isAll = false;
    // Counted from the first page on: however slow the database is, so long is left for judging.
    let endsAt: number | undefined;
    let pageMs = 0;
    // A page that would come after that is not asked for.
    while (judged < DRY_RUN_ALERTS && !isAll && (endsAt === undefined || performance.now() + pageMs < endsAt)) {
      const askedAt = performance.now();
      const rows: Row[] = await read(sql, [last]);
      pageMs = performance.now() - askedAt;
      endsAt ??= performance.now() + DRY_RUN_MS;
      for (const row of rows) {
        if (judged >= LEAST_ALERTS && performance.now() > endsAt) break;
        tally.add({ ...row, receivedAt: Number(row.receivedAt), isTest: Number(row.isTest) === 1 });
        judged += 1;
      }
      last = rows.at(-1)?.id ?? last;
      isAll = rows.length < PAGE_ROWS;
    }
    const tookMs = performance.now() - beganAt;
    const [counted]: { total: number | string }[] = await read(
      `SELECT COUNT(*) AS total FROM (SELECT id FROM alerts ${byKey} ORDER BY id DESC LIMIT ${DRY_RUN_ALERTS}) newest`,
    );
    return { tally: tally.result(), tookMs, total: Number(counted?.total ?? judged) };
  } finally {
    close();
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
port.postMessage(await run());
