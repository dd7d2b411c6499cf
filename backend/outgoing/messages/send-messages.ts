import pLimit, { type LimitFunction } from 'p-limit';
import { factsOf } from '#backend/contract/destination-kinds.ts';
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
  readSettings,
  targetOf,
} from '#backend/outgoing/destinations/destination-entity.ts';
import { GATEWAY_LOST, GatewayError, isPaused, openTarget } from '#backend/outgoing/destinations/open-target.ts';
import { KINDS } from '#backend/outgoing/destinations/kinds/all-kinds.ts';
import type { Pace } from '#backend/outgoing/destinations/kinds/kind.ts';
import { isTriedAlone, isWaiting } from '#backend/outgoing/destinations/backoff.ts';
import {
  type ClaimedMessage,
  type LadderMessages,
  type Queue,
  breakOff,
  claimDue,
  findWaiting,
  release,
} from './claim-messages.ts';
import { dropForbidden } from './drop-forbidden.ts';
import { readContent, sentAgainAt } from './message-entity.ts';
import type { MakeDeps } from './make-messages.ts';
import { createWaitMover } from './move-waits.ts';
import { createPaces } from './pace.ts';
import { readPresent, withAlert } from './present-alerts.ts';
import { type HealthNews, type Result, recordAtGateway, recordReport, recordResults } from './record-results.ts';

/** Messages of one destination that are claimed together, and that are sent at once. */
const BATCH_MESSAGES = 40;
const AT_ONCE = 8;

/** One batch takes no longer, in milliseconds, so that its claim holds to its end. */
const BATCH_MS = 10_000;

/** Pages of administrators are sent news of what is sent so often at most, in milliseconds. */
const ANNOUNCE_MS = 2_000;

/** Destinations that are sent to at once, each as fast as it takes messages. */
const DESTINATIONS_AT_ONCE = 8;

/** Requests at once to destinations that are sent to at the pace of their service, one to each queue. */
const PACED_AT_ONCE = 32;

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
 * Sends to each destination by itself, so that one that hangs or has much to be sent keeps no other: after a batch it waits for
 * its turn behind the others, and one that is sent to at the pace of its service has a place during its requests alone. Messages of
 * one alert go one after the other, in their order; those of different alerts side by side, as far as the destination takes them.
 */
