import { hash } from 'node:crypto';
import { EntitySchema, In } from 'typeorm';
import { idColumn, primary, textColumn, timeColumn } from '#backend/platform/database/columns.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import { type Age, prune } from '#backend/platform/database/prune.ts';
import { boundedKey } from '#backend/intake/reading/bounded-text.ts';

/** Threads are remembered for this long after each of their emails, in milliseconds. */
const THREAD_MEMORY_MS = 90 * 24 * 60 * 60 * 1000;

/** How often what is older is deleted, in milliseconds. */
export const THREAD_PRUNE_MS = 60 * 60 * 1000;

/** What names an email or its subject, with the problem that it belongs to. */
interface StoredMark {
  sourceId: string;
  /** SHA-256 of a `Message-ID`, or of what a subject is about. */
  mark: string;
  /** What the subject of the thread's first email is about. */
  problem: string;
  receivedAt: number;
}

export const MailThreadEntity = new EntitySchema<StoredMark>({
  name: 'MailThread',
  tableName: 'mail_threads',
  columns: {
    sourceId: primary(idColumn('source_id')),
    mark: primary(textColumn('mark', 64)),
    problem: textColumn('problem', 191),
    receivedAt: timeColumn('received_at'),
  },
});

const AGE: Age = { table: 'mail_threads', column: 'received_at', index: 'mail_threads_received' };

/** Deletes what is too old to be recognized. */
export const forgetThreads = (
  database: Pick<Database, 'dialect' | 'reads' | 'transaction'>,
  stopping: AbortSignal,
  now: number,
): Promise<void> => prune(database, AGE, now - THREAD_MEMORY_MS, stopping);

/** What of an email decides which problem it belongs to. */
export interface ThreadMarks {
  messageId: string | null;
  /** Ids of the emails that it replies to, the first of the thread first. */
  references: readonly string[];
  /** What its subject is about (see `readMailSubject`); empty where it has none. */
  subjectKey: string;
}

const COLUMNS = ['source_id', 'mark', 'problem', 'received_at'] as const;

/**
 * Finds the problem of an email: that of the first email of its thread that is known, else the one that its subject was part
 * of, else a new one. Remembers its marks, so that later emails of the thread find it.
 *
 * @returns what names the problem; undefined for an email with neither a subject nor a known thread
 */
export async function joinThread(
  database: Database,
  sourceId: string,
  { messageId, references, subjectKey }: ThreadMarks,
  now: number,
): Promise<string | undefined> {
  const referenced = references.map((id) => hash('sha256', `id:${id}`));
  const subject = subjectKey === '' ? [] : [hash('sha256', `subject:${subjectKey}`)];
  const asked = [...referenced, ...subject];
  if (asked.length === 0) return undefined;
  const rows = await database.reads.getRepository(MailThreadEntity).findBy({ sourceId, mark: In(asked) });
  const known = new Map(rows.map(({ mark, problem }) => [mark, problem]));
  const joined = asked.map((mark) => known.get(mark)).find((problem) => problem !== undefined);
  const problem = joined ?? boundedKey(subjectKey);
  if (problem === undefined) return undefined;
  const own = messageId === null ? [] : [hash('sha256', `id:${messageId}`)];
  const marks = [...new Set([...own, ...asked])].filter((mark) => !known.has(mark)).toSorted();
  if (marks.length > 0) {
    const values = marks.flatMap((mark) => [sourceId, mark, problem, now]);
    await database.transaction((tx) =>
      tx.query(tx.dialect.ignoreExisting(insertSql('mail_threads', COLUMNS, marks.length), 'mark'), values),
    );
  }
  return problem;
}
