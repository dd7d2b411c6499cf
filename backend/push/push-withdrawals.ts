import { MAX_WITHDRAWN } from '#backend/contract/push.ts';

/** An alert that need not be looked after any more. */
export interface Withdrawal {
  alertId: string;
  /** Who accepted it; null when it was deleted. */
  acceptedBy: string | null;
}

/** How much is taken back. */
export interface WithdrawalRules {
  /** Alerts that are remembered of each device as told, each by itself. */
  toldMemory: number;
  /** What was told longer ago stays where it is. */
  withdrawWithinMs: number;
  /** Withdrawals wait for so long for others, and for somebody who undoes what they did. */
  gatherMs: number;
}

/** What a device shows, as far as the server knows and can take it back. */
export interface Shown {
  /** When it was told of an alert by itself, by the alert's id, oldest first. */
  told: Map<string, number>;
  /** What is to be taken back, by the alert's id. */
  withdrawn: Map<string, Withdrawal>;
  /** Not before this moment. */
  dueAt: number;
}

/** A device that was told nothing so far. */
export const createShown = (): Shown => ({ told: new Map(), withdrawn: new Map(), dueAt: 0 });

/** The device is being told of one alert by itself. */
export function noteTold({ told }: Shown, alertId: string, rules: WithdrawalRules, now: number): void {
  told.set(alertId, now);
  for (const id of told.keys()) {
    if (told.size <= rules.toldMemory) return;
    told.delete(id);
  }
}

/** The device was not told of it after all. */
export function noteUntold({ told, withdrawn }: Shown, alertId: string): void {
  told.delete(alertId);
  withdrawn.delete(alertId);
}

/** Plans to take an alert back, when the device was told of it by itself a short time ago: true. */
export function withdraw(shown: Shown, withdrawal: Withdrawal, rules: WithdrawalRules, now: number): boolean {
  const toldAt = shown.told.get(withdrawal.alertId);
  if (toldAt === undefined || now - toldAt > rules.withdrawWithinMs) return false;
  if (shown.withdrawn.size === 0) shown.dueAt = Math.max(shown.dueAt, now + rules.gatherMs);
  shown.withdrawn.set(withdrawal.alertId, withdrawal);
  return true;
}

/** It waits again, so what the device shows is right. */
export const restore = ({ withdrawn }: Shown, alertId: string): boolean => withdrawn.delete(alertId);

/** What is taken back next, in one message. What has become too old stays where it is. */
export function nextWithdrawals(shown: Shown, rules: WithdrawalRules, now: number): Withdrawal[] {
  for (const [id] of shown.withdrawn) {
    if (now - (shown.told.get(id) ?? Number.NEGATIVE_INFINITY) > rules.withdrawWithinMs) noteUntold(shown, id);
  }
  return [...shown.withdrawn.values()].slice(0, MAX_WITHDRAWN);
}

/** These were taken back, or cannot be; others wait their time. */
export function endWithdrawals(shown: Shown, alertIds: string[], rules: WithdrawalRules, now: number): void {
  for (const id of alertIds) noteUntold(shown, id);
  shown.dueAt = now + rules.gatherMs;
}
