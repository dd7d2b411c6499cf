import { EntitySchema } from 'typeorm';
import { idColumn, primary, textColumn, timeColumn } from '#backend/database/columns.ts';

/** A stored session. Its id is the SHA-256 of the cookie's 256 random bits; the bits themselves are kept nowhere. */
export interface StoredSession {
  id: string;
  userId: string;
  createdAt: number;
  lastSeenAt: number;
}

export const SessionEntity = new EntitySchema<StoredSession>({
  name: 'Session',
  tableName: 'sessions',
  columns: {
    id: primary(textColumn('id', 64)),
    userId: idColumn('user_id'),
    createdAt: timeColumn('created_at'),
    lastSeenAt: timeColumn('last_seen_at'),
  },
});
