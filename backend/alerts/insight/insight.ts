import type { Database } from '#backend/platform/database/database.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { join } from 'node:path';
import { insertSql } from '#backend/platform/database/dialect.ts';
import { SQLITE_FILE, type DatabaseLocation } from '#backend/platform/database/open-database.ts';
import type { Repeating } from '#backend/platform/database/repeat.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { unavailable } from '#backend/platform/endpoint/errors.ts';
import type { Answer, InsightMessage, Question } from './insight-messages.ts';
import { type InsightThread, startInsightThread } from './insight-thread.ts';
import type { DatabasePlace } from './reader.ts';
import type { Step } from './roll-up.ts';

/** A server that starts has other things to do; it begins to count after this long, or with the first question. */
const START_MS = 15_000;

/** How long after its death the thread may be started again. */
const RESTART_MS = 10_000;

/** How long an answer may take, and when to ask again without one. */
const ANSWER_MS = 20_000;
const RETRY_AFTER_SECONDS = 5;

/** What is known of all alerts together. */
export interface InsightKeeper {
  /** @throws {ProblemError} 503 when there is no answer. */
  ask(question: Question): Promise<Answer>;
  /** Counts from now on, beside everything else, until that is stopped: one of all servers does. */
  keep(): Repeating;
  /** Resolves when everything that is committed by now is counted. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
}

interface Pending {
  resolve: (answer: Answer | undefined) => void;
  reject: (error: Error) => void;
}

/** Where threads read the database. */
export const databasePlace = ({ dataDir, databaseUrl }: DatabaseLocation): DatabasePlace =>
  databaseUrl === undefined ? { databaseFile: join(dataDir, SQLITE_FILE) } : { databaseUrl };

/**
 * Answers questions. Whoever asks has everything counted first, also where another server keeps insight: a step is stored
 * only when nobody has stored one since it was made.
 *
 * @param answerMs how long an answer may take, in milliseconds; tests have less patience.
 */
export function openInsight(
  {
    config: { dataDir, databaseUrl },
    database,
    logger,
  }: {
    config: DatabaseLocation;
    database: Database;
    logger: Logger;
  },
  answerMs = ANSWER_MS,
): InsightKeeper {
  const place = databasePlace({ dataDir, databaseUrl });
  const pending = new Map<number, Pending>();
  let asked = 0;
  let thread: InsightThread | undefined;
  let isClosed = false;
  let isKeeping = false;
  let timer: NodeJS.Timeout | undefined;

  const report = (error: Error) => logger.error({ err: error }, 'insight is behind; the next attempt follows');

  const settle = (number: number, use: (one: Pending) => void): void => {
    const one = pending.get(number);
    pending.delete(number);
    if (one) use(one);
  };

  const store = async (step: Step): Promise<boolean> => {
    try {
      return await database.transaction((tx) => storeStep(tx, step));
    } catch (error) {
      if (!isClosed) report(error as Error);
      return false;
    }
  };

  const onMessage = (message: InsightMessage): void => {
    switch (message.type) {
      case 'store':
        void store(message.step).then((wasFirst) => thread?.send({ type: 'stored', wasFirst }));
        break;
      case 'answer':
        settle(message.number, ({ resolve }) => resolve(message.answer));
        break;
      case 'caught-up':
        settle(message.number, ({ resolve }) => resolve(undefined));
        break;
      case 'refused':
        settle(message.number, ({ reject }) => reject(message.error));
        break;
      case 'failed':
        report(message.error);
        break;
    }
  };

  const onDeath = (error: Error): void => {
    thread = undefined;
    report(error);
    for (const number of pending.keys()) settle(number, ({ reject }) => reject(error));
    if (isKeeping) timer = setTimeout(() => void start(), RESTART_MS).unref();
  };

  const start = (): InsightThread => {
    clearTimeout(timer);
    if (thread) return thread;
    thread = startInsightThread({ place }, { onMessage, onDeath });
    thread.send({ type: 'keep', isKeeping });
    return thread;
  };

  const request = async (
    send: (to: InsightThread, number: number) => void,
    limitMs?: number,
  ): Promise<Answer | undefined> => {
    asked += 1;
    const number = asked;
    const { promise, resolve, reject } = Promise.withResolvers<Answer | undefined>();
    pending.set(number, { resolve, reject });
    const giveUp = (): void => {
      // Else it would count what nobody waits for, and those who ask again would wait for that.
      thread?.send({ type: 'drop', number });
      settle(number, () => reject(new Error(`Insight took longer than ${limitMs} ms.`)));
    };
    const late = limitMs === undefined ? undefined : setTimeout(giveUp, limitMs);
    send(start(), number);
    return promise.finally(() => clearTimeout(late));
  };

  return {
    async ask(question) {
      try {
        const answer = await request((to, number) => to.send({ type: 'ask', number, question }), answerMs);
        if (answer) return answer;
        throw new Error('Insight was closed.');
      } catch (error) {
        throw unavailable('Insight cannot be read just now.', RETRY_AFTER_SECONDS, error);
      }
    },
    keep() {
      isKeeping = true;
      if (thread) thread.send({ type: 'keep', isKeeping });
      else timer = setTimeout(() => void start(), START_MS).unref();
      return {
        async stop() {
          isKeeping = false;
          clearTimeout(timer);
          thread?.send({ type: 'keep', isKeeping });
        },
      };
    },
    async caughtUp() {
      await request((to, number) => to.send({ type: 'catch-up', number }));
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      for (const number of pending.keys()) settle(number, ({ resolve }) => resolve(undefined));
      await thread?.stop();
    },
  };
}

const CHUNK_COLUMNS = ['first_id', 'version', 'received_from', 'received_to', 'data'] as const;

/** Stores a step, unless something was stored since it was made. Returns whether it was. */
export async function storeStep(tx: Transaction, { progress, chunks }: Step): Promise<boolean> {
  const [stored]: { version: unknown }[] = await tx.query(
    `SELECT version FROM insight_progress WHERE id = 1${tx.dialect.forUpdate}`,
  );
  if (Number(stored?.version) !== progress.version) return false;
  const version = progress.version + 1;
  for (const { firstId, receivedFrom, receivedTo, data } of chunks) {
    await tx.query('DELETE FROM insight_chunks WHERE first_id = ?', [firstId]);
    await tx.query(insertSql('insight_chunks', CHUNK_COLUMNS, 1), [
      firstId,
      version,
      receivedFrom,
      receivedTo,
      Buffer.from(data),
    ]);
  }
  await tx.query('UPDATE insight_progress SET version = ?, alert_id = ?, history_id = ?, repeat_id = ? WHERE id = 1', [
    version,
    progress.alertId,
    progress.historyId,
    progress.repeatId,
  ]);
  return true;
}
