import type { Beginning } from '#backend/platform/cluster/leadership.ts';
import { type Repeating, startRepeating } from '#backend/platform/database/repeat.ts';
import type { EventBus } from '#backend/platform/live/event-bus.ts';
import { createBell } from './bell.ts';
import { type SilenceReconcilerDeps, createSilenceReconciler } from '#backend/outgoing/silences/silence-reconciler.ts';
import { releaseAll } from './claim-messages.ts';
import { type FollowingWork, createFeedFollower } from './follow-feed.ts';
import { createPlanKeeper } from './load-plan.ts';
import { MESSAGES_PRUNE_MS, pruneMessages } from './prune-messages.ts';
import { resolveDeleted } from './report-health.ts';
import { type SendDeps, createMessageSender } from './send-messages.ts';

/** How often changes and due messages are polled while there is something to send, in milliseconds. */
const POLL_MS = 200;

/** While nothing waits it is looked after a change that this server has learned of, and so often at least, in milliseconds. */
const IDLE_MS = 5_000;
/** How often it is looked for silences that are due, in milliseconds. */
const SILENCES_MS = 500;

/** How often problems of deleted destinations and sources are searched for, in milliseconds. */
const DELETED_MS = 5_000;

/** How often it is looked for calendars that are to be read again, in milliseconds. */
const CALENDARS_MS = 10_000;

/** Dependencies of the work on outgoing alerts, on the server that leads. */
export interface OutgoingWorkDeps extends SendDeps, SilenceReconcilerDeps {
  /** Reads calendars that are due from their addresses. */
  refresh(stopping: AbortSignal): Promise<void>;
  ladders: FollowingWork &
    SendDeps['ladders'] & {
      /** Takes the steps that are due; in how many milliseconds the next one is, `Infinity` while no ladder runs. */
      work(stopping: AbortSignal): Promise<number>;
      /** Deletes what is old. */
      prune(stopping: AbortSignal, now: number): Promise<void>;
    };
  /** How this server came to lead. */
  beginning: Beginning;
  /** This server's number among the writers of the feed, and up to which of its numbers everything has ended. */
  own: { writer: number; position: () => number };
  /** What happens on any server, as this one learns of it. */
  events: Pick<EventBus, 'subscribe'>;
}

/** Makes messages of what changes and sends them, and silences senders, until it is stopped. Of several servers one does. */
export function startOutgoing(deps: OutgoingWorkDeps): Repeating {
  const { database, logger } = deps;
  const plans = createPlanKeeper(database, logger);
  const follower = createFeedFollower(deps);
  const sender = createMessageSender(deps);
  const silences = createSilenceReconciler(deps);
  const bell = createBell();
  let released = deps.beginning.isAlone ? undefined : Promise.resolve();
  /** What the server that led before had claimed is due at once, where that server has ended. Once, before anything is claimed here. */
  const releaseLeft = (): Promise<void> => {
    released ??= releaseAll(database).catch((error: unknown) => {
      released = undefined;
      throw error;
    });
    return released;
  };
  const endSubscription = deps.events.subscribe(() => bell.ring());
  const jobs = [
    startRepeating(
      async (stopping) => {
        bell.reset();
        await releaseLeft();
        await follower.read(await plans.current(), stopping);
        const ladderMs = stopping.aborted ? Infinity : await deps.ladders.work(stopping);
        const isBusy = !stopping.aborted && (await sender.send(stopping));
        if (!isBusy) await bell.sleep(Math.min(IDLE_MS, ladderMs), stopping);
      },
      {
        intervalMs: POLL_MS,
        onError: (error) => logger.error({ err: error }, 'alerts could not be sent by rules; the next attempt follows'),
      },
    ),
    startRepeating((stopping) => releaseLeft().then(() => silences.keep(stopping)), {
      intervalMs: SILENCES_MS,
      onError: (error) => logger.error({ err: error }, 'silences could not be kept; the next attempt follows'),
    }),
    startRepeating(() => resolveDeleted(database, deps.writer), {
      intervalMs: DELETED_MS,
      onError: (error) =>
        logger.error({ err: error }, 'problems of what was deleted could not be resolved; the next attempt follows'),
    }),
    startRepeating((stopping) => deps.refresh(stopping), {
      intervalMs: CALENDARS_MS,
      onError: (error) => logger.error({ err: error }, 'calendars could not be read; the next attempt follows'),
    }),
    startRepeating(
      async (stopping) => {
        const now = await deps.steadyNow();
        deps.observe.waiting(await pruneMessages(database, stopping, now));
        await deps.ladders.prune(stopping, now);
      },
      {
        intervalMs: MESSAGES_PRUNE_MS,
        onError: (error) =>
          logger.error({ err: error }, 'old outgoing messages could not be deleted; the next attempt follows'),
      },
    ),
  ];
  return {
    async stop() {
      endSubscription();
      await Promise.all(jobs.map((job) => job.stop()));
      await Promise.all([sender.settled(), silences.settled()]);
      // Another server counts from now on.
      deps.observe.waiting([]);
    },
  };
}
