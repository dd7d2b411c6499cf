import type { Arrivals } from '#backend/intake/write/write-batch.ts';
import type { TakeRequest } from '#backend/intake/webhooks/webhook-route.ts';
import { type DatabaseClock, readDatabaseClock } from '#backend/platform/cluster/database-clock.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Repeating } from '#backend/platform/database/repeat.ts';
import type { Endpoint } from '#backend/platform/endpoint/endpoint.ts';
import { announceAlone } from '#backend/platform/live/event-bus.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { heartbeatRoutes } from './heartbeat-routes.ts';
import { startJudging } from './judge-heartbeats.ts';
import { type TakeBeat, createTakeBeat, createTakePing } from './take-beat.ts';
import { createServerWatch, startNoting } from './watch-servers.ts';

/** Pages are asked to read heartbeats again so often at most because some were called, in milliseconds. */
const NEWS_MS = 5_000;

/** Heartbeats at work on this server. */
export interface Heartbeats {
  endpoints: readonly Endpoint[];
  /** The clock of the database, by which heartbeats are judged. */
  clock: DatabaseClock;
  /** What decides about the alerts of heartbeats. */
  arrivals: Arrivals;
  /** Answers calls of their addresses. */
  takePing: TakeRequest;
  takeBeat: TakeBeat;
  /** Notes that this server receives calls: on each server. */
  watch(): Repeating;
  /** Judges what is over: on the server that leads, by a database whose transactions hold the lease. */
  lead(database: Database): Repeating;
}

/** Opens heartbeats. */
export async function openHeartbeats({
  database,
  arrivals,
  logger,
}: {
  database: Database;
  /** Maintenance windows that are on, and rules. */
  arrivals: Arrivals;
  logger: Logger;
}): Promise<Heartbeats> {
  const clock = await readDatabaseClock(database);
  const watch = createServerWatch({ database, clock, logger });
  let news: NodeJS.Timeout | undefined;
  const onBeat = (): void => {
    news ??= setTimeout(() => {
      news = undefined;
      announceAlone(database, { type: 'heartbeats_changed' }).catch((error: unknown) =>
        logger.warn({ err: error }, 'pages could not be notified that heartbeats were called; the next call does'),
      );
    }, NEWS_MS).unref();
  };
  const deps = { database, clock, arrivals, onBeat };
  const takeBeat = createTakeBeat(deps);
  return {
    endpoints: heartbeatRoutes(deps),
    clock,
    arrivals,
    takePing: await createTakePing(deps, takeBeat),
    takeBeat,
    watch() {
      const noting = startNoting(watch, logger);
      return {
        async stop() {
          clearTimeout(news);
          await noting.stop();
        },
      };
    },
    lead: (fenced) => startJudging({ database: fenced, clock, arrivals, watch, logger }),
  };
}
