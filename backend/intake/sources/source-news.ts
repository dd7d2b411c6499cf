import type { EventBus } from '#backend/platform/live/event-bus.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { SourceRegistry } from './source-registry.ts';
import type { SourceStatsKeeper } from './source-stats.ts';
import type { Source } from '#backend/contract/source.ts';
import type { SourceCounts } from '#backend/contract/source-standing.ts';
import { presentSource } from './present-source.ts';

/** Counts of one source leave at most this often, in milliseconds; those of several together, in one frame. */
const NEWS_MS = 1_000;

/** The same of sources whose log another server wrote: what is kept of them is read again first. */
const NEWS_FROM_ELSEWHERE_MS = 5_000;

/** Counts that are being gathered. */
interface Gathering {
  add(sourceId: string): void;
  stop(): void;
}

/**
 * Publishes how sources stand by now when their delivery logs have news, for pages that are open: they put it in the place of
 * what they have, and read nothing. What is kept of a source is forgotten where it changed, or another server wrote its log;
 * its uses are then read, whether pages are open or not.
 *
 * @param isWatched whether anybody would receive it
 */
export function publishSourceNews(
  {
    events,
    logger,
    sources,
    sourceStats,
  }: { events: EventBus; logger: Logger; sources: SourceRegistry; sourceStats: SourceStatsKeeper },
  isWatched: () => boolean,
): { stop(): void } {
  const publish = async (ids: readonly string[]) => {
    const known = ids.flatMap((id) => sources.get(id) ?? []);
    const stats = await sourceStats.read(known.map(({ id }) => id));
    const now = Date.now();
    for (const source of known) {
      const own = stats.get(source.id);
      if (!own) continue;
      const counts = countsOf(presentSource(source, own, undefined, now));
      events.publish({ type: 'source_counted', sourceId: source.id, counts });
    }
  };
  const onIds = (ids: readonly string[]) => {
    if (!isWatched()) return;
    publish(ids).catch((error: unknown) =>
      logger.warn(
        { err: error },
        'counts of sources could not be read for open pages; the next delivery has them read',
      ),
    );
  };
  const own = gather(NEWS_MS, onIds);
  const others = gather(NEWS_FROM_ELSEWHERE_MS, (ids) => {
    sources
      .readUses(ids)
      .catch((error: unknown) => logger.warn({ err: error }, 'uses of sources that another server noted were not read'))
      .finally(() => onIds(ids));
  });
  const unsubscribe = events.subscribe((event, origin) => {
    if (event.type === 'resync') sourceStats.forget();
    if (event.type !== 'source_changed') return;
    const { sourceId, isEdited } = event;
    if (isEdited || origin === 'elsewhere') sourceStats.forget(sourceId ?? '');
    if (isEdited || sourceId === null) return;
    if (origin === 'here') own.add(sourceId);
    else others.add(sourceId);
  });
  return {
    stop() {
      unsubscribe();
      own.stop();
      others.stop();
    },
  };
}

/** Hands over at once what comes after a quiet time, and then what came within each interval. */
function gather(intervalMs: number, onIds: (ids: readonly string[]) => void): Gathering {
  const pending = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let quietUntil = 0;
  const flush = () => {
    timer = undefined;
    quietUntil = performance.now() + intervalMs;
    const ids = [...pending];
    pending.clear();
    onIds(ids);
  };
  return {
    add(sourceId) {
      pending.add(sourceId);
      timer ??= setTimeout(flush, Math.max(0, quietUntil - performance.now())).unref();
    },
    stop: () => clearTimeout(timer),
  };
}

const countsOf = (source: Source): SourceCounts => ({
  lastUsedAt: source.lastUsedAt,
  recognisedAs: source.recognisedAs,
  health: source.health,
  lastDeliveryAt: source.lastDeliveryAt,
  refusedToday: source.refusedToday,
  usualGapMs: source.usualGapMs,
  log: source.log,
  hours: source.hours.map(({ deliveries, refused }) => [deliveries, refused]),
});
