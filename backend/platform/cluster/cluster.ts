import type { Listening } from './cluster-message.ts';
import type { AskPresence } from './ended-servers.ts';
import type { SharedCounts } from './limiter.ts';

/** What this server shares with others on the same database. */
export interface Cluster {
  /** Whether a page of this session is connected to another server. */
  isListening(sessionId: string): boolean;
  /** Ids of members of whom a page is connected to another server. */
  onlineMembers(): ReadonlySet<string>;
  /** Whether another server is connected to Redis; undefined without REDIS_URL. */
  isPresent: AskPresence | undefined;
  /** Events of other servers come by the database, later than usual. */
  isDelayed(): boolean;
  /** Where servers count together, under names that begin with the installation's own prefix; undefined without REDIS_URL. */
  counts: SharedCounts | undefined;
  /** Begins to share. @param listening the sessions of the pages that are connected to this server */
  begin(listening: () => Listening): void;
  /** For `/metrics`. */
  levels(): { isConnected: boolean; servers: number };
  stop(): Promise<void>;
}

/** The only server. */
export const NO_CLUSTER: Cluster = {
  isListening: () => false,
  onlineMembers: () => new Set(),
  isPresent: undefined,
  isDelayed: () => false,
  counts: undefined,
  begin: () => undefined,
  levels: () => ({ isConnected: false, servers: 0 }),
  stop: async () => undefined,
};

/** What the configuration says about several servers. */
export interface ClusterConfig {
  /** `redis://…` or `rediss://…`, by which several servers on one database share events; undefined for a single server. */
  redisUrl: string | undefined;
  /** False for a copy of an installation, which sends nothing out. */
  isSending: boolean;
}

/**
 * How everything of an installation begins in Redis. A copy has the secrets of its original and may reach the same Redis: it
 * shares events and counts with copies alone.
 */
export const prefixOf = (installation: string, isSending: boolean): string =>
  `alertdesk:${installation}${isSending ? '' : ':copy'}`;
