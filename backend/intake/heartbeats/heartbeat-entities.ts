import { EntitySchema } from 'typeorm';
import {
  BEATS_KEPT,
  type BeatKind,
  type HeartbeatSchedule,
  type HeartbeatSeverity,
} from '#backend/contract/heartbeat.ts';
import {
  idColumn,
  longTextColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
} from '#backend/platform/database/columns.ts';
import type { Expected, Standing } from './rules.ts';

/** A stored heartbeat: what administrators decide, and how it stands. */
export interface StoredHeartbeat extends Standing {
  id: string;
  name: string;
  /** The name as it is compared: no two heartbeats have the same. */
  nameKey: string;
  /** The name as it is sorted. */
  sortKey: string;
  customer: string | null;
  /** {@link HeartbeatSchedule} as JSON. */
  schedule: string;
  graceSeconds: number;
  severity: HeartbeatSeverity;
  /** The source whose key may ping it by its name. */
  sourceId: string | null;
  /** SHA-256 of the secret in its address. */
  tokenHash: string;
  tokenHint: string;
  pausedBy: string | null;
  /** Counts its beats. */
  beats: number;
  /** What was sent along since the run started. */
  runLog: string | null;
  /** The time without a server in which it was due, until it is called again. */
  downtimeId: string | null;
  changedBy: string;
  changedAt: number;
  createdAt: number;
  version: number;
}

export const HeartbeatEntity = new EntitySchema<StoredHeartbeat>({
  name: 'Heartbeat',
  tableName: 'heartbeats',
  columns: {
    id: primary(idColumn('id')),
    name: textColumn('name', 100),
    nameKey: textColumn('name_key', 200),
    sortKey: textColumn('sort_key', 255),
    customer: nullable(textColumn('customer', 200)),
    schedule: longTextColumn('schedule'),
    graceSeconds: { type: 'int', name: 'grace_seconds' },
    severity: textColumn('severity', 8),
    sourceId: nullable(idColumn('source_id')),
    tokenHash: textColumn('token_hash', 64),
    tokenHint: textColumn('token_hint', 8),
    status: textColumn('status', 8),
    downReason: nullable(textColumn('down_reason', 8)),
    downSince: nullable(timeColumn('down_since')),
    dueAt: nullable(timeColumn('due_at')),
    lateAt: nullable(timeColumn('late_at')),
    judgeAt: nullable(timeColumn('judge_at')),
    startedAt: nullable(timeColumn('started_at')),
    runId: nullable(textColumn('run_id', 36)),
    pausedAt: nullable(timeColumn('paused_at')),
    pausedBy: nullable(textColumn('paused_by', 100)),
    lastBeatAt: nullable(timeColumn('last_beat_at')),
    beats: { type: 'int', name: 'beats' },
    runLog: nullable(longTextColumn('run_log')),
    downtimeId: nullable(idColumn('downtime_id')),
    changedBy: textColumn('changed_by', 100),
    changedAt: timeColumn('changed_at'),
    createdAt: timeColumn('created_at'),
    version: { type: 'int', name: 'version' },
  },
});

/** A stored beat. The next one with the same slot takes its place, so of each heartbeat the last hundred are kept. */
export interface StoredBeat {
  heartbeatId: string;
  slot: number;
  number: number;
  at: number;
  kind: BeatKind;
  durationMs: number | null;
  exitCode: number | null;
  /** The last line of what was sent along. */
  line: string | null;
  log: string | null;
}

export const BeatEntity = new EntitySchema<StoredBeat>({
  name: 'Beat',
  tableName: 'beats',
  columns: {
    heartbeatId: primary(idColumn('heartbeat_id')),
    slot: { type: 'int', name: 'slot', primary: true },
    number: { type: 'int', name: 'number' },
    at: timeColumn('at'),
    kind: textColumn('kind', 8),
    durationMs: nullable(timeColumn('duration_ms')),
    exitCode: nullable({ type: 'int', name: 'exit_code' }),
    line: nullable(textColumn('line', 200)),
    log: nullable(longTextColumn('log')),
  },
});

export const slotOf = (number: number): number => number % BEATS_KEPT;

/** A time in which no server ran. */
export interface StoredDowntime {
  id: string;
  fromAt: number;
  toAt: number;
  /** Heartbeats that were due then. */
  heartbeats: number;
  /** Whether all of them were passed over; nothing is judged before. */
  isSettled: boolean;
}

export const DowntimeEntity = new EntitySchema<StoredDowntime>({
  name: 'HeartbeatDowntime',
  tableName: 'heartbeat_downtimes',
  columns: {
    id: primary(idColumn('id')),
    fromAt: timeColumn('from_at'),
    toAt: timeColumn('to_at'),
    heartbeats: { type: 'int', name: 'heartbeats' },
    isSettled: { type: 'boolean', name: 'is_settled' },
  },
});

export const scheduleOf = ({ schedule }: Pick<StoredHeartbeat, 'schedule'>): HeartbeatSchedule =>
  JSON.parse(schedule) as HeartbeatSchedule;

export const expectedOf = (stored: Pick<StoredHeartbeat, 'schedule' | 'graceSeconds'>): Expected => ({
  schedule: scheduleOf(stored),
  graceMs: stored.graceSeconds * 1000,
});
