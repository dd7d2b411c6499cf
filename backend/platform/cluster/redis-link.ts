import { createClient } from '@redis/client';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { StartError } from '#backend/platform/logger/start-error.ts';
import { inTime } from './in-time.ts';

/** How long a connection may take, and how long an answer, in milliseconds. */
const CONNECT_MS = 2_000;
export const ANSWER_MS = 1_000;

/** A connection on which nothing came for so long is closed: every server's heartbeats come each second. */
const SILENT_MS = 5_000;

/** The first attempt to connect again follows at once, later ones after so long at most, in milliseconds. */
const RECONNECT_MS = 1_000;

/** What may wait for an answer: more is refused at once. */
const MAX_COMMANDS = 1_000;

/** What Redis answers when it does not let this server in. */
const DENIED = /^(?:WRONGPASS|NOAUTH|NOPERM|ERR invalid password|ERR AUTH|ERR DB index|ERR Client sent AUTH)/;

/** What Node.js says of a certificate that it does not trust. */
const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|ERR_TLS_CERT|CERT_)/;

/** One connection to Redis, for commands and for one channel. */
export interface RedisLink {
  /** Sends to everybody who has the channel. @throws {Error} when it is not known to have been taken. */
  publish(text: string): Promise<void>;
  /** Whether somebody has a channel that is a server's own. @throws {Error} when that is not known, or Redis was away meanwhile */
  hasReader(ownChannel: string): Promise<boolean>;
  /** For rate limits. */
  readonly client: ReturnType<typeof createRedisClient>;
  close(): void;
}

const createRedisClient = (url: string) =>
  createClient({
    url,
    // One connection has both commands and messages.
    RESP: 3,
    socket: {
      connectTimeout: CONNECT_MS,
      socketTimeout: SILENT_MS,
      reconnectStrategy: (retries: number) => Math.min(retries * 100, RECONNECT_MS),
    },
    // Nothing is kept for a Redis that is away: what is to be sent then goes another way.
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_COMMANDS,
    maintNotifications: 'disabled',
  });

/**
 * Connects. Redis may be away: then it is tried again and again, and the server starts without it.
 *
 * @param ownChannel is of this server alone: nothing is said there, others ask whether somebody has it
 * @param onMessage receives what is published on the channel, by this server too.
 * @param onConnected called whenever the channel is there again, after which nothing is missed.
 * @param onLost called when the connection has ended.
 * @throws {StartError} when Redis refuses user, password or database, or its certificate is not trusted.
 */
export async function openRedisLink(
  { url, channel, ownChannel, logger }: { url: string; channel: string; ownChannel: string; logger: Logger },
  on: { message: (text: string) => void; connected: () => void; lost: () => void },
): Promise<RedisLink> {
  const client = createRedisClient(url);
  let isKnownLost = false;
  /** It was lost since a channel was asked for, however shortly: who is missed then may be about to connect again as well. */
  let wasLost = false;
  let denied: ((error: Error) => void) | undefined;
  client.on('error', (error: Error) => {
    denied?.(error);
    wasLost = true;
    on.lost();
    if (isKnownLost) return;
    isKnownLost = true;
    logger.warn({ err: error }, 'Redis is away; servers share events through the database until it is back');
  });
  const { promise: hasChannels, resolve: noteChannels } = Promise.withResolvers<void>();
  let isSubscribed = false;
  const subscribe = async (): Promise<void> => {
    try {
      await Promise.all([client.subscribe(channel, on.message), client.subscribe(ownChannel, ignore)]);
    } catch (error) {
      denied?.(error as Error);
      logger.warn({ err: error }, 'Redis could not be subscribed to; this is tried again with the next connection');
      return;
    }
    isSubscribed = true;
    on.connected();
    noteChannels();
  };
  client.on('ready', () => {
    isKnownLost = false;
    // The client subscribes again by itself, but only to what Redis has confirmed once.
    if (isSubscribed) on.connected();
    else void subscribe();
  });
  const refused = new Promise<never>((_, reject) => {
    denied = (error) => {
      const refusal = refusalOf(error);
      if (refusal) reject(refusal);
    };
  });
  // It is tried until it is closed; every error is an event, too.
  client.connect().catch(ignore);
  try {
    await Promise.race([hasChannels, refused, elapsed(CONNECT_MS)]);
  } catch (error) {
    client.destroy();
    throw error;
  }
  denied = undefined;
  refused.catch(ignore);
  /** @returns how many have the channel */
  const publishTo = async (name: string, text: string): Promise<number> => {
    if (!client.isReady) throw new Error('Redis is not connected.');
    return inTime(client.publish(name, text), ANSWER_MS);
  };

  return {
    client,
    async publish(text) {
      await publishTo(channel, text);
    },
    async hasReader(name) {
      const readers = await publishTo(name, '');
      if (wasLost) {
        wasLost = false;
        throw new Error('Redis was away.');
      }
      return readers > 0;
    },
    close: () => client.destroy(),
  };
}

/** Why the server cannot start; undefined for what may pass by itself. */
function refusalOf(error: Error): StartError | undefined {
  const code = 'code' in error ? String(error.code) : '';
  if (UNTRUSTED.test(code)) {
    return new StartError(
      `The certificate of Redis is not trusted (${code}); check REDIS_URL, or name the authority's file in NODE_EXTRA_CA_CERTS.`,
      { cause: error },
    );
  }
  if (!DENIED.test(error.message)) return undefined;
  return new StartError(`Redis refuses this server (${error.message.split(' ')[0]}); check REDIS_URL.`, {
    cause: error,
  });
}

const ignore = (): void => undefined;

const elapsed = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds).unref());
