import { EntitySchema } from 'typeorm';
import type { Override } from '#backend/contract/ladder.ts';
import {
  idColumn,
  longTextColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
} from '#backend/platform/database/columns.ts';

/** A stored calendar of who is on. */
export interface StoredCalendar {
  id: string;
  name: string;
  /** The name as it is compared: no two calendars have the same. */
  nameKey: string;
  /** Its address, encrypted for its id; null of a file. */
  sealed: string | null;
  /** The server of its address, as people are shown it. */
  addressHint: string | null;
  /** The last good copy; null before the first. */
  content: string | null;
  /** When that was read. */
  fetchedAt: number | null;
  /** When it was tried last. */
  triedAt: number | null;
  /** When it is read next; null of a file. */
  nextAt: number | null;
  failure: string | null;
  /** {@link Override}s as JSON. */
  overrides: string;
  changedBy: string;
  changedAt: number;
  createdAt: number;
  /** Grows with each change by a person; reading it again leaves it. */
  version: number;
}

/** Longest text of a failure, in characters. */
export const MAX_CALENDAR_FAILURE = 300;

export const CalendarEntity = new EntitySchema<StoredCalendar>({
  name: 'OutgoingCalendar',
  tableName: 'outgoing_calendars',
  columns: {
    id: primary(idColumn('id')),
    name: textColumn('name', 100),
    nameKey: textColumn('name_key', 200),
    sealed: nullable(longTextColumn('sealed')),
    addressHint: nullable(textColumn('address_hint', 100)),
    content: nullable(longTextColumn('content')),
    fetchedAt: nullable(timeColumn('fetched_at')),
    triedAt: nullable(timeColumn('tried_at')),
    nextAt: nullable(timeColumn('next_at')),
    failure: nullable(textColumn('failure', MAX_CALENDAR_FAILURE)),
    overrides: longTextColumn('overrides'),
    changedBy: textColumn('changed_by', 100),
    changedAt: timeColumn('changed_at'),
    createdAt: timeColumn('created_at'),
    version: { type: 'int', name: 'version' },
  },
});

export const readOverrides = ({ overrides }: Pick<StoredCalendar, 'overrides'>): Override[] =>
  JSON.parse(overrides) as Override[];
