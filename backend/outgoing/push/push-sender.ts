import type { NoticeLevel } from '#backend/contract/notification-settings.ts';
import type { PublishedAlert } from '#backend/platform/live/event-bus.ts';
import type { ObservePush } from '#backend/platform/metrics/observers.ts';
import { createAlertBacklog, createPushAudience } from './push-audience.ts';
import type { DeliverMessage } from './deliver-message.ts';
import {
  type DeviceQueue,
  type Plan,
  createDeviceQueue,
  dropUntaken,
  dueAtOf,
  giveUp,
  moveOn,
  addNotice,
  planMessage,
  planNotice,
  planWithdrawal,
  tryAgain,
  type PushLimits,
} from './device-queue.ts';
import { type Reported, alertsFor, isNoticeFor } from './concerned.ts';
import { alertsToPush, isReachable, type LoadRecipients, type Recipient } from './push-recipients.ts';
import { createHandledWaits } from './wait-until-handled.ts';
import type { Withdrawal } from './push-message.ts';
import { nextWithdrawals, restore, withdraw } from './shown.ts';

/** Notifies devices of alerts. */
export interface PushSender {
  /**
   * Takes an alert in, and returns at once.
   *
   * @param isBack its snooze has ended
   * @param choices what members chose for views that it is in, by the member's id; asked when devices are notified
   */
  notify(alert: PublishedAlert, isBack: boolean, choices?: () => ReadonlyMap<string, NoticeLevel>): void;
  /** Takes in what one member, or everybody, is notified of beside alerts. */
  report(notice: Reported): void;
  /** The alert was accepted, completed or deleted: who was not notified of it is not, and who was is sent the withdrawal. */
  withdraw(withdrawal: Withdrawal): void;
  /** It is back in the inbox: what was not taken back yet stands. */
  restore(alertId: string): void;
  /** Resolves when every device was notified of what was taken in so far, or will not be; at the latest after half a minute. */
  handled(): Promise<void>;
  /** Alerts that not every device was notified of yet, and messages that are on their way. */
  pending(): { alerts: number; messages: number };
  /** Sends no more to the devices of a session, and cuts what is on its way to them. */
  forgetSession(sessionId: string): void;
  /** Lets what is in flight end for a moment, then cuts it. What has not begun is not sent. */
  stop(): Promise<void>;
}

/** What the sender is made of. */
export interface PushSenderDeps {
  loadRecipients: LoadRecipients;
  deliver: DeliverMessage;
  limits: PushLimits;
  onOutcome: ObservePush;
  /** Whether a session's pages are connected: they receive everything themselves. */
  isListening: (sessionId: string) => boolean;
  /** Receives the error when the devices could not be read; they are asked for again. */
  onError: (error: unknown) => void;
  /** The time of day, in milliseconds since the epoch: quiet hours go by it, and nothing else here. */
  clock?: () => number;
}

/** Not the time of day: when that is set back, nothing must wait for it to come again. */
const now = (): number => performance.now();

/** Notices that are kept while the recipients cannot be read. */
const MAX_REPORTED = 500;

interface InFlight {
  work: Promise<void>;
  cut: AbortController;
  isFailing: boolean;
  /** From then on it takes no capacity from others. */
  slowAt: number;
}

/**
 * Notifies each device of the alerts after the latest one that it was notified of. The recipients are read for all devices at
 * once, and not longer than a moment before a message goes out: so mutes and disabled members count at once, for repeated
 * attempts too. Whoever stores alerts waits for nothing here ([0012](../../../docs/decisions/0012-web-push.md)).
 */
