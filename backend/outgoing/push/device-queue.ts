import type { RetryRules } from './deliver-message.ts';
import type { PostLimits } from './push-transport.ts';
import type { PushMessage } from '#backend/contract/push.ts';
import type { PendingAlert } from './push-audience.ts';
import { newAlertMessage, newAlertsMessage, withdrawalMessage, type PersonalMessage } from './push-message.ts';
import {
  type Shown,
  type NextWithdrawals,
  type WithdrawalRules,
  createShown,
  endWithdrawals,
  noteNotified,
  forgetNotified,
  forgetSeveral,
  hasWithdrawals,
  rememberSeveral,
} from './shown.ts';

/** How much web push may take: of memory, of connections, of push services' patience and of people's. */
export interface PushLimits extends PostLimits, RetryRules, Pace {
  /** Alerts kept until every device was notified; beyond it the oldest are let go. */
  backlog: number;
  /** Messages in flight at once, but for those that have waited for their answer for longer than `slowMs`. */
  concurrency: number;
  slowMs: number;
  /** Messages in flight at once, the slow ones included. */
  maxInFlight: number;
  /** Of these, so many to devices that failed last: a hanging push service must not hold up the others. */
  failingConcurrency: number;
  /** After each message that is begun, the event loop is left alone for so many times as long as that took. */
  restFactor: number;
  /** Recipients are read again after this. */
  recipientsMs: number;
  /** How long a stop waits for what is in flight before it is cut. */
  stopGraceMs: number;
}

export const PUSH_LIMITS: PushLimits = {
  backlog: 5_000,
  concurrency: 20,
  slowMs: 2_000,
  maxInFlight: 60,
  failingConcurrency: 10,
  restFactor: 4,
  recipientsMs: 200,
  stopGraceMs: 1_000,
  totalMs: 10_000,
  answerBytes: 64 * 1024,
  tries: 4,
  backoffMs: 2_000,
  maxRetryAfterMs: 60 * 60 * 1000,
  oneByOne: 3,
  // Grouped after the third in ten seconds, so that a storm does not become a wall of notifications.
  windowMs: 10_000,
  givenUpRestMs: 60_000,
  notifiedMemory: 50,
  // At most 28 KB of each device, beside the ids, which all devices share.
  countedMemory: 500,
  withdrawWithinMs: 60 * 60 * 1000,
  // As long as a toast offers to undo.
  gatherMs: 5_000,
};

/** How fast one device is notified. */
export interface Pace extends WithdrawalRules {
  /** A device is notified of so many alerts one by one … */
  oneByOne: number;
  /** … within this time. More are sent as one message, and then no more until it is over. */
  windowMs: number;
  /** A device that a message could not be brought to is left alone for so long. */
  givenUpRestMs: number;
}

/** Where one device stands. */
export interface DeviceQueue {
  /** It was notified up to this alert. */
  cursor: number;
  /** Attempts for the message that is to be sent next. */
  attempts: number;
  /** Not before this moment. */
  dueAt: number;
  /** Messages in the window that began then. */
  windowStart: number;
  sentInWindow: number;
  /** What its member is to be notified of personally, oldest first: before any alert. */
  notices: PersonalMessage[];
  /** What it shows, and what of that is to be taken back. */
  shown: Shown;
}

/** A device that was notified of everything up to `cursor`. */
export const createDeviceQueue = (cursor: number): DeviceQueue => ({
  cursor,
  attempts: 0,
  dueAt: 0,
  windowStart: 0,
  sentInWindow: 0,
  notices: [],
  shown: createShown(),
});

/** When the next message may go, whatever it is; undefined when there is none. @param head of the alerts known. */
export function dueAtOf({ cursor, dueAt, notices, shown }: DeviceQueue, head: number): number | undefined {
  if (cursor < head || notices.length > 0) return dueAt;
  return hasWithdrawals(shown) ? Math.max(dueAt, shown.dueAt) : undefined;
}

/** What is sent next. */
export interface Plan {
  message: PushMessage;
  /** The device was notified up to this alert once it is taken. */
  upTo: number;
  /** Those that it counts. */
  counted?: readonly string[];
}

