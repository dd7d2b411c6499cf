import { titleOfPayload } from '#backend/intake/reading/stored-title.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import { type Repeating, pause, startRepeating } from '#backend/platform/database/repeat.ts';
import { announce, announceAlone } from '#backend/platform/live/event-bus.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';

/** Name of the work among the backfills. */
const NAME = 'titles';

/** Alerts that one step looks at, and the pause after it in milliseconds: ingest goes between. */
const BATCH = 100;
const PAUSE_MS = 50;

/** Payloads that are longer, in bytes, keep their alert without a title: none names what happened in so much. */
const MAX_PAYLOAD = 64 * 1024;

/** For so long payloads are read at once, in milliseconds. */
const SLICE_MS = 5;

/** How often is looked whether there is work, in milliseconds. */
const INTERVAL_MS = 10 * 60_000;

/** Pages are asked to read their lists again at most this often, in milliseconds. */
const REFRESH_MS = 60_000;

/** Greater than every id, and smaller: where the work begins and where it has ended. */
const BEGINNING = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const END = '';

/** Dependencies of what gives stored alerts their titles. */
export interface BackfillDeps {
  database: Database;
  logger: Logger;
}

/** Gives alerts that were stored without a title theirs, beside other work, once. One of several servers does. */
export function startTitling({ database, logger }: BackfillDeps): Repeating {
  return startRepeating(
    async (stopping) => {
      const titled = await titleStoredAlerts(database, stopping);
      if (titled > 0) logger.info({ alerts: titled }, 'gave stored alerts their titles');
    },
    {
      intervalMs: INTERVAL_MS,
      onError: (error) =>
        logger.error({ err: error }, 'stored alerts could not be given their titles; the next attempt follows'),
    },
  );
}

/**
 * Goes through all alerts once, the newest first, in small steps. How far it came is written with each step: what is stopped
 * goes on there.
 *
 * @returns how many alerts have a title now
 */
export async function titleStoredAlerts(database: Database, stopping: AbortSignal): Promise<number> {
  let titled = 0;
  let toShow = false;
  let shownAt = performance.now();
  const show = async (): Promise<void> => {
    if (!toShow) return;
    toShow = false;
    shownAt = performance.now();
    const lists = ['inbox', 'mine', 'folder', 'all', 'snoozed'] as const;
    await announceAlone(database, { type: 'lists_changed', lists: [...lists], ownerId: null });
  };
  let before = await findPlace(database);
  while (before !== END && !stopping.aborted) {
    const rows = await readBatch(database, before);
    const titles = await readTitles(rows);
    const next = rows.length < BATCH ? END : (rows.at(-1)?.id ?? END);
    await writeStep(database, titles, next);
    before = next;
    titled += titles.length;
    toShow ||= titles.length > 0;
    if (performance.now() - shownAt >= REFRESH_MS) await show();
    await pause(PAUSE_MS, stopping);
  }
  await show();
  return titled;
}

async function findPlace({ reads }: Database): Promise<string> {
  const rows: { beforeId: string }[] = await reads.query('SELECT before_id AS beforeId FROM backfills WHERE name = ?', [
    NAME,
  ]);
  return rows[0]?.beforeId ?? BEGINNING;
}

interface UntitledAlert {
  id: string;
  /** Null where the alert has a title, or too long a payload. */
  payload: string | null;
}

const readBatch = ({ reads }: Database, before: string): Promise<UntitledAlert[]> =>
  reads.query(
    `SELECT id, CASE WHEN title IS NULL AND OCTET_LENGTH(payload) <= ${MAX_PAYLOAD} THEN payload END AS payload ` +
      `FROM alerts WHERE id < ? ORDER BY id DESC LIMIT ${BATCH}`,
    [before],
  );

type Title = [title: string, id: string];

async function readTitles(rows: readonly UntitledAlert[]): Promise<Title[]> {
  const titles: Title[] = [];
  let startedAt = performance.now();
  for (const { id, payload } of rows) {
    const title = payload === null ? null : titleOfPayload(payload);
    if (title !== null) titles.push([title, id]);
    if (performance.now() - startedAt < SLICE_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    startedAt = performance.now();
  }
  return titles;
}

const writeStep = (database: Database, titles: readonly Title[], next: string): Promise<void> =>
  database.transaction(async (tx) => {
    for (const title of titles) {
      // A report of its sender may have named it meanwhile.
      await tx.query('UPDATE alerts SET title = ?, version = version + 1 WHERE id = ? AND title IS NULL', [...title]);
    }
    await tx.query(tx.dialect.upsertValues(insertSql('backfills', ['name', 'before_id'], 1), 'name', ['before_id']), [
      NAME,
      next,
    ]);
    if (titles.length > 0) announce(tx, { type: 'alerts_retitled', alertIds: titles.map(([, id]) => id) });
  });
