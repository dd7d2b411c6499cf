import type { Database } from '#backend/platform/database/database.ts';
import type { SecretStore } from '#backend/platform/secrets/secret-store.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { Metrics } from '#backend/platform/metrics/metrics.ts';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '#backend/platform/database/ids.ts';
import { type Repeating, startRepeating } from '#backend/platform/database/repeat.ts';
import type { DomainEvent, EventBus } from '#backend/platform/live/event-bus.ts';
import { type Listening, beginningOf, decodeMessage } from './cluster-message.ts';
import { readDatabaseClock } from './database-clock.ts';
import type { Feed } from '#backend/platform/feed/feed.ts';
import { isPassing } from './event-schema.ts';
import { WINDOW_MS, createOutbox } from './outbox.ts';
import { createPeers } from './peers.ts';
import { type RedisLink, openRedisLink } from './redis-link.ts';
import { type Cluster, type ClusterConfig, NO_CLUSTER, prefixOf } from './cluster.ts';
import { createRelay } from './relay.ts';
import { createKeyNames, createMessageSigning } from './sign-messages.ts';

/** How often each server sends a heartbeat, and reads what came through the database, in milliseconds. */
const BEAT_MS = 1_000;

/** A server whose own heartbeats did not come back for so long is cut off, whatever its connection says. */
const CUT_OFF_MS = 2_500;
/** It is not, once one came back within this. */
const GOOD_MS = 1_000;

/** How often what goes through the database is written, and read by who is cut off, in milliseconds. */
const RELAY_MS = 250;
/** So long after the last message of a server that is cut off, the others write into the database for it. */
const RELAY_FOR_MS = 5_000;

/** What was missed is read again at most this often, in milliseconds. */
const RESYNC_MS = 1_000;

/** The same for unsigned messages: those of a release that does not sign cannot be distinguished from anybody's, in milliseconds. */
const UNSIGNED_RESYNC_MS = 5_000;

/** How often the database's clock is read, by which messages are signed, in milliseconds. */
const CLOCK_MS = 10_000;

/** A shorter interruption is not worth a word on every page, in milliseconds. */
const SHOWN_AFTER_MS = 1_000;

/**
 * Shares events with other servers: through Redis, and through the database while Redis is away
 * ([0044](../../../docs/decisions/0044-several-servers.md)).
 *
 * @throws {StartError} when Redis refuses this server.
 */
