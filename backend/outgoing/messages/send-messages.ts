import pLimit from 'p-limit';
import type { OutgoingPayload } from '#backend/contract/outgoing.ts';
import { announce, announceAlone } from '#backend/platform/live/event-bus.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { pause } from '#backend/platform/database/repeat.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { OutgoingObserver } from '#backend/platform/metrics/observers.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import { isElsewhere } from '#backend/outgoing/destinations/check-fields.ts';
import type { Deliver } from '#backend/outgoing/destinations/deliver.ts';
import {
  DestinationEntity,
  type StoredDestination,
  type Target,
  targetOf,
} from '#backend/outgoing/destinations/destination-entity.ts';
import { GatewayError, isPaused, openTarget } from '#backend/outgoing/destinations/open-target.ts';
import { KINDS } from '#backend/outgoing/destinations/kinds/all-kinds.ts';
import type { Pace } from '#backend/outgoing/destinations/kinds/kind.ts';
import { CIRCUIT_FAILURES, isWaiting } from '#backend/outgoing/destinations/backoff.ts';
import {
  type ClaimedMessage,
  type LadderMessages,
  type Queue,
  breakOff,
  claimDue,
  findWaiting,
  release,
} from './claim-messages.ts';
import { readContent, sentAgainAt } from './message-entity.ts';
import type { MakeDeps } from './make-messages.ts';
import { createWaitMover } from './move-waits.ts';
import { createPaces } from './pace.ts';
import { readPresent, withAlert } from './present-alerts.ts';
import { type HealthNews, type Result, recordReport, recordResults } from './record-results.ts';

/** Messages of one destination that are claimed together, and that are sent at once. */
const BATCH_MESSAGES = 40;
const AT_ONCE = 8;

/** One batch takes no longer, in milliseconds, so that its claim holds to its end. */
const BATCH_MS = 10_000;

/** Pages of administrators are sent news of what is sent so often at most, in milliseconds. */
const ANNOUNCE_MS = 2_000;

/** Destinations that are sent to at once. */
const DESTINATIONS_AT_ONCE = 8;

/** Dependencies of sending messages. */
export interface SendDeps extends Pick<MakeDeps, 'publicUrl'> {
  /** Its transactions hold the lease: a server that does not lead any more claims nothing and stores nothing. */
  database: Database;
  sealing: Sealing;
  logger: Logger;
  deliver: Deliver;
  observe: OutgoingObserver;
  ladders: LadderMessages;
  /** Alerts administrators to a destination that fails, and to its recovery. */
  report: (
    destination: Pick<StoredDestination, 'id' | 'name' | 'kind'>,
    news: NonNullable<HealthNews>,
  ) => Promise<void>;
}

/** Sends what is due. */
export interface MessageSender {
  /**
   * Begins with what is due now, where that is not being sent already. Never waits for a receiver.
   *
   * @returns whether something waits or is in flight
   */
  send(stopping: AbortSignal): Promise<boolean>;
  /** Waits for what is in flight. */
  settled(): Promise<void>;
}

/**
 * Sends to each destination by itself, so that one that hangs keeps no other. Messages of one alert go one after the other, in
 * their order; those of different alerts side by side, as far as the destination takes them.
 */
export function createMessageSender(deps: SendDeps): MessageSender {
  const { database, logger } = deps;
  const busy = new Map<string, Promise<void>>();
  const announcedAt = new Map<string, number>();
  const limit = pLimit(DESTINATIONS_AT_ONCE);
  const paces = createPaces();
  const moveWaits = createWaitMover(deps);

  /** Destinations whose last news were not announced yet. */
  const unannounced = new Set<string>();
  const isOver = (id: string): boolean =>
    performance.now() - (announcedAt.get(id) ?? Number.NEGATIVE_INFINITY) >= ANNOUNCE_MS;
  /** Whether news of a destination are announced now: not again within a moment. */
  const isAnnounced = (id: string): boolean => {
    if (!isOver(id)) {
      unannounced.add(id);
      return false;
    }
    announcedAt.set(id, performance.now());
    return true;
  };
  const announceLast = async (): Promise<void> => {
    const due = [...unannounced].filter(isOver);
    if (due.length === 0) return;
    for (const id of due) unannounced.delete(id);
    await announceAlone(database, { type: 'outgoing_changed' });
  };

  const drain = async (id: string, queue: Queue, stopping: AbortSignal): Promise<void> => {
    while (!stopping.aborted) {
      const stored = await database.reads.getRepository(DestinationEntity).findOneBy({ id });
      const now = Date.now();
      if (!stored || isWaiting(stored.retryAt, now) || (await isPaused(database.reads, stored))) return;
      const isHalfOpen = stored.failures >= CIRCUIT_FAILURES;
      const messages = await claimDue(deps, { id, queue }, isHalfOpen ? 1 : BATCH_MESSAGES, now);
      if (messages.length === 0) return;
      const pace = paceOf(stored.kind, queue);
      const name = `${id} ${queue}`;
      const turns = { next: () => paces.waitFor(name, pace), used: () => paces.use(name, pace) };
      await sendBatch({ ...deps, isAnnounced, turns, isPaced: pace.everyMs > 0 }, stored, messages, stopping);
    }
  };

  return {
    async send(stopping) {
      await announceLast();
      await moveWaits();
      const waiting = await findWaiting(database, Date.now());
      for (const [id, queue] of queuesOf(waiting.filter(({ isDue }) => isDue))) {
        const name = `${id} ${queue}`;
        if (busy.has(name)) continue;
        const work = limit(() => drain(id, queue, stopping))
          .catch((error: unknown) =>
            logger.error(
              { err: error, destination: id },
              'a destination could not be sent to; the next attempt follows',
            ),
          )
          .finally(() => busy.delete(name));
        busy.set(name, work);
      }
      return waiting.length + busy.size + unannounced.size > 0;
    },
    async settled() {
      await Promise.all(busy.values());
    },
  };
}