/**
 * The next message to a device: each alert by itself while they are few, one count of all when they are many, so that a
 * storm of alerts is a storm neither of notifications nor of requests.
 *
 * @param alerts what the device is to be notified of, oldest first, at least one.
 * @param isCut there were more before these.
 */
export function planMessage(queue: DeviceQueue, alerts: PendingAlert[], isCut: boolean, pace: Pace, now: number): Plan {
  const [first] = alerts;
  const last = alerts.at(-1);
  if (!first || !last) throw new Error('There is nothing to send.');
  if (now - queue.windowStart >= pace.windowMs) {
    queue.windowStart = now;
    queue.sentInWindow = 0;
  }
  const isFew = queue.sentInWindow + alerts.length <= pace.oneByOne && !isCut;
  // After a single alert nothing is left to count, whatever came before it in this window.
  if (!isFew && alerts.length > 1) {
    const counted = alerts.map(({ id }) => id);
    rememberSeveral(queue.shown, { alertIds: counted, isMore: isCut }, pace, now);
    return { message: newAlertsMessage(alerts, isCut), upTo: last.seq, counted };
  }
  // From now on it may be there, whatever becomes of the answer.
  noteNotified(queue.shown, first.id, pace, now);
  return { message: newAlertMessage(first), upTo: first.seq };
}

/** Notices that wait for one device; beyond it the oldest are let go. */
const MAX_NOTICES = 20;

/** Gives a device a notice to send. */
export function addNotice(queue: DeviceQueue, message: PersonalMessage): void {
  queue.notices = [...queue.notices, message].slice(-MAX_NOTICES);
}

/** Somebody has taken an alert: what says that nobody has is not sent. @returns whether there was some */
export function dropUntaken(queue: DeviceQueue, alertId: string): boolean {
  const before = queue.notices.length;
  queue.notices = queue.notices.filter(({ untakenAlertId }) => untakenAlertId !== alertId);
  return queue.notices.length < before;
}

/** A notice by itself, whatever else is pending. */
export function planNotice(queue: DeviceQueue, message: PersonalMessage, pace: Pace, now: number): Plan {
  if (message.untakenAlertId !== undefined) noteNotified(queue.shown, message.untakenAlertId, pace, now);
  return { message, upTo: queue.cursor };
}

const endNotice = (queue: DeviceQueue, message: PushMessage): void => {
  queue.notices = queue.notices.filter((one) => one !== message);
};

/** A message that takes back what the device was notified of. @param withdrawals at least one. */
export const planWithdrawal = (queue: DeviceQueue, { withdrawals, several }: NextWithdrawals): Plan => ({
  message: withdrawalMessage(withdrawals, several),
  upTo: queue.cursor,
});

/** The message was taken: the next may follow when the window has capacity. */
export function moveOn(queue: DeviceQueue, { message, upTo }: Plan, pace: Pace, now: number): void {
  queue.cursor = upTo;
  queue.attempts = 0;
  if (message.type === 'alert_withdrawn') {
    endWithdrawals(queue.shown, message, pace, now);
    return;
  }
  if (message.type === 'notice') return endNotice(queue, message);
  queue.sentInWindow = message.type === 'new_alert' ? queue.sentInWindow + 1 : pace.oneByOne;
  queue.dueAt = queue.sentInWindow < pace.oneByOne ? now : queue.windowStart + pace.windowMs;
}

/** The message was not taken; what is to be sent is looked at again after this time. */
export function tryAgain(queue: DeviceQueue, { message, counted }: Plan, afterMs: number, now: number): void {
  const alertId =
    message.type === 'new_alert' ? message.alertId : message.type === 'notice' ? message.untakenAlertId : undefined;
  if (alertId !== undefined) forgetNotified(queue.shown, alertId);
  if (counted) forgetSeveral(queue.shown, counted);
  queue.dueAt = now + afterMs;
}

/** The message is given up: the next one is tried after a rest. */
export function giveUp(queue: DeviceQueue, plan: Plan, pace: Pace, now: number): void {
  const { message } = plan;
  tryAgain(queue, plan, pace.givenUpRestMs, now);
  if (message.type === 'alert_withdrawn') endWithdrawals(queue.shown, message, pace, now);
  endNotice(queue, message);
  queue.cursor = plan.upTo;
  queue.attempts = 0;
}
