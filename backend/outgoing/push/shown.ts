import type { Withdrawal } from './push-message.ts';

/** How much is taken back. */
export interface WithdrawalRules {
  /** Alerts that are remembered of each device as notified, each by itself. */
  notifiedMemory: number;
  /** Alerts that are remembered of each device as counted together; a count of more stays where it is. */
  countedMemory: number;
  /** What was sent longer ago stays where it is. */
  withdrawWithinMs: number;
  /** Withdrawals wait for so long for others, and for somebody who undoes what they did. */
  gatherMs: number;
}

/** What a device shows, as far as the server knows and can take it back. */
export interface Shown {
  /** When it was notified of an alert by itself, by the alert's id, oldest first. */
  notified: Map<string, number>;
  /** What is to be taken back, by the alert's id. */
  withdrawn: Map<string, Withdrawal>;
  /** What the notification that counts alerts stands for; undefined where there is none, or nobody remembers it. */
  several: Several | undefined;
  /** Not before this moment. */
  dueAt: number;
}

/** The alerts of one notification. */
interface Several {
  /** As the device counts them: one that came twice counts twice. */
  count: number;
  /** When the last was added. */
  at: number;
  /** How often each is counted: a count that cannot be delivered leaves what an earlier one has. */
  times: Map<string, number>;
  /** Those that need not be looked after any more. */
  over: Map<string, Withdrawal>;
}

/** A device that was notified of nothing so far. */
export const createShown = (): Shown => ({ notified: new Map(), withdrawn: new Map(), several: undefined, dueAt: 0 });

/** The device is being notified of several alerts by one count. @param isMore there may have been others */
export function rememberSeveral(
  shown: Shown,
  { alertIds, isMore }: { alertIds: readonly string[]; isMore: boolean },
  rules: WithdrawalRules,
  now: number,
): void {
  forgetOldSeveral(shown, rules, now);
  const several = shown.several ?? { count: 0, at: now, times: new Map<string, number>(), over: new Map() };
  for (const id of alertIds) {
    several.times.set(id, (several.times.get(id) ?? 0) + 1);
    several.over.delete(id);
  }
  several.count += alertIds.length;
  several.at = now;
  const isRemembered = !isMore && several.times.size <= rules.countedMemory;
  shown.several = isRemembered ? several : undefined;
}

/** The device was not notified of them after all. */
export function forgetSeveral({ several }: Shown, alertIds: readonly string[]): void {
  if (!several) return;
  several.count -= alertIds.length;
  for (const id of alertIds) {
    const left = (several.times.get(id) ?? 0) - 1;
    if (left > 0) {
      several.times.set(id, left);
      continue;
    }
    several.times.delete(id);
    several.over.delete(id);
  }
}

function forgetOldSeveral(shown: Shown, rules: WithdrawalRules, now: number): void {
  if (shown.several && now - shown.several.at > rules.withdrawWithinMs) shown.several = undefined;
}

const isSeveralOver = ({ several }: Shown): boolean =>
  several !== undefined && several.over.size > 0 && several.over.size === several.times.size;

/** Whether something is to be taken back. */
export const hasWithdrawals = (shown: Shown): boolean => shown.withdrawn.size > 0 || isSeveralOver(shown);

/** The device is being notified of one alert by itself. */
export function noteNotified(
  { notified, withdrawn }: Shown,
  alertId: string,
  rules: WithdrawalRules,
  now: number,
): void {
  notified.set(alertId, now);
  // A withdrawal that was planned before is about the older notification, whose place this one takes.
  withdrawn.delete(alertId);
  for (const id of notified.keys()) {
    if (notified.size <= rules.notifiedMemory) return;
    notified.delete(id);
  }
}

/** The device was not notified of it after all. */
export function forgetNotified({ notified, withdrawn }: Shown, alertId: string): void {
  notified.delete(alertId);
  withdrawn.delete(alertId);
}

/**
 * Plans to take an alert back, when the device was notified of it by itself, or of it as the last of several, a short time ago:
 * true.
 *
 * @param isClosed the device closes its own notification, and not that of several
 */
export function withdraw(
  shown: Shown,
  withdrawal: Withdrawal,
  isClosed: () => boolean,
  rules: WithdrawalRules,
  now: number,
): boolean {
  const { alertId } = withdrawal;
  // Every device passes here, also one that is notified of nothing after a storm.
  forgetOldSeveral(shown, rules, now);
  const hadSome = hasWithdrawals(shown);
  const { several } = shown;
  if (several?.times.has(alertId) && !several.over.has(alertId)) several.over.set(alertId, withdrawal);
  const notifiedAt = shown.notified.get(alertId);
  const isShown = notifiedAt !== undefined && now - notifiedAt <= rules.withdrawWithinMs && !isClosed();
  if (isShown) shown.withdrawn.set(alertId, withdrawal);
  const isFirst = !hadSome && hasWithdrawals(shown);
  if (isFirst) shown.dueAt = Math.max(shown.dueAt, now + rules.gatherMs);
  return isShown || isFirst;
}

/** It is pending again, so what the device shows is right. */
export function restore({ withdrawn, several }: Shown, alertId: string): void {
  withdrawn.delete(alertId);
  several?.over.delete(alertId);
}

/** What is taken back in one message. */
export interface NextWithdrawals {
  withdrawals: Withdrawal[];
  /** How many alerts the notification counts that goes with them; undefined where it stays. */
  several?: number | undefined;
}

/** What is taken back next, in one message. What has become too old stays where it is. */
export function nextWithdrawals(shown: Shown, rules: WithdrawalRules, now: number): NextWithdrawals {
  forgetOldSeveral(shown, rules, now);
  for (const [id] of shown.withdrawn) {
    if (now - (shown.notified.get(id) ?? Number.NEGATIVE_INFINITY) > rules.withdrawWithinMs) forgetNotified(shown, id);
  }
  const several = isSeveralOver(shown) ? shown.several : undefined;
  const next = new Map([...shown.withdrawn, ...(several?.over ?? [])]);
  return { withdrawals: [...next.values()], several: several?.count };
}

/** These were taken back, or cannot be; others wait their time. */
export function endWithdrawals(
  shown: Shown,
  { alertIds, several }: { alertIds: readonly string[]; several?: number | undefined },
  rules: WithdrawalRules,
  now: number,
): void {
  for (const id of alertIds) forgetNotified(shown, id);
  if (several !== undefined) shown.several = undefined;
  shown.dueAt = now + rules.gatherMs;
}
