import { EntitySchema } from 'typeorm';
import type { SenderApiKind, SenderAuth, SilenceEnd, SilenceState } from '#backend/contract/silence.ts';
import {
  idColumn,
  longTextColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
} from '#backend/platform/database/columns.ts';

/** Settings of silencing accepted alerts at the sender of a source. */
export interface StoredSilencing {
  /** The source's. */
  id: string;
  kind: SenderApiKind;
  isOn: boolean;
  url: string;
  auth: SenderAuth;
  /** The user name; for PagerDuty the email of `From`, for Sentry the organization. */
  user: string;
  /** The password or token, encrypted for the source's id; null without one. */
  sealed: string | null;
  secretHint: string | null;
  minutes: number;
  /** Whether alerts that are completed here are resolved there. */
  resolvesCompleted: boolean;
  /** Since when it has been on. */
  activeSince: number;
  /** Alerts with a smaller id that were accepted before it was switched on are still to be silenced; null once all are. */
  catchUpBefore: string | null;
  /** Consecutive failed attempts of all its silences, and the error of the last one. */
  failures: number;
  reason: string | null;
  /** When administrators were alerted to that; null while all is well. */
  alarmedAt: number | null;
  version: number;
}

export const SilencingEntity = new EntitySchema<StoredSilencing>({
  name: 'Silencing',
  tableName: 'silencing',
  columns: {
    id: primary(idColumn('id')),
    kind: textColumn('kind', 16),
    isOn: { type: 'boolean', name: 'is_on' },
    url: longTextColumn('url'),
    auth: textColumn('auth', 8),
    user: textColumn('user_name', 200),
    sealed: nullable(longTextColumn('sealed')),
    secretHint: nullable(textColumn('secret_hint', 8)),
    minutes: { type: 'int', name: 'minutes' },
    resolvesCompleted: { type: 'boolean', name: 'resolves_completed' },
    activeSince: timeColumn('active_since'),
    catchUpBefore: nullable(idColumn('catch_up_before')),
    failures: { type: 'int', name: 'failures' },
    reason: nullable(textColumn('reason', 300)),
    alarmedAt: nullable(timeColumn('alarmed_at')),
    version: { type: 'int', name: 'version' },
  },
});

/** The one silence of an alert at its sender: its state there, and when it is reconciled next. */
export interface StoredSilence {
  id: string;
  sourceId: string;
  alertId: string;
  /** Identity of the alert at its sender, as JSON; null where the payload has none. */
  subject: string | null;
  /** Stands in the comment of the silence, by which it is recognised there; null in rows of earlier releases, whose id did. */
  mark: string | null;
  /** The sender's id of it; null before it is made, and when it is over. */
  silenceId: string | null;
  state: SilenceState;
  end: SilenceEnd | null;
  ownerName: string | null;
  endsAt: number | null;
  /** Until when it was asked for, stored before the request; null before. */
  askedUntil: number | null;
  /** Somebody ended it by hand, here or there: it is not made again before somebody accepts the alert again. */
  isStopped: boolean;
  /** Grows with each change of the alert, so that a change during an attempt is not lost. */
  revision: number;
  /** Attempts that failed in a row. */
  failures: number;
  fault: string | null;
  /** Since when the sender does not report the alert any more; null while it does. */
  missingSince: number | null;
  /** When it is looked at next; null when it is over. */
  nextAt: number | null;
  /** Until then a server that has claimed it may be at it. 0 when nobody is. */
  claimedUntil: number;
  createdAt: number;
  finishedAt: number | null;
}

export const SilenceEntity = new EntitySchema<StoredSilence>({
  name: 'Silence',
  tableName: 'silences',
  columns: {
    id: primary(idColumn('id')),
    sourceId: idColumn('source_id'),
    alertId: idColumn('alert_id'),
    subject: nullable(longTextColumn('labels')),
    mark: nullable(idColumn('mark')),
    silenceId: nullable(textColumn('silence_id', 100)),
    state: textColumn('state', 16),
    end: nullable(textColumn('end_reason', 16)),
    ownerName: nullable(textColumn('owner_name', 100)),
    endsAt: nullable(timeColumn('ends_at')),
    askedUntil: nullable(timeColumn('asked_until')),
    isStopped: { type: 'boolean', name: 'is_stopped' },
    revision: { type: 'int', name: 'revision' },
    failures: { type: 'int', name: 'failures' },
    fault: nullable(textColumn('fault', 300)),
    missingSince: nullable(timeColumn('missing_since')),
    nextAt: nullable(timeColumn('next_at')),
    claimedUntil: timeColumn('claimed_until'),
    createdAt: timeColumn('created_at'),
    finishedAt: nullable(timeColumn('finished_at')),
  },
});
