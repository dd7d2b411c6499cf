import { EntitySchema } from 'typeorm';
import { idColumn, longTextColumn, nullable, primary, textColumn, timeColumn } from '#backend/database/columns.ts';

/** A browser that wants to be told of new alerts. Endpoint and keys are secrets: they never leave the server. */
export interface StoredPushSubscription {
  id: string;
  userId: string;
  /** The session it was made in: the subscription ends with it. */
  sessionId: string;
  endpoint: string;
  /** SHA-256 of the endpoint, which is too long to be unique by itself. */
  endpointHash: string;
  /** The browser's public key and secret, base64url. */
  p256dh: string;
  auth: string;
  /** What the browser said it is, for a list of devices. */
  userAgent: string;
  createdAt: number;
  /** When the push service last took a message; written at most once an hour. */
  lastSuccessAt: number | null;
  /** Messages given up in a row, and since when. */
  failures: number;
  failingSince: number | null;
}

export const PushSubscriptionEntity = new EntitySchema<StoredPushSubscription>({
  name: 'PushSubscription',
  tableName: 'push_subscriptions',
  columns: {
    id: primary(idColumn('id')),
    userId: idColumn('user_id'),
    sessionId: textColumn('session_id', 64),
    endpoint: longTextColumn('endpoint'),
    endpointHash: textColumn('endpoint_hash', 64),
    p256dh: textColumn('p256dh', 87),
    auth: textColumn('auth', 22),
    userAgent: textColumn('user_agent', 200),
    createdAt: timeColumn('created_at'),
    lastSuccessAt: nullable(timeColumn('last_success_at')),
    failures: { type: 'int' },
    failingSince: nullable(timeColumn('failing_since')),
  },
});
