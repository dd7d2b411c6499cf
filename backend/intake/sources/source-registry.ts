import { hash } from 'node:crypto';
import { In } from 'typeorm';
import type { Sender } from '#backend/contract/sender.ts';
import { DEFAULT_SOURCE_SETTINGS, type SecretKind, type SourceSettings } from '#backend/contract/source.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { EventBus } from '#backend/platform/live/event-bus.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { sameText } from '#backend/identity/users/session-tokens.ts';
import { localPartOf } from './mail-address.ts';
import { SourceEntity, SourceSecretEntity, type StoredSource, type StoredSourceSecret } from './source-entity.ts';

/** The last use of a secret, and the recognised sender, are written at most this often. */
const TOUCH_INTERVAL_MS = 60_000;

/** A source with its settings as values, and its secrets, the newest first. */
export interface KnownSource extends Omit<StoredSource, 'settings'> {
  settings: SourceSettings;
  secrets: StoredSourceSecret[];
}

/** A key or token of a source, found by what a caller presented. It may be expired. */
export interface PresentedSecret {
  source: KnownSource;
  secret: StoredSourceSecret;
}

/**
 * The sources in memory, so that finding one costs a posted alert no query. What commits is checked again in the
 * transaction that stores it: a secret may end meanwhile, here or on another server.
 */
export interface SourceRegistry {
  /** The secret of this kind with this text, also an expired one. Compared in constant time. */
  find(kind: Exclude<SecretKind, 'signing'>, plain: string): PresentedSecret | undefined;
  /** The address token whose email address has this before the @ (see `localPartOf`), also an expired one. */
  findByMail(localPart: string): PresentedSecret | undefined;
  /** Reads all sources again, once a second at most, where other servers may have changed them a moment ago. */
  lookUpMail(): Promise<void>;
  /**
   * Looks in the database for keys and tokens that are not known here, which another server may have made a moment ago. Does
   * nothing where there is one server, and while many are being looked for: guesses must not keep the database busy.
   */
  lookUp(plains: readonly string[]): Promise<void>;
  get(id: string): KnownSource | undefined;
  /** The same, read from the database when it is not known here: another server may have made it a moment ago. */
  load(id: string): Promise<KnownSource | undefined>;
  all(): Iterable<KnownSource>;
  /**
   * Reads a source again after its rows were changed here, one after the other; one that is gone is forgotten. Changes on
   * other servers are followed by events. What cannot be read is tried again until it is.
   *
   * @throws {Error} when the database cannot be read right now
   */
  reload(id: string): Promise<void>;
  /** Writes, once a minute at most, when and from where a secret was used. Nobody waits for it. */
  noteUse(secret: StoredSourceSecret, remoteAddress: string): void;
  /** Writes, once a minute at most, which sender a source's deliveries are recognised as. */
  noteSender(source: KnownSource, sender: Sender): void;
  /** Ends further attempts to read. */
  stop(): void;
}

/** How long after one attempt to read what changed the next one follows, in milliseconds. */
const RETRY_MS = 1_000;

/** Unknown keys and tokens are looked up by so many statements at once, each with at most so many of them. */
const MAX_LOOKUPS = 4;
const KEYS_PER_LOOKUP = 8;

/** What is stored of a key or token. */
export const secretHashOf = (plain: string): string => hash('sha256', plain);

/** True while a secret is accepted. */
export const isLive = ({ expiresAt }: Pick<StoredSourceSecret, 'expiresAt'>, now: number): boolean =>
  expiresAt === null || expiresAt > now;

/** When one of a source's secrets was last used; null when none ever was. */
export const lastUseOf = (source: Pick<KnownSource, 'secrets'> | undefined): number | null =>
  (source?.secrets ?? []).reduce<number | null>(
    (latest, { lastUsedAt }) => (lastUsedAt === null ? latest : Math.max(latest ?? 0, lastUsedAt)),
    null,
  );

/** Settings as stored, with defaults for those that this version added. */
export const readSettings = (text: string): SourceSettings => ({
  ...DEFAULT_SOURCE_SETTINGS,
  ...(JSON.parse(text) as Partial<SourceSettings>),
});

/**
 * Reads all sources and holds them.
 *
 * @param isShared whether other servers may change them
 */
