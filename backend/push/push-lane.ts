import type { PushMessage } from '#backend/contract/push.ts';
import type { WaitingAlert } from './alert-backlog.ts';
import { newAlertMessage, newAlertsMessage, withdrawalMessage } from './push-message.ts';
import {
  type Shown,
  type Withdrawal,
  type WithdrawalRules,
  createShown,
  endWithdrawals,
  noteTold,
  noteUntold,
} from './push-withdrawals.ts';

/** How fast one device is told. */
export interface Pace extends WithdrawalRules {
  /** A device is told so many alerts one by one … */
  oneByOne: number;
  /** … within this time. More are told as one message, and then no more until it is over. */
  windowMs: number;
  /** A device that a message could not be brought to is left alone for so long. */
  givenUpRestMs: number;
}

/** Where one device stands. */
export interface Lane {
  /** It was told up to this alert. */
  cursor: number;
  /** Attempts for the message that is to be sent next. */
  attempts: number;
  /** Not before this moment. */
  dueAt: number;
  /** Messages in the window that began then. */
  windowStart: number;
  sentInWindow: number;
  /** What it shows, and what of that is to be taken back. */
  shown: Shown;
}

/** A device that was told everything up to `cursor`. */
export const createLane = (cursor: number): Lane => ({
  cursor,
  attempts: 0,
  dueAt: 0,
  windowStart: 0,
  sentInWindow: 0,
  shown: createShown(),
});

/** When the next message may go, whatever it is; undefined when there is none. @param head of the alerts known. */
export function dueAtOf({ cursor, dueAt, shown }: Lane, head: number): number | undefined {
  if (cursor < head) return dueAt;
  return shown.withdrawn.size > 0 ? Math.max(dueAt, shown.dueAt) : undefined;
}

/** What is sent next. */
export interface Plan {
  message: PushMessage;
  /** The device was told up to this alert once it is taken. */
  upTo: number;
}

/**
 * The next message to a device: each alert by itself while they are few, one count of all when they are many, so that a
 * storm of alerts is a storm neither of notifications nor of requests.
 *
 * @param alerts what the device is to be told, oldest first, at least one.
 * @param isCut there were more before these.
 */
export function planMessage(lane: Lane, alerts: WaitingAlert[], isCut: boolean, pace: Pace, now: number): Plan {
  const [first] = alerts;
  const last = alerts.at(-1);
  if (!first || !last) throw new Error('There is nothing to tell.');
  if (now - lane.windowStart >= pace.windowMs) {
    lane.windowStart = now;
    lane.sentInWindow = 0;
  }
  const isFew = lane.sentInWindow + alerts.length <= pace.oneByOne && !isCut;
  // After a single alert nothing is left to count, whatever came before it in this window.
  if (!isFew && alerts.length > 1) return { message: newAlertsMessage(alerts, isCut), upTo: last.seq };
  // From now on it may be there, whatever becomes of the answer.
  noteTold(lane.shown, first.id, pace, now);
  return { message: newAlertMessage(first), upTo: first.seq };
}

/** A message that takes back what the device was told. @param withdrawals at least one. */
export const planWithdrawal = (lane: Lane, withdrawals: Withdrawal[]): Plan => ({
  message: withdrawalMessage(withdrawals),
  upTo: lane.cursor,
});

/** The message was taken: the next may follow when the window has room. */
export function moveOn(lane: Lane, { message, upTo }: Plan, pace: Pace, now: number): void {
  lane.cursor = upTo;
  lane.attempts = 0;
  if (message.type === 'alert_withdrawn') {
    endWithdrawals(lane.shown, message.alertIds, pace, now);
    return;
  }
  lane.sentInWindow = message.type === 'new_alert' ? lane.sentInWindow + 1 : pace.oneByOne;
  lane.dueAt = lane.sentInWindow < pace.oneByOne ? now : lane.windowStart + pace.windowMs;
}

/** The message was not taken; what is to be told is looked at anew after this time. */
export function tryAgain(lane: Lane, { message }: Plan, afterMs: number, now: number): void {
  if (message.type === 'new_alert') noteUntold(lane.shown, message.alertId);
  lane.dueAt = now + afterMs;
}

/** The message is given up: the next one is tried after a rest. */
export function giveUp(lane: Lane, plan: Plan, pace: Pace, now: number): void {
  const { message } = plan;
  tryAgain(lane, plan, pace.givenUpRestMs, now);
  if (message.type === 'alert_withdrawn') endWithdrawals(lane.shown, message.alertIds, pace, now);
  lane.cursor = plan.upTo;
  lane.attempts = 0;
}
