import { EntitySchema } from 'typeorm';
import type { SenderAuth, SilenceEnd, SilenceState } from '#backend/contract/silence.ts';
import {
  idColumn,
  longTextColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
} from '#backend/platform/database/columns.ts';

/** How what is accepted here is silenced at a source's sender. */
export interface StoredSilencing {
  /** The source's. */
  id: string;
  isOn: boolean;
  url: string;
  auth: SenderAuth;
  user: string;
  /** The password or token, encrypted for the source's id; null without one. */
  sealed: string | null;
  secretHint: string | null;
  minutes: number;
  /** Alerts that are accepted from then on are silenced. */
  activeSince: number;
  version: number;
}

export const SilencingEntity = new EntitySchema<StoredSilencing>({
  name: 'Silencing',
  tableName: 'silencing',
  columns: {
    id: primary(idColumn('id')),
    isOn: { type: 'boolean', name: 'is_on' },
    url: longTextColumn('url'),
    auth: textColumn('auth', 8),
    user: textColumn('user_name', 200),
    sealed: nullable(longTextColumn('sealed')),
    secretHint: nullable(textColumn('secret_hint', 8)),
    minutes: { type: 'int', name: 'minutes' },
    activeSince: timeColumn('active_since'),
    version: { type: 'int', name: 'version' },
  },
});

/** The one silence of an alert at its sender: what is there now, and when it is looked at next. */
export interface StoredSilence {
  /** Stands in the comment of the silence, by which it is found again. */
  id: string;
  sourceId: string;
  alertId: string;
  /** {@link SilencedLabels} as JSON; null where the alert has none. */
  labels: string | null;
  /** The sender's id of it; null before it is made, and when it is over. */
  silenceId: string | null;
  state: SilenceState;
  end: SilenceEnd | null;
  ownerName: string | null;
  endsAt: number | null;
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
    labels: nullable(longTextColumn('labels')),
    silenceId: nullable(textColumn('silence_id', 100)),
    state: textColumn('state', 16),
    end: nullable(textColumn('end_reason', 16)),
    ownerName: nullable(textColumn('owner_name', 100)),
    endsAt: nullable(timeColumn('ends_at')),
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

/** By what a sender knows an alert. */
export interface SilencedLabels {
  labels: Record<string, string>;
  fingerprint: string | null;
}