export async function openSourceRegistry(
  {
    database,
    events,
    logger,
    isShared = false,
  }: {
    database: Database;
    events: EventBus;
    logger: Logger;
    isShared?: boolean;
  },
  now: () => number = Date.now,
): Promise<SourceRegistry> {
  const byId = new Map<string, KnownSource>();
  const byHash = new Map<string, PresentedSecret>();
  const byLocalPart = new Map<string, PresentedSecret>();
  const senderNotedAt = new Map<string, number>();

  const forget = (id: string) => {
    for (const { hash: known } of byId.get(id)?.secrets ?? []) {
      if (known === null) continue;
      byHash.delete(known);
      byLocalPart.delete(localPartOf(known));
    }
    byId.delete(id);
    senderNotedAt.delete(id);
  };
  const hold = (stored: StoredSource, secrets: StoredSourceSecret[]) => {
    forget(stored.id);
    const source: KnownSource = { ...stored, settings: readSettings(stored.settings), secrets };
    byId.set(source.id, source);
    for (const secret of secrets) {
      if (secret.hash === null) continue;
      byHash.set(secret.hash, { source, secret });
      if (secret.kind === 'token') byLocalPart.set(localPartOf(secret.hash), { source, secret });
    }
  };

  const reloadAll = async () => {
    const stored = await database.reads.getRepository(SourceEntity).find();
    const secrets = await database.reads.getRepository(SourceSecretEntity).find({ order: { id: 'DESC' } });
    const secretsOf = Map.groupBy(secrets, ({ sourceId }) => sourceId);
    const ids = new Set(stored.map(({ id }) => id));
    for (const id of byId.keys()) if (!ids.has(id)) forget(id);
    for (const source of stored) hold(source, secretsOf.get(source.id) ?? []);
  };

  let reloads: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    reloads = reloads.catch(() => undefined).then(work);
    return reloads;
  };
  const reload = async (id: string) => {
    const source = await database.reads.getRepository(SourceEntity).findOneBy({ id });
    const own = await database.reads
      .getRepository(SourceSecretEntity)
      .find({ where: { sourceId: id }, order: { id: 'DESC' } });
    if (source) hold(source, own);
    else forget(id);
  };
  /** Ids of sources that changed and could not be read since; null for all of them. */
  const stale = new Set<string | null>();
  let retry: NodeJS.Timeout | undefined;
  let isStopped = false;
  /** What is not read now would stay wrong in memory until its next change. */
  const follow = async (id: string | null): Promise<void> => {
    try {
      await inTurn(() => (id === null ? reloadAll() : reload(id)));
      stale.delete(id);
    } catch (error) {
      if (stale.size === 0) logger.error({ err: error }, 'sources that changed could not be read; attempts follow');
      stale.add(id);
      if (!isStopped) retry ??= setTimeout(readStale, RETRY_MS).unref();
      throw error;
    }
  };
  const readStale = (): void => {
    retry = undefined;
    for (const id of stale) {
      follow(id).then(
        // Pages that asked meanwhile were shown what was before.
        () => events.publish({ type: 'source_changed', sourceId: id, isEdited: id !== null }),
        () => undefined,
      );
    }
  };
  /** Deliveries matter, not these notes: they are written again a minute later. */
  const write = (work: Parameters<Database['transaction']>[0]) =>
    void database
      .transaction(work)
      .catch((error: unknown) => logger.warn({ err: error }, 'the last use of a source could not be written'));

  events.subscribe((event, origin) => {
    const { type } = event;
    if (origin === 'here' || (type !== 'resync' && type !== 'source_changed')) return;
    const id = type === 'source_changed' && event.isEdited ? event.sourceId : null;
    if (type === 'source_changed' && id === null) return;
    follow(id).catch(() => undefined);
  });
  await inTurn(reloadAll);
  let lookUps = 0;
  let readAllAt = 0;

  return {
    async lookUp(plains) {
      if (!isShared || plains.length === 0 || lookUps >= MAX_LOOKUPS) return;
      lookUps += 1;
      try {
        const hashes = plains.slice(0, KEYS_PER_LOOKUP).map(secretHashOf);
        const found = await database.reads.getRepository(SourceSecretEntity).findBy({ hash: In(hashes) });
        for (const id of new Set(found.map(({ sourceId }) => sourceId))) await inTurn(() => reload(id));
      } finally {
        lookUps -= 1;
      }
    },
    findByMail: (localPart) => byLocalPart.get(localPart),
    async lookUpMail() {
      if (!isShared || Math.abs(now() - readAllAt) < RETRY_MS) return;
      readAllAt = now();
      await inTurn(reloadAll);
    },
    find(kind, plain) {
      const presented = secretHashOf(plain);
      const found = byHash.get(presented);
      if (!found || found.secret.kind !== kind || !sameText(found.secret.hash ?? '', presented)) return undefined;
      return found;
    },
    get: (id) => byId.get(id),
    async load(id) {
      if (!byId.has(id)) await inTurn(() => reload(id));
      return byId.get(id);
    },
    all: () => byId.values(),
    reload: follow,
    noteUse(secret, remoteAddress) {
      const lastUsedAt = now();
      if (secret.lastUsedAt !== null && Math.abs(lastUsedAt - secret.lastUsedAt) < TOUCH_INTERVAL_MS) return;
      const use = { lastUsedAt, lastUsedFrom: remoteAddress.slice(0, 64) || null };
      Object.assign(secret, use);
      write((tx) => tx.getRepository(SourceSecretEntity).update({ id: secret.id }, use));
    },
    noteSender(source, sender) {
      const notedAt = senderNotedAt.get(source.id);
      if (source.recognisedAs === sender || (notedAt !== undefined && now() - notedAt < TOUCH_INTERVAL_MS)) return;
      senderNotedAt.set(source.id, now());
      source.recognisedAs = sender;
      write((tx) => tx.getRepository(SourceEntity).update({ id: source.id }, { recognisedAs: sender }));
    },
    stop() {
      isStopped = true;
      clearTimeout(retry);
    },
  };
}
