import { hash, randomBytes } from 'node:crypto';
import { newId } from '#backend/database/ids.ts';
import { type Author, addAudit } from '#backend/audit/audit-log.ts';
import type { ApiKey, CreatedApiKey } from '#backend/contract/api-key.ts';
import type { IdPageQuery } from '#backend/contract/id-page.ts';
import type { Database } from '#backend/database/database.ts';
import { type IdPage, readIdPage } from '#backend/database/id-pages.ts';
import type { Logger } from '#backend/logger.ts';
import { onBehalfOf } from '#backend/sessions/on-behalf-of.ts';
import { sameText } from '#backend/sessions/session-tokens.ts';
import { ApiKeyEntity, type StoredApiKey } from './api-key-entity.ts';

/** Keys begin with this, so that a leaked one is recognised. */
const KEY_PREFIX = 'ad_';

/** The last use is written down at most this often for each key. */
const TOUCH_INTERVAL_MS = 60_000;

/** The API keys with which outside systems post alerts. */
export interface ApiKeyStore {
  /** A page of the keys, newest first. */
  list(query: IdPageQuery): Promise<IdPage<ApiKey>>;
  create(author: Author, name: string): Promise<CreatedApiKey>;
  /** Ends a key at once. False when there is none with this id. */
  remove(author: Author, id: string): Promise<boolean>;
  /** The key that a caller presents, and a note that it was used; undefined when it is not one of ours. */
  verify(plainKey: string): { id: string; name: string } | undefined;
}

const hashOf = (plainKey: string): string => hash('sha256', plainKey);

const present = (key: StoredApiKey): ApiKey => ({
  id: key.id,
  name: key.name,
  createdAt: new Date(key.createdAt).toISOString(),
  lastUsedAt: key.lastUsedAt === null ? null : new Date(key.lastUsedAt).toISOString(),
});

/**
 * Opens the keys. They are held in memory by their hash, so that checking one costs a posted alert no query; this
 * process is the only one that changes them as long as REDIS_URL is not available.
 */
export async function openApiKeyStore(
  database: Database,
  logger: Logger,
  now: () => number = Date.now,
): Promise<ApiKeyStore> {
  const byHash = new Map<string, StoredApiKey>();
  for (const key of await database.reads.getRepository(ApiKeyEntity).find()) byHash.set(key.keyHash, key);

  const noteUse = (key: StoredApiKey) => {
    const usedAt = now();
    if (key.lastUsedAt !== null && usedAt - key.lastUsedAt < TOUCH_INTERVAL_MS) return;
    key.lastUsedAt = usedAt;
    database
      .transaction((tx) => tx.getRepository(ApiKeyEntity).update({ id: key.id }, { lastUsedAt: usedAt }))
      // The alert matters, not this note: it is written again a minute later.
      .catch((error: unknown) => logger.warn({ err: error }, 'the last use of an API key could not be written'));
  };

  return {
    async list(query) {
      const { rows, headers } = await readIdPage(database.reads, ApiKeyEntity, {}, query, '/api/api-keys');
      return { rows: rows.map(present), headers };
    },
    async create(author, name) {
      const plainKey = KEY_PREFIX + randomBytes(32).toString('base64url');
      const key: StoredApiKey = { id: newId(), name, keyHash: hashOf(plainKey), createdAt: now(), lastUsedAt: null };
      await onBehalfOf(database, author).transaction(async (tx) => {
        await tx.getRepository(ApiKeyEntity).insert(key);
        await addAudit(tx, author, 'api_key_created', name);
      });
      byHash.set(key.keyHash, key);
      return { ...present(key), plainKey };
    },
    async remove(author, id) {
      const isRemoved = await onBehalfOf(database, author).transaction(async (tx) => {
        const keys = tx.getRepository(ApiKeyEntity);
        const key = await keys.findOneBy({ id });
        const { affected } = await keys.delete({ id });
        if (!key || affected !== 1) return false;
        await addAudit(tx, author, 'api_key_deleted', key.name);
        return true;
      });
      for (const key of byHash.values()) if (key.id === id) byHash.delete(key.keyHash);
      return isRemoved;
    },
    verify(plainKey) {
      const presented = hashOf(plainKey);
      const key = byHash.get(presented);
      if (!key || !sameText(key.keyHash, presented)) return undefined;
      noteUse(key);
      return { id: key.id, name: key.name };
    },
  };
}