export function createMessageSender(deps: SendDeps): MessageSender {
  const { database, logger } = deps;
  const busy = new Map<string, Promise<void>>();
  const announcedAt = new Map<string, number>();
  const inPlace = pLimit(DESTINATIONS_AT_ONCE);
  const pacedRequest = pLimit(PACED_AT_ONCE);
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

  /** Sends one batch. @returns whether more may be due */
  const sendSome = async (id: string, queue: Queue, pace: Pace, stopping: AbortSignal): Promise<boolean> => {
    // It may have waited for its place.
    if (stopping.aborted) return false;
    const stored = await database.reads.getRepository(DestinationEntity).findOneBy({ id });
    const now = Date.now();
    if (!stored || isWaiting(stored.retryAt, now) || (await isPaused(database.reads, stored))) return false;
    const claimed = await claimDue(deps, { id, queue }, isTriedAlone(stored) ? 1 : batchOf(pace), now);
    if (claimed.length === 0) return false;
    const messages = await dropForbidden(database, stored, claimed);
    if (messages.length === 0) return true;
    const name = `${id} ${queue}`;
    const turns = isPaced(pace)
      ? { next: () => paces.waitFor(name, pace), used: () => paces.use(name, pace), request: pacedRequest }
      : undefined;
    await sendBatch({ ...deps, isAnnounced, turns }, stored, messages, stopping);
    return true;
  };
  const drain = async (id: string, queue: Queue, pace: Pace, stopping: AbortSignal): Promise<void> => {
    const some = () => sendSome(id, queue, pace, stopping);
    while (!stopping.aborted && (await (isPaced(pace) ? some() : inPlace(some)))) continue;
  };

  return {
    async send(stopping) {
      await announceLast();
      await moveWaits();
      const waiting = await findWaiting(database, Date.now());
      for (const { id, queue, pace } of queuesOf(waiting.filter(({ isDue }) => isDue))) {
        const name = `${id} ${queue}`;
        if (busy.has(name)) continue;
        const work = drain(id, queue, pace, stopping)
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

/** By what the messages of destinations are sent, each side by side with the others and at its own pace. */
const queuesOf = (due: readonly Pick<StoredDestination, 'id' | 'kind'>[]) =>
  due.flatMap(({ id, kind }): { id: string; queue: Queue; pace: Pace }[] => {
    const { live, pauseMs } = KINDS[kind];
    const pace = { everyMs: pauseMs, burst: 1 };
    if (!live) return [{ id, queue: 'all', pace }];
    return [
      { id, queue: 'changes', pace: live.updatePace },
      { id, queue: 'posts', pace },
    ];
  });

const isPaced = ({ everyMs }: Pace): boolean => everyMs > 0;

/** How many messages are claimed together: no more than their pace lets through in the time of a batch. */
const batchOf = (pace: Pace): number =>
  isPaced(pace) ? Math.min(BATCH_MESSAGES, Math.ceil(BATCH_MS / pace.everyMs) + pace.burst) : BATCH_MESSAGES;

/** How one queue of a destination is sent to. */
interface QueueDeps extends SendDeps {
  isAnnounced: (id: string) => boolean;
  /** Of one that has a pace: how long to wait for the next turn, in milliseconds, that one was used, and a place for a request. */
  turns: { next: () => number; used: () => void; request: LimitFunction } | undefined;
}

async function sendBatch(
  deps: QueueDeps,
  stored: StoredDestination,
  messages: readonly ClaimedMessage[],
  stopping: AbortSignal,
): Promise<void> {
  const { database, logger, observe, isAnnounced, turns } = deps;
  const { isForPeople, live, ticket } = KINDS[stored.kind];
  const target = await openOrExplain(deps, stored);
  const present = live || ticket ? await readPresent(deps, messages) : undefined;
  /** Somebody changed it while this was being sent. */
  const isLeft = (now: StoredDestination): boolean =>
    typeof target !== 'string' &&
    now.version !== stored.version &&
    isElsewhere(stored.kind, partsOf(target), partsOf(targetOf(deps.sealing, now)));
  /** Whether somebody limited, paused, changed or deleted it since, or that cannot be read: what is not sent yet is judged again. */
  const asRead = { id: stored.id, version: stored.version };
  const known = database.reads.getRepository(DestinationEntity);
  const isChanged = async (): Promise<boolean> => !(await known.existsBy(asRead).catch(() => false));
  const results: Result[] = [];
  const unsent: ClaimedMessage[] = [];
  const brokenOff: string[] = [];
  const until = performance.now() + BATCH_MS;
  let isOver = false;
  const sendOne = async (message: ClaimedMessage): Promise<void> => {
    if (!isOver && (stopping.aborted || performance.now() > until || (await isChanged()))) isOver = true;
    if (isOver) {
      unsent.push(message);
      return;
    }
    const verdict = await attempt(deps, target, message, present?.get(message.alertId), stopping);
    turns?.used();
    if (stopping.aborted && verdict.outcome === 'retry') {
      brokenOff.push(message.id);
      return;
    }
    // The destination as a whole, rather than this message: the others wait.
    if (verdict.outcome === 'retry') isOver = true;
    results.push({ message, verdict, at: Date.now() });
    observe.attempt(stored.kind, verdict.outcome);
  };
  const atItsPace = async (message: ClaimedMessage, { next, request }: NonNullable<typeof turns>): Promise<void> => {
    if (!isOver && performance.now() <= until) await pause(next(), stopping);
    await request(() => sendOne(message));
  };
  const inTurn = pLimit(turns ? 1 : AT_ONCE);
  await Promise.all(messages.map((message) => inTurn(() => (turns ? atItsPace(message, turns) : sendOne(message)))));
  const { gatewayId } = readSettings(stored);
  const changed = await database.transaction(async (tx) => {
    await release(tx, unsent);
    await breakOff(tx, brokenOff, Date.now());
    const news = await recordResults(tx, { id: stored.id, isForPeople, isElsewhere: isLeft }, results);
    const isByGateway = gatewayId !== null && (typeof target !== 'string' || target === GATEWAY_LOST);
    const atGateway = isByGateway ? await recordAtGateway(tx, gatewayId, results) : undefined;
    if (news || atGateway || isAnnounced(stored.id)) announce(tx, { type: 'outgoing_changed' });
    // A member's own channel is nobody else's: they see its health in their settings. The gateway of their phone is everybody's.
    return stored.ownerId === null && news ? { destination: stored, news } : atGateway;
  });
  if (!changed) return;
  const { destination, news } = changed;
  logger.warn({ destination: destination.id, news: news.kind }, 'the health of a destination changed');
  await reportNews(deps, destination, news).catch((error: unknown) =>
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
    if (error instanceof GatewayError && error.message !== GATEWAY_LOST) return error.message;
    logger.error({ err: error, destination: stored.id }, 'the secrets of a destination cannot be opened');
    if (error instanceof GatewayError) return error.message;
    if (stored.ownerId !== null) return 'Its secret cannot be opened. Remove this channel and add it again.';
    const isMade = factsOf(stored.kind).isSigned === true;
    return `Its ${isMade ? 'signing secret cannot be opened. Make a new one' : 'secret cannot be opened. Enter it again'}.`;
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
