import type { RecentToast, ToastSubject } from './stored-recent.ts';

/** How long a dismissed toast stays in the store, in milliseconds. */
export const TOAST_REMOVAL_DELAY_MS = 1_000_000;

/** Most toasts that are kept to be read again. */
export const MAX_RECENT = 50;

/** What is kept of a toast. */
export interface RecentText {
  title: string;
  description?: string | undefined;
  subjects: readonly ToastSubject[];
  undoId?: number | undefined;
}

/** Adds a toast, or what it says by now: news that grows stays one entry, each result of a count is one of its own. */
export function record(
  recent: readonly RecentToast[],
  toastId: number,
  intent: RecentToast['intent'],
  text: RecentText,
  now: number,
): readonly RecentToast[] {
  const kept = pruneRecent(recent, now);
  const known = intent === 'news' ? kept.find((one) => one.toastId === toastId) : undefined;
  const id = known?.id ?? Math.max(0, ...kept.map((one) => one.id)) + 1;
  const entry: RecentToast = { ...text, id, toastId, intent, at: now };
  return [...kept.filter((one) => one !== known), entry].slice(-MAX_RECENT);
}

/** Notes that these toasts are no longer on screen. */
export function closeRecent(recent: readonly RecentToast[], toastIds: readonly number[], now: number) {
  const isMeant = ({ toastId, dismissedAt }: RecentToast): boolean =>
    toastId !== undefined && dismissedAt === undefined && toastIds.includes(toastId);
  return recent.some(isMeant) ? recent.map((one) => (isMeant(one) ? { ...one, dismissedAt: now } : one)) : recent;
}

/** Those that were not dismissed too long ago. */
export function pruneRecent(recent: readonly RecentToast[], now: number): readonly RecentToast[] {
  const kept = recent.filter(
    ({ dismissedAt }) => dismissedAt === undefined || now - dismissedAt < TOAST_REMOVAL_DELAY_MS,
  );
  return kept.length === recent.length ? recent : kept;
}