export function createPushSender(deps: PushSenderDeps): PushSender {
  const { deliver, limits, onOutcome, onError, isListening, clock = Date.now } = deps;
  const backlog = createAlertBacklog(limits.backlog);
  const audience = createPushAudience(deps.loadRecipients, backlog, limits.recipientsMs, now);
  const queues = new Map<string, DeviceQueue>();
  const inFlight = new Map<DeviceQueue, InFlight>();
  /** Every device was notified of the alerts up to this one. */
  let notifiedUpTo = 0;
  /** What was reported since the recipients were read. */
  let reported: Reported[] = [];
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Number.POSITIVE_INFINITY;
  let pumping: Promise<void> | undefined;
  let isStopping = false;

  const wakeAt = (at: number) => {
    if (isStopping || at >= timerAt) return;
    clearTimeout(timer);
    timerAt = at;
    timer = setTimeout(
      () => {
        timerAt = Number.POSITIVE_INFINITY;
        // Whatever calls while it runs is seen at its end.
        pumping ??= pump().finally(() => {
          pumping = undefined;
          scheduleNext();
        });
      },
      Math.max(0, at - now()),
    );
    timer.unref();
  };

  const forget = (id: string) => {
    const queue = queues.get(id);
    if (queue) inFlight.get(queue)?.cut.abort();
    queues.delete(id);
  };

  const loadAudience = async () => {
    const before = audience.head;
    const taken = reported;
    await audience.load(notifiedUpTo);
    for (const id of queues.keys()) if (!audience.recipients.has(id)) forget(id);
    // A device that is new here is notified of what came since the others were asked for.
    for (const id of audience.recipients.keys()) if (!queues.has(id)) queues.set(id, createDeviceQueue(before));
    distribute(taken);
    reported = reported.filter((one) => !taken.includes(one));
  };

  /** Gives each device what its member is notified of personally. */
  const distribute = (notices: typeof reported) => {
    for (const [id, { userId, settings }] of audience.recipients) {
      const queue = queues.get(id);
      if (!queue) continue;
      for (const notice of notices) {
        if (isNoticeFor(notice, userId, settings, clock())) addNotice(queue, notice.messageFor(userId));
      }
    }
  };

  /** What a device is sent next; undefined when there is nothing for it. */
  const nextFor = (queue: DeviceQueue, recipient: Recipient) => {
    if (!isReachable(recipient.settings, clock()))
      queue.notices = queue.notices.filter(({ isUrgent }) => isUrgent === true);
    const [notice] = queue.notices;
    if (notice) return planNotice(queue, notice, limits, now());
    const { alerts, isCut } = backlog.between(queue.cursor, audience.head);
    const wanted = alertsToPush(recipient.settings, alertsFor(recipient.userId, alerts), clock());
    if (wanted.length > 0) return planMessage(queue, wanted, isCut, limits, now());
    if (queue.cursor < audience.head) queue.attempts = 0;
    queue.cursor = audience.head;
    const next = nextWithdrawals(queue.shown, limits, now());
    if (next.withdrawals.length === 0) return undefined;
    if (isReachable(recipient.settings, clock())) return planWithdrawal(queue, next);
    // What is to be taken back may still be when quiet hours are over.
    queue.shown.dueAt = now() + limits.givenUpRestMs;
    return undefined;
  };

  const send = async (queue: DeviceQueue, recipient: Recipient, plan: Plan, signal: AbortSignal) => {
    queue.attempts += 1;
    const result = await deliver(recipient, plan.message, queue.attempts, signal);
    inFlight.delete(queue);
    if (result.kind === 'retry') tryAgain(queue, plan, result.afterMs, now());
    else if (result.kind === 'failed') giveUp(queue, plan, limits, now());
    else moveOn(queue, plan, limits, now());
    if (result.kind === 'gone') {
      forget(recipient.id);
      audience.remove(recipient.id);
    }
    scheduleNext();
  };

  const begin = (queue: DeviceQueue, recipient: Recipient, isFailing: boolean) => {
    const plan = nextFor(queue, recipient);
    if (!plan) return;
    const cut = new AbortController();
    inFlight.set(queue, {
      work: send(queue, recipient, plan, cut.signal),
      cut,
      isFailing,
      slowAt: now() + limits.slowMs,
    });
  };

  const failingInFlight = () => [...inFlight.values()].filter(({ isFailing }) => isFailing).length;
  /** Messages that a push service may be expected to answer yet: one that hangs is not to hold up the others. */
  const responsive = () => [...inFlight.values()].filter(({ slowAt }) => slowAt > now());
  const hasCapacity = (isFailing: boolean) =>
    inFlight.size < limits.maxInFlight &&
    responsive().length < limits.concurrency &&
    (!isFailing || failingInFlight() < limits.failingConcurrency);

  /** The devices with pending messages that there is capacity for: those that work before those that failed last. */
  const ready = () => {
    if (!hasCapacity(false)) return [];
    const hasCapacityForFailing = hasCapacity(true);
    return [...queues]
      .flatMap(([id, queue]) => {
        const recipient = audience.recipients.get(id);
        const dueAt = dueAtOf(queue, audience.head);
        if (!recipient || inFlight.has(queue) || dueAt === undefined) return [];
        const isFailing = queue.attempts > 0 || recipient.failures > 0;
        return isFailing && !hasCapacityForFailing ? [] : [{ queue, recipient, isFailing, dueAt }];
      })
      .sort((a, b) => Number(a.isFailing) - Number(b.isFailing) || a.dueAt - b.dueAt);
  };

  /** Whether something came since the recipients were read. */
  const hasNews = () => backlog.head > audience.head || reported.length > 0;

  const pump = async () => {
    const isDue = ready().some(({ dueAt }) => dueAt <= now());
    if ((isDue || hasNews()) && now() >= audience.loadFrom) {
      await loadAudience().catch(onError);
    }
    for (const { queue, recipient, isFailing, dueAt } of ready()) {
      if (isStopping || !audience.isFresh()) return;
      if (dueAt > now() || !hasCapacity(isFailing) || !audience.recipients.has(recipient.id)) continue;
      const beganAt = now();
      begin(queue, recipient, isFailing);
      await leaveTime(now() - beganAt);
    }
  };

  /** Encryption takes most of a millisecond, and a new connection more: whoever waits for the event loop has most of it. */
  const leaveTime = (took: number) =>
    new Promise<void>((resolve) => {
      const rest = took * limits.restFactor;
      if (rest < 1) setImmediate(resolve);
      else setTimeout(resolve, rest);
    });

  const hasNotices = () => reported.length > 0 || [...queues.values()].some(({ notices }) => notices.length > 0);
  const waits = createHandledWaits((head) => notifiedUpTo >= head && !hasNotices());

  const scheduleNext = () => {
    notifiedUpTo = Math.min(audience.head, ...[...queues.values()].map(({ cursor }) => cursor));
    backlog.forget(notifiedUpTo);
    if (hasNews()) wakeAt(audience.loadFrom);
    if (!hasCapacity(false) && inFlight.size < limits.maxInFlight)
      wakeAt(Math.min(...responsive().map(({ slowAt }) => slowAt)));
    const dueAt = Math.min(...ready().map((one) => one.dueAt));
    // What is due while the audience cannot be read again waits for that.
    if (Number.isFinite(dueAt)) wakeAt(audience.isFresh() ? dueAt : Math.max(dueAt, audience.loadFrom));
    waits.look();
  };

  return {
    notify({ id, customer, alertType, sourceId, ownerId, content }, isBack, choices) {
      if (isStopping) return;
      const { isTest, isFlapping, severity } = content;
      const alert = { id, customer, alertType, sourceId, severity, ownerId, isTest, isBack, choices };
      const letGo = backlog.add(isFlapping ? { ...alert, flapping: true } : alert);
      if (letGo > notifiedUpTo && queues.size > 0) onOutcome('dropped');
      wakeAt(audience.loadFrom);
    },
    report(notice) {
      if (isStopping) return;
      reported = [...reported, notice].slice(-MAX_REPORTED);
      wakeAt(audience.loadFrom);
    },
    withdraw(withdrawal) {
      backlog.withdraw(withdrawal.alertId);
      reported = reported.filter(({ untakenAlertId }) => untakenAlertId !== withdrawal.alertId);
      let isNews = false;
      for (const [id, queue] of queues) {
        if (dropUntaken(queue, withdrawal.alertId)) isNews = true;
        const { sessionId } = audience.recipients.get(id) ?? {};
        const isClosed = () => sessionId === undefined || isListening(sessionId);
        if (withdraw(queue.shown, withdrawal, isClosed, limits, now())) isNews = true;
      }
      if (isNews) scheduleNext();
    },
    restore(alertId) {
      backlog.restore(alertId);
      for (const { shown } of queues.values()) restore(shown, alertId);
    },
    handled: () => waits.until(backlog.head),
    pending: () => ({ alerts: backlog.head - notifiedUpTo, messages: inFlight.size }),
    forgetSession(sessionId) {
      for (const id of audience.removeSession(sessionId)) forget(id);
    },
    async stop() {
      isStopping = true;
      clearTimeout(timer);
      const works = [...inFlight.values()];
      const grace = setTimeout(() => {
        for (const { cut } of works) cut.abort();
      }, limits.stopGraceMs);
      await Promise.all([pumping, ...works.map(({ work }) => work)]);
      clearTimeout(grace);
    },
  };
}
