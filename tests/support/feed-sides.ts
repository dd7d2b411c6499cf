import { expect } from 'vitest';
import type { ChangeLog, Database } from '#backend/platform/database/database.ts';
import { type Feed, openFeed } from '#backend/platform/feed/feed.ts';
import type { LoadPublished } from '#backend/platform/feed/feed-facts.ts';
import { type DomainEvent, createEventBus } from '#backend/platform/live/event-bus.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';

/** A server's feed, with what it publishes, and the log that its transactions are written to. */
export interface FeedSide {
  feed: Feed;
  published: string[];
  log: ChangeLog;
  events: ReturnType<typeof createEventBus>;
}

/** The event in short, such as `folders_changed anna`. */
export const nameOf = (event: DomainEvent): string =>
  'userId' in event ? `${event.type} ${event.userId}` : event.type;

/** What happened to the folders of a member. */
export const changed = (userId: string) => ({ type: 'folders_changed', userId }) as const;

/** Reads alerts where there are none. */
export const noAlerts: LoadPublished = async () => new Map();

/** Opens the feed of a server; several share one database. */
export async function openFeedSide(database: Database, serverId: string, load = noAlerts): Promise<FeedSide> {
  const published: string[] = [];
  const events = createEventBus((error) => expect.unreachable(String(error)));
  events.subscribe((event, origin) => published.push(`${origin} ${nameOf(event)}`));
  const found: { log?: ChangeLog } = {};
  const follow = (log: ChangeLog) => void (found.log = log);
  const logger = createLogger('silent');
  const feed = await openFeed({ database: { ...database, follow }, events, logger, serverId, load });
  if (!found.log) throw new Error('The feed follows no database.');
  return { feed, published, log: found.log, events };
}

/** A transaction of one of the servers. @param lost the answer to its commit does not come, or it was not made */
export async function changeFolders(
  database: Database,
  { log }: FeedSide,
  userId: string,
  lost?: 'commit' | 'answer',
): Promise<void> {
  const changes = [changed(userId)];
  const number = log.begin();
  if (lost !== 'commit') await database.transaction((tx) => log.write(tx, number, changes));
  log.end(number, lost ? 'unknown' : 'committed', changes);
}
