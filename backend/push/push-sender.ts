import type { PublishedAlert } from '#backend/live/event-bus.ts';
import type { ObservePush } from '#backend/metrics/observers.ts';
import { createAlertBacklog } from './alert-backlog.ts';
import type { DeliverMessage } from './deliver-message.ts';
import { createPushAudience } from './push-audience.ts';
import {
  type Lane,
  type Plan,
  createLane,
  dueAtOf,
  giveUp,
  moveOn,
  planMessage,
  planWithdrawal,
  tryAgain,
} from './push-lane.ts';
import type { PushLimits } from './push-limits.ts';
import { alertsToPush, isReachable } from './push-policy.ts';
import type { LoadRecipients, Recipient } from './push-recipients.ts';
import { type Withdrawal, nextWithdrawals, restore, withdraw } from './push-withdrawals.ts';

/** Tells devices of alerts. */
export interface PushSender {
  /** Takes an alert in, and returns at once. */
  tell(alert: PublishedAlert): void;
  /** The alert was accepted or deleted: who was not told of it is not, and who was is told so. */
  withdraw(withdrawal: Withdrawal): void;
  /** It is back in the inbox: what was not taken back yet stands. */
  restore(alertId: string): void;
  /** Alerts that not every device was told of yet, and messages that are on their way. */
  pending(): { alerts: number; messages: number };
  /** Sends no more to the devices of a session, and cuts what is on its way to them. */
  forgetSession(sessionId: string): void;
  /** Lets what is under way end for a moment, then cuts it. What has not begun is not sent. */
  stop(): Promise<void>;
}

/** What the sender is made of. */
export interface PushSenderNeeds {
  loadRecipients: LoadRecipients;
  deliver: DeliverMessage;
  limits: PushLimits;
  onOutcome: ObservePush;
  /** Whether a session's pages are connected: they hear of everything themselves. */
  isListening: (sessionId: string) => boolean;
  /** Hears that the devices could not be read; they are asked for again. */
  onTrouble: (error: unknown) => void;
  /** The time of day, in milliseconds since the epoch: quiet hours go by it, and nothing else here. */
  clock?: () => number;
}

/** Not the time of day: when that is set back, nothing must wait for it to come again. */
const now = (): number => performance.now();

interface UnderWay {
  work: Promise<void>;
  cut: AbortController;
  isTroubled: boolean;
  /** From then on it takes no room from others. */
  slowAt: number;
}

/**
 * Tells each device of the alerts after the one that it was told of last. Who is to be told is read for all devices at
 * once, and not longer than a moment before a message goes out: so mutes and disabled members count at once, for repeated
 * attempts too. Whoever stores alerts waits for nothing here ([0012](../../docs/decisions/0012-web-push.md)).
 */
