import { EntitySchema } from 'typeorm';
import type { Ladder, LadderEnd, LadderPerson } from '#backend/contract/ladder.ts';
import {
  idColumn,
  longTextColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
} from '#backend/platform/database/columns.ts';

/** A ladder of one alert. It keeps the steps with which it began. */
export interface StoredLadderRun {
  id: string;
  alertId: string;
  ruleId: string;
  /** The rule's name when it began. */
  ruleName: string;
  /** Names what it began by, so that the feed may be read twice: no two of an alert and a rule have the same. */
  startKey: string;
  /** A {@link Ladder} as JSON. */
  ladder: string;
  state: 'running' | 'ended';
  /** Place in the timetable of what comes next. */
  position: number;
  /** From when times are counted: the start, moved by a clock that was set and by steps that were brought forward. */
  countedFrom: number;
  /** When the next step is due, by the database's clock. */
  dueAt: number;
  startedAt: number;
  endedAt: number | null;
  endReason: LadderEnd | null;
  endedBy: string | null;
}

export const LadderRunEntity = new EntitySchema<StoredLadderRun>({
  name: 'LadderRun',
  tableName: 'ladder_runs',
  columns: {
    id: primary(idColumn('id')),
    alertId: idColumn('alert_id'),
    ruleId: idColumn('rule_id'),
    ruleName: textColumn('rule_name', 100),
    startKey: textColumn('start_key', 64),
    ladder: longTextColumn('ladder'),
    state: textColumn('state', 8),
    position: { type: 'int', name: 'position' },
    countedFrom: timeColumn('counted_from'),
    dueAt: timeColumn('due_at'),
    startedAt: timeColumn('started_at'),
    endedAt: nullable(timeColumn('ended_at')),
    endReason: nullable(textColumn('end_reason', 16)),
    endedBy: nullable(textColumn('ended_by', 100)),
  },
});

/** Of a ladder `r` and its alert `a`: nobody has taken the alert. What the ladder made is sent still. */
export const NOT_TAKEN =
  "a.status = 'pending' AND a.snoozed_until IS NULL AND a.quiet_by_id IS NULL " +
  "AND (r.state = 'running' OR r.end_reason = 'not-taken')";

export const ladderOfRun = ({ ladder }: Pick<StoredLadderRun, 'ladder'>): Ladder => JSON.parse(ladder) as Ladder;

/** A step that was taken: its row is what makes it happen once. */
export interface StoredLadderStep {
  runId: string;
  position: number;
  firedAt: number;
  /** {@link TakenStep} as JSON. */
  taken: string;
}

/** Whom a step notified, by the names of that moment. */
export interface TakenStep {
  to: string[];
  people: LadderPerson[];
  faults: string[];
}

export const LadderStepEntity = new EntitySchema<StoredLadderStep>({
  name: 'LadderStep',
  tableName: 'ladder_steps',
  columns: {
    runId: primary(idColumn('run_id')),
    position: { type: 'int', name: 'position', primary: true },
    firedAt: timeColumn('fired_at'),
    taken: longTextColumn('taken'),
  },
});

/** From when on somebody may be notified by the ladders of a rule again, and of which alert they were notified last. */
export interface StoredLadderCall {
  ruleId: string;
  /** A member or a destination. */
  targetId: string;
  alertId: string;
  quietUntil: number;
}

export const LadderCallEntity = new EntitySchema<StoredLadderCall>({
  name: 'LadderCall',
  tableName: 'ladder_calls',
  columns: {
    ruleId: primary(idColumn('rule_id')),
    targetId: primary(idColumn('target_id')),
    alertId: idColumn('alert_id'),
    quietUntil: timeColumn('quiet_until'),
  },
});

/** Of what somebody is notified together with other alerts, or was. */
export interface StoredGathered {
  id: string;
  ruleId: string;
  targetId: string;
  targetKind: 'member' | 'destination';
  runId: string;
  position: number;
  alertId: string;
  isUrgent: boolean;
  /** Of the end of the ladder. */
  isEnd: boolean;
  /** `dropped`: somebody took the alert first. */
  state: 'waiting' | 'sent' | 'dropped';
  /** The message of a destination in which it is counted. */
  messageId: string | null;
  /** How many alerts the notice or message is about; 0 before it is sent. */
  alerts: number;
  gatheredAt: number;
  doneAt: number | null;
}

export const GatheredEntity = new EntitySchema<StoredGathered>({
  name: 'LadderGathered',
  tableName: 'ladder_gathered',
  columns: {
    id: primary(idColumn('id')),
    ruleId: idColumn('rule_id'),
    targetId: idColumn('target_id'),
    targetKind: textColumn('target_kind', 12),
    runId: idColumn('run_id'),
    position: { type: 'int', name: 'position' },
    alertId: idColumn('alert_id'),
    isUrgent: { type: 'boolean', name: 'is_urgent' },
    isEnd: { type: 'boolean', name: 'is_end' },
    state: textColumn('state', 8),
    messageId: nullable(idColumn('message_id')),
    alerts: { type: 'int', name: 'alerts' },
    gatheredAt: timeColumn('gathered_at'),
    doneAt: nullable(timeColumn('done_at')),
  },
});

export const readTaken = ({ taken }: Pick<StoredLadderStep, 'taken'>): TakenStep => JSON.parse(taken) as TakenStep;
