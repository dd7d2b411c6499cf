import { EntitySchema } from 'typeorm';
import { idColumn, nullable, primary, textColumn, timeColumn } from '#backend/database/columns.ts';

/** A stored API key. Only the SHA-256 of its 256 random bits is kept. */
export interface StoredApiKey {
  id: string;
  name: string;
  keyHash: string;
  createdAt: number;
  lastUsedAt: number | null;
}

export const ApiKeyEntity = new EntitySchema<StoredApiKey>({
  name: 'ApiKey',
  tableName: 'api_keys',
  columns: {
    id: primary(idColumn('id')),
    name: textColumn('name', 100),
    keyHash: textColumn('key_hash', 64),
    createdAt: timeColumn('created_at'),
    lastUsedAt: nullable(timeColumn('last_used_at')),
  },
});