export function createPushSender(needs: PushSenderNeeds): PushSender {
  const { deliver, limits, onOutcome, onTrouble, isListening, clock = Date.now } = needs;
  const backlog = createAlertBacklog(limits.backlog);
  const audience = createPushAudience(needs.loadRecipients, backlog, limits.recipientsMs, now);
  const lanes = new Map<string, Lane>();
  const underWay = new Map<Lane, UnderWay>();
  /** Every device was told of the alerts up to this one. */
  let toldUpTo = 0;
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
    const lane = lanes.get(id);
    if (lane) underWay.get(lane)?.cut.abort();
    lanes.delete(id);
  };

  const loadAudience = async () => {
    const before = audience.head;
    await audience.load(toldUpTo);
    for (const id of lanes.keys()) if (!audience.recipients.has(id)) forget(id);
    // A device that is new here is told of what came since the others were asked for.
    for (const id of audience.recipients.keys()) if (!lanes.has(id)) lanes.set(id, createLane(before));
  };

  /** What a device is told next; undefined when there is nothing for it. */
  const nextFor = (lane: Lane, recipient: Recipient) => {
    const { alerts, isCut } = backlog.between(lane.cursor, audience.head);
    const wanted = alertsToPush(recipient.settings, alerts, clock());
    if (wanted.length > 0) return planMessage(lane, wanted, isCut, limits, now());
    if (lane.cursor < audience.head) lane.attempts = 0;
    lane.cursor = audience.head;
    const withdrawals = nextWithdrawals(lane.shown, limits, now());
    if (withdrawals.length === 0) return undefined;
    if (isReachable(recipient.settings, clock())) return planWithdrawal(lane, withdrawals);
    // What is to be taken back may still be when quiet hours are over.
    lane.shown.dueAt = now() + limits.givenUpRestMs;
    return undefined;
  };

  const send = async (lane: Lane, recipient: Recipient, plan: Plan, signal: AbortSignal) => {
    lane.attempts += 1;
    const verdict = await deliver(recipient, plan.message, lane.attempts, signal);
    underWay.delete(lane);
    if (verdict.kind === 'retry') tryAgain(lane, plan, verdict.afterMs, now());
    else if (verdict.kind === 'failed') giveUp(lane, plan, limits, now());
    else moveOn(lane, plan, limits, now());
    if (verdict.kind === 'gone') {
      forget(recipient.id);
      audience.remove(recipient.id);
    }
    scheduleNext();
  };

  const begin = (lane: Lane, recipient: Recipient, isTroubled: boolean) => {
    const plan = nextFor(lane, recipient);
    if (!plan) return;
    const cut = new AbortController();
    underWay.set(lane, {
      work: send(lane, recipient, plan, cut.signal),
      cut,
      isTroubled,
      slowAt: now() + limits.slowMs,
    });
  };

  const troubledUnderWay = () => [...underWay.values()].filter(({ isTroubled }) => isTroubled).length;
  /** Messages that a push service may be expected to answer yet: one that hangs is not to hold up the others. */
  const brisk = () => [...underWay.values()].filter(({ slowAt }) => slowAt > now());
  const hasRoom = (isTroubled: boolean) =>
    underWay.size < limits.maxUnderWay &&
    brisk().length < limits.concurrency &&
    (!isTroubled || troubledUnderWay() < limits.troubledConcurrency);

  /** The devices that something waits for and that there is room for: those that work before those that failed last. */
  const waiting = () => {
    if (!hasRoom(false)) return [];
    const hasRoomForTroubled = hasRoom(true);
    return [...lanes]
      .flatMap(([id, lane]) => {
        const recipient = audience.recipients.get(id);
        const dueAt = dueAtOf(lane, audience.head);
        if (!recipient || underWay.has(lane) || dueAt === undefined) return [];
        const isTroubled = lane.attempts > 0 || recipient.failures > 0;
        return isTroubled && !hasRoomForTroubled ? [] : [{ lane, recipient, isTroubled, dueAt }];
      })
      .sort((a, b) => Number(a.isTroubled) - Number(b.isTroubled) || a.dueAt - b.dueAt);
  };

  const pump = async () => {
    const isDue = waiting().some(({ dueAt }) => dueAt <= now());
    if ((isDue || backlog.head > audience.head) && now() >= audience.loadFrom) {
      await loadAudience().catch(onTrouble);
    }
    for (const { lane, recipient, isTroubled, dueAt } of waiting()) {
      if (isStopping || !audience.isFresh()) return;
      if (dueAt > now() || !hasRoom(isTroubled) || !audience.recipients.has(recipient.id)) continue;
      const beganAt = now();
      begin(lane, recipient, isTroubled);
      await leaveRoom(now() - beganAt);
    }
  };

  /** Encryption takes most of a millisecond, and a new connection more: whoever waits for the event loop has most of it. */
  const leaveRoom = (took: number) =>
    new Promise<void>((resolve) => {
      const rest = took * limits.restFactor;
      if (rest < 1) setImmediate(resolve);
      else setTimeout(resolve, rest);
    });

  const scheduleNext = () => {
    toldUpTo = Math.min(audience.head, ...[...lanes.values()].map(({ cursor }) => cursor));
    backlog.forget(toldUpTo);
    if (backlog.head > audience.head) wakeAt(audience.loadFrom);
    if (!hasRoom(false) && underWay.size < limits.maxUnderWay) wakeAt(Math.min(...brisk().map(({ slowAt }) => slowAt)));
    const dueAt = Math.min(...waiting().map((one) => one.dueAt));
    // What is due while the audience cannot be read again waits for that.
    if (Number.isFinite(dueAt)) wakeAt(audience.isFresh() ? dueAt : Math.max(dueAt, audience.loadFrom));
  };

  return {
    tell({ id, customer, alertType }) {
      if (isStopping) return;
      const letGo = backlog.add({ id, customer, alertType });
      if (letGo > toldUpTo && lanes.size > 0) onOutcome('dropped');
      wakeAt(audience.loadFrom);
    },
    withdraw(withdrawal) {
      backlog.withdraw(withdrawal.alertId);
      let isNews = false;
      for (const [id, { shown }] of lanes) {
        if (!shown.told.has(withdrawal.alertId)) continue;
        const recipient = audience.recipients.get(id);
        if (!recipient || isListening(recipient.sessionId)) continue;
        if (withdraw(shown, withdrawal, limits, now())) isNews = true;
      }
      if (isNews) scheduleNext();
    },
    restore(alertId) {
      backlog.restore(alertId);
      for (const { shown } of lanes.values()) restore(shown, alertId);
    },
    pending: () => ({ alerts: backlog.head - toldUpTo, messages: underWay.size }),
    forgetSession(sessionId) {
      for (const id of audience.removeSession(sessionId)) forget(id);
    },
    async stop() {
      isStopping = true;
      clearTimeout(timer);
      const works = [...underWay.values()];
      const grace = setTimeout(() => {
        for (const { cut } of works) cut.abort();
      }, limits.stopGraceMs);
      await Promise.all([pumping, ...works.map(({ work }) => work)]);
      clearTimeout(grace);
    },
  };
}