export async function openCluster({
  config: { redisUrl, isSending },
  database,
  events,
  feed,
  secrets,
  logger,
  metrics,
  serverId,
}: {
  config: ClusterConfig;
  database: Database;
  events: EventBus;
  feed: Pick<Feed, 'writer' | 'take' | 'read' | 'onOwn'>;
  secrets: SecretStore;
  logger: Logger;
  metrics: Metrics;
  /** Id of this server, another one after each start. */
  serverId: string;
}): Promise<Cluster> {
  if (redisUrl === undefined) return NO_CLUSTER;
  const own = beginningOf(serverId);
  const prefix = prefixOf(await secrets.getOrCreate('CLUSTER_ID', newId), isSending);
  const clusterKey = await secrets.getOrCreate('CLUSTER_KEY', () => randomBytes(32).toString('base64url'));
  const channel = `${prefix}:events`;
  const clock = await readDatabaseClock(database);
  const signing = createMessageSigning(clusterKey, channel, clock.now);
  const peers = createPeers();
  const relay = createRelay(database, serverId, clock.now);
  const publishResync = () => events.publish({ type: 'resync' }, 'elsewhere');
  const resync = atMostEvery(RESYNC_MS, publishResync);
  const resyncAfterUnsigned = atMostEvery(UNSIGNED_RESYNC_MS, publishResync);
  let isConnected = false;
  let isShown = false;
  let showing: NodeJS.Timeout | undefined;
  let goodAt = performance.now();
  /** How long the last heartbeat was on its way through Redis and back. */
  let tripMs: number | undefined;
  let relayUntil = Number.NEGATIVE_INFINITY;
  let asks = true;
  let isAsked = true;
  let listening: (() => Listening) | undefined;
  let link: RedisLink | undefined;

  const setConnected = (is: boolean): void => {
    if (isConnected === is) return;
    isConnected = is;
    if (!is) tripMs = undefined;
    if (!is) logger.warn('cut off from Redis: events are shared through the database');
    else logger.info('events are shared through Redis');
    // Whatever was sent by others in between.
    asks = true;
    if (is) readFeed();
    // Those of a release before the feed say nothing there.
    if (is && peers.hasSilent()) resync.request();
    clearTimeout(showing);
    if (is) showDelay();
    else showing = setTimeout(showDelay, SHOWN_AFTER_MS).unref();
  };
  const showDelay = (): void => {
    if (isShown === !isConnected) return;
    isShown = !isConnected;
    events.publish({ type: 'live_delayed', isDelayed: isShown }, 'elsewhere');
  };

  let others = 0;
  const noteServers = (): void => {
    // One that left may have counted views for pages of this server, which now ask again.
    if (peers.count() < others) events.publish({ type: 'views_changed', userId: null }, 'elsewhere');
    others = peers.count();
  };
  /** Who has come as far as Redis may send anything: only what another server signed is read. */
  const receiveSigned = (signed: string): void => {
    const verified = signing.verify(signed);
    if ('message' in verified) return receive(verified.message, 'redis');
    metrics.cluster.droppedMessage(verified.dropped);
    // During an upgrade the release before is still there: what it reports is read from the database.
    if (verified.dropped === 'unsigned') resyncAfterUnsigned.request();
  };
  const receive = (text: string, path: 'redis' | 'database'): void => {
    if (text.startsWith(own)) return receiveOwn(text);
    const message = decodeMessage(text);
    // Of another version that has changed its messages: what it says is to be read from the database.
    if (!message) return resync.request();
    const { groups, isGap, isNewPeer } = peers.receive(message);
    if (isNewPeer || message.asks) isAsked = true;
    if (message.isCutOff) relayUntil = performance.now() + RELAY_FOR_MS;
    noteServers();
    metrics.cluster.received(groups.reduce((sum, group) => sum + group.events.length, 0));
    for (const { number, events: group } of groups) {
      const news = group.map((event) => afterTrip(event, path === 'redis' ? tripMs : undefined));
      if (number > 0 && message.writer !== undefined) feed.take({ writer: message.writer, number }, news);
      else for (const event of news) events.publish(event, 'elsewhere');
    }
    if (!isGap) return;
    metrics.cluster.missed();
    asks = true;
    if (message.writer === undefined) resync.request();
    else readFeed();
  };
  /** A heartbeat that comes back says that messages of this server reach everybody, and how fast. */
  const receiveOwn = (text: string): void => {
    if (!text.endsWith('\n')) return;
    const at = decodeMessage(text)?.at;
    if (at === undefined || performance.now() - at > GOOD_MS) return;
    tripMs = performance.now() - at;
    goodAt = performance.now();
    setConnected(true);
  };

  const send = async (text: string, count: number): Promise<void> => {
    const isBeat = count === 0;
    const viaRedis = isConnected || isBeat ? link?.publish(signing.sign(text)) : undefined;
    metrics.cluster.sent(count);
    if (!isConnected || performance.now() < relayUntil) relay.add(text);
    if (!isConnected) return void viaRedis?.catch(() => undefined);
    await viaRedis?.catch(() => {
      relay.add(text);
      setConnected(false);
    });
  };
  const outbox = createOutbox({ server: serverId, writer: feed.writer }, send, () =>
    isConnected ? WINDOW_MS : RELAY_MS / 2,
  );

  link = await openRedisLink(
    { url: redisUrl, channel, ownChannel: ownChannelOf(prefix, serverId), logger },
    {
      message: receiveSigned,
      connected: () => outbox.beat({ at: performance.now() }),
      lost: () => setConnected(false),
    },
  );

  const beat = (): void => {
    noteServers();
    if (performance.now() - goodAt > CUT_OFF_MS) setConnected(false);
    outbox.beat({
      at: performance.now(),
      ...(asks && { asks }),
      ...(!isConnected && { isCutOff: true }),
      ...(isAsked && { listening: listening?.() ?? [] }),
    });
    asks = false;
    isAsked = false;
  };

  let isFailing = false;
  const onError = (error: unknown) => {
    if (!isFailing)
      logger.warn({ err: error }, 'events could not be shared through the database; further attempts follow');
    isFailing = true;
  };
  const readFeed = (): void => void feed.read().catch(onError);
  const jobs: Repeating[] = [];
  const unsubscribe = events.subscribe((event, origin) => {
    if (origin === 'here' && isPassing(event) && peers.count() > 0) outbox.add([event], 0);
  });
  feed.onOwn(({ number, events: happened }) => {
    if (peers.count() === 0) return;
    // Cut off from Redis, it is in the database already.
    if (isConnected) outbox.add(happened, number);
    else outbox.skip();
  });

  return {
    isListening: peers.isListening,
    onlineMembers: peers.onlineMembers,
    isPresent: (id) => link.hasReader(ownChannelOf(prefix, id)).catch(() => undefined),
    isDelayed: () => isShown,
    // Right after the start nothing is known yet: Redis is asked.
    counts: {
      client: link.client,
      prefix,
      nameOf: createKeyNames(clusterKey),
      isConnected: () => isConnected || performance.now() - goodAt <= CUT_OFF_MS,
    },
    begin(sessions) {
      listening = sessions;
      if (!isConnected) showing = setTimeout(showDelay, SHOWN_AFTER_MS).unref();
      let readAt = Number.NEGATIVE_INFINITY;
      jobs.push(
        startRepeating(async () => beat(), { intervalMs: BEAT_MS, onError }),
        startRepeating(clock.ask, { intervalMs: CLOCK_MS, onError }),
        startRepeating(
          async () => {
            const [written] = await Promise.allSettled([relay.write()]);
            if (!isConnected || performance.now() - readAt >= BEAT_MS) {
              readAt = performance.now();
              // Before the feed, which then need not read the alerts of what came this way.
              for (const text of await relay.read()) receive(text, 'database');
              await feed.read();
              metrics.cluster.polled();
            }
            // Who cannot write reads all the same.
            if (written.status === 'rejected') throw written.reason;
            isFailing = false;
          },
          { intervalMs: RELAY_MS, onError },
        ),
      );
    },
    levels: () => ({ isConnected, servers: peers.count() + 1 }),
    async stop() {
      unsubscribe();
      await Promise.all(jobs.map((job) => job.stop()));
      outbox.beat({ leaves: true });
      await Promise.race([outbox.stop(), wait(BEAT_MS, undefined, { ref: false })]);
      resync.stop();
      resyncAfterUnsigned.stop();
      clearTimeout(showing);
      await relay.clear().catch(onError);
      link.close();
    },
  };
}

const ownChannelOf = (prefix: string, serverId: string): string => `${prefix}:server:${serverId}`;

/**
 * The event as if its webhook had been read by this server's clock: a message is taken to be on its way from another
 * server as long as this server's own heartbeat was, through the same Redis. Where that is unknown, no time is kept.
 */
function afterTrip(event: DomainEvent, tripMs: number | undefined): DomainEvent {
  if (event.type !== 'new_alert' || event.readAt === undefined) return event;
  const { readAt, ...rest } = event;
  return tripMs === undefined ? rest : { ...rest, readAt: readAt - tripMs };
}

/** Does something at once when it is requested, and once more for all further requests within a time. */
function atMostEvery(milliseconds: number, work: () => void): { request(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isRequested = false;
  const run = (): void => {
    isRequested = false;
    timer = setTimeout(() => {
      timer = undefined;
      if (isRequested) run();
    }, milliseconds).unref();
    work();
  };
  return {
    request() {
      isRequested = true;
      if (!timer) run();
    },
    stop: () => clearTimeout(timer),
  };
}
