import { EntitySchema } from 'typeorm';
import type { AlertSeverity } from '#backend/contract/alert.ts';
import type { Occurrence, OccurrenceState, WindowSchedule } from '#backend/contract/maintenance.ts';
import {
  idColumn,
  longTextColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
} from '#backend/platform/database/columns.ts';
import type { Schedule } from './schedule.ts';

/** A stored window: which alerts it keeps quiet, and when. */
export interface StoredWindow extends Schedule {
  id: string;
  name: string;
  search: string;
  /** Display names of administrators. */
  createdBy: string;
  changedBy: string;
  changedAt: number;
  createdAt: number;
  version: number;
}

export const WindowEntity = new EntitySchema<StoredWindow>({
  name: 'MaintenanceWindow',
  tableName: 'maintenance_windows',
  columns: {
    id: primary(idColumn('id')),
    name: textColumn('name', 100),
    search: longTextColumn('search'),
    startsAt: timeColumn('starts_at'),
    minutes: { type: 'int', name: 'minutes' },
    timeZone: textColumn('time_zone', 64),
    rrule: nullable(textColumn('rrule', 300)),
    createdBy: textColumn('created_by', 100),
    changedBy: textColumn('changed_by', 100),
    changedAt: timeColumn('changed_at'),
    createdAt: timeColumn('created_at'),
    version: { type: 'int', name: 'version' },
  },
});

/** The members whose alerts still fire at the end of an occurrence. */
export const ownersOf = ({ ownerIds }: Pick<StoredOccurrence, 'ownerIds'>): string[] =>
  ownerIds === null ? [] : ownerIds.split(',');

/** One time at which a window is on. It keeps the name and the search with which it was planned. */
export interface StoredOccurrence {
  id: string;
  windowId: string;
  name: string;
  search: string;
  /** When its schedule has it begin: of a window no two have the same. */
  plannedAt: number;
  startsAt: number;
  endsAt: number;
  state: OccurrenceState;
  /** What was open when it began is marked, and what arrived before every server had read it or its end. */
  isMarked: boolean;
  kept: number;
  stillFiring: number;
  /** The worst severity of what still fires. */
  worst: AlertSeverity;
  /** Ids of the owners of what still fires, with commas between; null where nobody has any of it. */
  ownerIds: string | null;
  /** Who ended it before its time, and when it would have ended; null otherwise. */
  endedBy: string | null;
  endedFrom: number | null;
  extendedMinutes: number;
  createdAt: number;
}

export const OccurrenceEntity = new EntitySchema<StoredOccurrence>({
  name: 'MaintenanceOccurrence',
  tableName: 'maintenance_occurrences',
  columns: {
    id: primary(idColumn('id')),
    windowId: idColumn('window_id'),
    name: textColumn('name', 100),
    search: longTextColumn('search'),
    plannedAt: timeColumn('planned_at'),
    startsAt: timeColumn('starts_at'),
    endsAt: timeColumn('ends_at'),
    state: textColumn('state', 8),
    isMarked: { type: 'boolean', name: 'is_marked' },
    kept: { type: 'int', name: 'kept' },
    stillFiring: { type: 'int', name: 'still_firing' },
    worst: textColumn('worst', 8),
    ownerIds: nullable(longTextColumn('owner_ids')),
    endedBy: nullable(textColumn('ended_by', 100)),
    endedFrom: nullable(timeColumn('ended_from')),
    extendedMinutes: { type: 'int', name: 'extended_minutes' },
    createdAt: timeColumn('created_at'),
  },
});

/** An alert that an occurrence keeps quiet, or has; its end deletes the row. */
export const QuietAlertEntity = new EntitySchema<{ occurrenceId: string; alertId: string }>({
  name: 'QuietAlert',
  tableName: 'quiet_alerts',
  columns: { occurrenceId: primary(idColumn('occurrence_id')), alertId: primary(idColumn('alert_id')) },
});

const iso = (at: number): string => new Date(at).toISOString();

/** What an occurrence is by now: it keeps alerts quiet from its beginning on, however soon the server that leads notices. */
const stateNow = ({ state, startsAt, endsAt }: StoredOccurrence, now: number): OccurrenceState =>
  state === 'planned' && startsAt <= now && now < endsAt ? 'on' : state;

/** An occurrence as members read it. @param isDeleted its window is gone */
export const presentOccurrence = (one: StoredOccurrence, isDeleted = false): Occurrence => ({
  id: one.id,
  ...(!isDeleted && { windowId: one.windowId }),
  name: one.name,
  search: one.search,
  startsAt: iso(one.startsAt),
  endsAt: iso(one.endsAt),
  state: stateNow(one, Date.now()),
  kept: one.kept,
  stillFiring: one.stillFiring,
  ...(one.endedBy !== null && { endedBy: one.endedBy }),
  ...(one.extendedMinutes > 0 && { extendedMinutes: one.extendedMinutes }),
});

/** When a window is on, as its page reads it. */
export const presentSchedule = ({ startsAt, minutes, timeZone, rrule }: Schedule): WindowSchedule => ({
  startsAt: iso(startsAt),
  minutes,
  timeZone,
  rrule,
});