/** By what the messages of destinations are sent, each side by side with the others. */
const queuesOf = (due: readonly Pick<StoredDestination, 'id' | 'kind'>[]): [string, Queue][] =>
  due.flatMap(({ id, kind }): [string, Queue][] =>
    KINDS[kind].live
      ? [
          [id, 'changes'],
          [id, 'posts'],
        ]
      : [[id, 'all']],
  );

const paceOf = (kind: StoredDestination['kind'], queue: Queue): Pace => {
  const { live, pauseMs } = KINDS[kind];
  return queue === 'changes' && live ? live.updatePace : { everyMs: pauseMs, burst: 1 };
};

/** How one queue of a destination is sent to. */
interface QueueDeps extends SendDeps {
  isAnnounced: (id: string) => boolean;
  isPaced: boolean;
  /** How long to wait for the next turn, in milliseconds, and that one was used. */
  turns: { next: () => number; used: () => void };
}

async function sendBatch(
  deps: QueueDeps,
  stored: StoredDestination,
  messages: readonly ClaimedMessage[],
  stopping: AbortSignal,
): Promise<void> {
  const { database, logger, observe, isAnnounced, isPaced, turns } = deps;
  const { isForPeople, live, ticket } = KINDS[stored.kind];
  const target = await openOrExplain(deps, stored);
  const present = live || ticket ? await readPresent(deps, messages) : undefined;
  /** Somebody changed it while this was being sent. */
  const isLeft = (now: StoredDestination): boolean =>
    typeof target !== 'string' &&
    now.version !== stored.version &&
    isElsewhere(stored.kind, partsOf(target), partsOf(targetOf(deps.sealing, now)));
  const results: Result[] = [];
  const unsent: ClaimedMessage[] = [];
  const brokenOff: string[] = [];
  const until = performance.now() + BATCH_MS;
  let isOver = false;
  const sendOne = async (message: ClaimedMessage): Promise<void> => {
    if (isPaced && !isOver && performance.now() <= until) await pause(turns.next(), stopping);
    if (isOver || stopping.aborted || performance.now() > until) {
      unsent.push(message);
      return;
    }
    const verdict = await attempt(deps, target, message, present?.get(message.alertId), stopping);
    turns.used();
    if (stopping.aborted && verdict.outcome === 'retry') {
      brokenOff.push(message.id);
      return;
    }
    // The destination as a whole, rather than this message: the others wait.
    if (verdict.outcome === 'retry') isOver = true;
    results.push({ message, verdict, at: Date.now() });
    observe.attempt(stored.kind, verdict.outcome);
  };
  const inTurn = pLimit(isPaced ? 1 : AT_ONCE);
  await Promise.all(messages.map((message) => inTurn(() => sendOne(message))));
  const news = await database.transaction(async (tx) => {
    await release(tx, unsent);
    await breakOff(tx, brokenOff, Date.now());
    const changed = await recordResults(tx, { id: stored.id, isForPeople, isElsewhere: isLeft }, results);
    if (changed !== undefined || isAnnounced(stored.id)) announce(tx, { type: 'outgoing_changed' });
    return changed;
  });
  // A member's own channel is nobody else's: they see its health in their settings.
  if (!news || stored.ownerId !== null) return;
  logger.warn({ destination: stored.id, news: news.kind }, 'the health of a destination changed');
  await reportNews(deps, stored, news).catch((error: unknown) =>
    logger.error({ err: error }, 'administrators could not be alerted to a destination; the next attempt follows'),
  );
}

async function reportNews({ database, report }: SendDeps, stored: StoredDestination, news: NonNullable<HealthNews>) {
  await report(stored, news);
  await database.transaction((tx) => recordReport(tx, stored.id, news));
}

/** The destination with its secrets; why there is none where no key opens them, or its gateway sends nothing. */
async function openOrExplain(
  { database, sealing, logger }: SendDeps,
  stored: StoredDestination,
): Promise<Target | string> {
  try {
    return await openTarget(database.reads, sealing, stored);
  } catch (error) {
    if (error instanceof GatewayError) return error.message;
    logger.error({ err: error, destination: stored.id }, 'the secrets of a destination cannot be opened');
    return 'Its secret cannot be opened. Enter it again.';
  }
}

const partsOf = (target: Target) => ({ settings: target, secrets: target.secrets });

const attempt = async (
  { deliver }: SendDeps,
  target: Target | string,
  message: ClaimedMessage,
  present: OutgoingPayload['data']['alert'] | undefined,
  stopping: AbortSignal,
): ReturnType<Deliver> =>
  typeof target !== 'string'
    ? deliver(
        target,
        {
          id: message.id,
          payload: withAlert(readContent(message), present),
          live: { ...message, isSentAgain: sentAgainAt(message) !== undefined },
        },
        stopping,
      )
    : { outcome: 'retry', answer: target, durationMs: 0 };
