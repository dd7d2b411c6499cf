import { hash } from 'node:crypto';
import { In } from 'typeorm';
import type { Sender } from '#backend/contract/sender.ts';
import { DEFAULT_SOURCE_SETTINGS, type SecretKind, type SourceSettings } from '#backend/contract/source.ts';
import { coalesce } from '#backend/platform/database/coalesce.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { DomainEvent, EventBus } from '#backend/platform/live/event-bus.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
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
   * Reads a source again after its rows were changed here; one that is gone is forgotten. Changes are followed by events, too,
   * wherever they were made: whoever has changed one waits for this. What cannot be read is tried again until it is. Pages are
   * asked to read again what is shown otherwise than before.
   *
   * @throws {Error} when the database cannot be read right now
   */
  reload(id: string): Promise<void>;
  /** Writes, once a minute at most, when and from where a secret was used. Nobody waits for it. */
  noteUse(secret: StoredSourceSecret, remoteAddress: string): void;
  /** Writes, once a minute at most, which sender a source's deliveries are recognised as. */
  noteSender(source: KnownSource, sender: Sender): void;
  /**
   * Reads what other servers have noted of these sources: when and from where their secrets were used last, and which sender
   * they are recognised as.
   */
  readUses(ids: readonly string[]): Promise<void>;
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

/** What administrators see and senders are judged by, as one text: what is noted with each use is left out. */
function shownOf(source: KnownSource | undefined): string {
  if (!source) return '';
  const { secrets, recognisedAs: _, ...shown } = source;
  return JSON.stringify([shown, secrets.map(({ lastUsedAt: __, lastUsedFrom: ___, ...secret }) => secret)]);
}

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
  /** Whether a source's sender was noted here so recently that it may not be stored yet. */
  const isNotedNow = (id: string): boolean => now() - (senderNotedAt.get(id) ?? -Infinity) < TOUCH_INTERVAL_MS;

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

  /**
   * Reads sources, all of them without ids, and forgets those that are gone.
   *
   * @returns the ids of those that are shown otherwise than before
   */
  const read = async (ids?: readonly string[]): Promise<string[]> => {
    const stored = await database.reads.getRepository(SourceEntity).find(ids && { where: { id: In(ids) } });
    const secrets = await database.reads
      .getRepository(SourceSecretEntity)
      .find({ ...(ids && { where: { sourceId: In(ids) } }), order: { id: 'DESC' } });
    const secretsOf = Map.groupBy(secrets, ({ sourceId }) => sourceId);
    const before = new Map(byId);
    for (const id of ids ?? before.keys()) forget(id);
    for (const source of stored) hold(source, secretsOf.get(source.id) ?? []);
    const concerned = new Set([...(ids ?? before.keys()), ...stored.map(({ id }) => id)]);
    return [...concerned].filter((id) => shownOf(before.get(id)) !== shownOf(byId.get(id)));
  };
  let reloads: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = reloads.catch(() => undefined).then(() => work());
    reloads = turn;
    return turn;
  };
  const asked = new WeakSet<DomainEvent>();
  /** Reads in turn. Pages that have heard of a change, and asked before it was read, were shown what was before: they ask again. */
  const refresh = async (ids?: readonly string[]): Promise<void> => {
    for (const sourceId of await inTurn(() => read(ids))) {
      const event: DomainEvent = { type: 'source_changed', sourceId, isEdited: true };
      asked.add(event);
      // Each server reads the change itself, and asks its own pages.
      events.publish(event, 'elsewhere');
    }
  };
  /** Ids of sources that changed and were not read since; null for all of them. */
  const stale = new Set<string | null>();
  let retry: NodeJS.Timeout | undefined;
  let isFailing = false;
  let isStopped = false;
  /** What is not read now would stay wrong in memory until its next change. */
  const readStale = coalesce(async (): Promise<void> => {
    const ids = [...stale];
    stale.clear();
    try {
      await refresh(ids.includes(null) ? undefined : ids.filter((id) => id !== null));
      isFailing = false;
    } catch (error) {
      if (!isFailing) logger.error({ err: error }, 'sources that changed could not be read; attempts follow');
      isFailing = true;
      for (const id of ids) stale.add(id);
      if (!isStopped) retry ??= setTimeout(again, RETRY_MS).unref();
      throw error;
    }
  });
  const again = (): void => {
    retry = undefined;
    readStale().catch(() => undefined);
  };
  const follow = (id: string | null): Promise<void> => {
    stale.add(id);
    return readStale();
  };
  /** Deliveries matter, not these notes: they are written again a minute later. */
  const write = (work: Parameters<Database['transaction']>[0]) =>
    void database
      .transaction(work)
      .catch((error: unknown) => logger.warn({ err: error }, 'the last use of a source could not be written'));

  events.subscribe((event) => {
    if (asked.has(event)) return;
    if (event.type === 'resync') follow(null).catch(() => undefined);
    // Also from here: where the answer of a commit was lost, whoever made the change does not know that it is stored.
    if (event.type === 'source_changed' && event.isEdited && event.sourceId !== null)
      follow(event.sourceId).catch(() => undefined);
  });
  await inTurn(read);
  let lookUps = 0;
  let readAllAt = 0;

  return {
    async lookUp(plains) {
      if (!isShared || plains.length === 0 || lookUps >= MAX_LOOKUPS) return;
      lookUps += 1;
      try {
        const hashes = plains.slice(0, KEYS_PER_LOOKUP).map(secretHashOf);
        const found = await database.reads.getRepository(SourceSecretEntity).findBy({ hash: In(hashes) });
        for (const id of new Set(found.map(({ sourceId }) => sourceId))) await refresh([id]);
      } finally {
        lookUps -= 1;
      }
    },
    findByMail: (localPart) => byLocalPart.get(localPart),
    async lookUpMail() {
      if (!isShared || Math.abs(now() - readAllAt) < RETRY_MS) return;
      readAllAt = now();
      await refresh();
    },
    find(kind, plain) {
      // What takes longer or shorter here depends on a hash, of which nobody can choose a part.
      const found = byHash.get(secretHashOf(plain));
      return found?.secret.kind === kind ? found : undefined;
    },
    get: (id) => byId.get(id),
    async load(id) {
      if (!byId.has(id)) await refresh([id]);
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
      if (source.recognisedAs === sender || isNotedNow(source.id)) return;
      senderNotedAt.set(source.id, now());
      source.recognisedAs = sender;
      write((tx) => tx.getRepository(SourceEntity).update({ id: source.id }, { recognisedAs: sender }));
    },
    async readUses(ids) {
      const sources = await database.reads
        .getRepository(SourceEntity)
        .find({ select: { id: true, recognisedAs: true }, where: { id: In(ids) } });
      const uses = await database.reads.getRepository(SourceSecretEntity).find({
        select: { id: true, sourceId: true, lastUsedAt: true, lastUsedFrom: true },
        where: { sourceId: In(ids) },
      });
      for (const { id, recognisedAs } of sources)
        if (!isNotedNow(id)) Object.assign(byId.get(id) ?? {}, { recognisedAs });
      for (const { id, sourceId, lastUsedAt, lastUsedFrom } of uses) {
        const secret = byId.get(sourceId)?.secrets.find((one) => one.id === id);
        if (secret && (lastUsedAt ?? 0) > (secret.lastUsedAt ?? 0)) Object.assign(secret, { lastUsedAt, lastUsedFrom });
      }
    },
    stop() {
      isStopped = true;
      clearTimeout(retry);
    },
  };
}
