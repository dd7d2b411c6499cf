import { isCompletedUntaken } from '#backend/contract/alert-place.ts';
import type { WorkStatus } from '#backend/contract/alert.ts';
import type { BulkLoss } from '#backend/contract/bulk.ts';
import type { AlertsChanged } from '#backend/contract/live-event.ts';
import type { OwnerCondition } from '#backend/contract/assignment.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { ALERT_PLACE, type StoredAlert } from '#backend/alerts/alert/alert.ts';
import type { AlertChange, LockedPlace } from '#backend/alerts/alert/alert-store.ts';
import type { NewHistoryEntry } from '#backend/alerts/alert/write-history.ts';

/** Whose alerts become. */
export interface Assignee {
  id: string;
  displayName: string;
}

/** What a member wants of alerts. What it names, such as a folder, is read and locked before the alerts are. */
export type Command =
  /** `status`: the one that it gets in the same step. */
  | { action: 'accept'; status?: WorkStatus | undefined }
  /** `ifOwner`: whose the alerts were when it was decided. */
  | { action: 'unaccept'; ifOwner?: OwnerCondition | undefined }
  /** `restoresCompletion`: what is completed again was completed when it was before it was reopened. */
  | { action: 'status'; status: WorkStatus; restoresCompletion?: true | undefined }
  /** `isForPending`: alerts of the inbox are accepted and filed. */
  | { action: 'move'; folder: { id: string; name: string } | null; isForPending: boolean }
  /** `end` in milliseconds, or `UNTIL_NEXT_FIRING`. */
  | { action: 'snooze'; end: number }
  | { action: 'wake' }
  /** `ifOwner`: whose the alerts were when it was decided. */
  | { action: 'assign'; assignee: Assignee; note: string | null; ifOwner?: OwnerCondition | undefined }
  /** Out of its group, or into one that there is. */
  | { action: 'ungroup' }
  | { action: 'regroup'; groupId: string }
  /** By what happened elsewhere, and by no member. */
  | { action: 'complete' }
  | { action: 'delete'; ifOwner?: OwnerCondition | undefined };

export type CommandOf<Action extends Command['action']> = Extract<Command, { action: Action }>;

/** What is read of an alert to decide on it, and to name it to who is given it. */
export const DECIDED_COLUMNS = [
  ...ALERT_PLACE,
  'completedAt',
  'lastSeenAt',
  'dedupKey',
  'state',
  'title',
  'groupId',
] as const;
export type DecidedAlert = Pick<StoredAlert, (typeof DECIDED_COLUMNS)[number]> & LockedPlace;

/** Who decides, and what is known beside the alert. */
export interface Deciding {
  actor: Actor;
  /** Name of the folder that the alert lies in; null in none. */
  folderName: string | null;
}

/** What changes of an alert: its columns, or that it is removed; its history; and what is published of it. */
export interface Changes {
  set: AlertChange | 'remove';
  entries: Omit<NewHistoryEntry, 'alertId' | 'userDisplayName'>[];
  event: Omit<AlertsChanged, 'type' | 'alertIds' | 'versions'>;
}

/** Why an alert stays as it is, though somebody wants it changed. */
export type Refusal = BulkLoss['reason'];

export type Decision = Changes | 'unchanged' | Refusal;

/** The rule of one command. */
export interface CommandRule<Action extends Command['action']> {
  /** What the command does to a locked alert. Pure: the same on every server, and again where a transaction is repeated. */
  decide: (alert: DecidedAlert, command: CommandOf<Action>, by: Deciding) => Decision;
  /**
   * What is said of one alert that stays as it is. Where nothing is said for `taken`, the error names the owner (409); where
   * something is, the alert is not the caller's to change (403). Of what was completed before anyone accepted it, that is said
   * to everybody where nothing is for `completed`. `isOpenlyTaken`: whose the alert is may be said to a member
   * who may not see it.
   */
  errors: Partial<Record<Exclude<Refusal, 'gone'>, string>>;
  isOpenlyTaken?: boolean;
}

/** Why an alert stays as it is that is neither in the inbox nor the member's: somebody has it, or nobody ever had. */
export const whyNotTheirs = (alert: Pick<DecidedAlert, 'status' | 'ownerId'>): 'taken' | 'completed' =>
  isCompletedUntaken(alert) ? 'completed' : 'taken';

/** Nobody in particular is concerned. */
export const NOBODY = { ownerId: null, ownerName: null } as const;

/** Whether an alert has another owner than when the command was decided on. */
export const hasOtherOwner = ({ ownerId }: DecidedAlert, ifOwner: OwnerCondition | undefined): boolean =>
  ifOwner !== undefined && ifOwner !== (ownerId ?? 'none');
