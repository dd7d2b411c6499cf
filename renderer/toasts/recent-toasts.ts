import { alertSeveritySchema, alertStateSchema } from '#backend/contract/alert.ts';
import * as z from 'zod/mini';

/** How long a dismissed toast stays in the store, in milliseconds. */
export const TOAST_REMOVAL_DELAY_MS = 1_000_000;

/** Most toasts that are kept to be read again, and most alerts that one of them names. */
const MAX_RECENT = 50;
const MAX_SUBJECTS = 3;

/** What a toast is about: its name, and which alert it is and how it stands, if it is one. */
const subjectSchema = z.object({
  text: z.string(),
  alertId: z.optional(z.string()),
  severity: z.optional(alertSeveritySchema),
  state: z.optional(alertStateSchema),
});
export type ToastSubject = z.infer<typeof subjectSchema>;

const recentToastSchema = z.object({
  id: z.number(),
  toastId: z.optional(z.number()),
  intent: z.enum(['news', 'done', 'error']),
  title: z.string(),
  description: z.optional(z.string()),
  subjects: z.readonly(z.array(subjectSchema)),
  undoId: z.optional(z.number()),
  at: z.number(),
  dismissedAt: z.optional(z.number()),
});

/**
 * A toast that was shown, kept to be read again. `at` and `dismissedAt` are in milliseconds since the epoch; `toastId`
 * names the toast while this page shows it, `undoId` its entry on the undo stack of this page.
 */
export type RecentToast = z.infer<typeof recentToastSchema>;

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
  const id = known?.id ?? (kept.at(-1)?.id ?? 0) + 1;
  const subjects = [...(known?.subjects ?? []), ...text.subjects].slice(-MAX_SUBJECTS);
  const entry: RecentToast = { ...text, id, toastId, intent, subjects, at: now };
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

const KEY = 'recent-notifications';

const storedSchema = z.object({ owner: z.string(), recent: z.array(recentToastSchema) });

/** What this tab's session storage keeps for that member, of before a reload. Another member's is not given. */
export function readStoredRecent(owner: string): readonly RecentToast[] {
  try {
    const stored = storedSchema.parse(JSON.parse(sessionStorage.getItem(KEY) ?? ''));
    if (stored.owner !== owner) return [];
    // What was on screen went with the page that showed it; so did its undo.
    return stored.recent.map(asLeft);
  } catch {
    return [];
  }
}

const asLeft = ({ id, intent, title, description, subjects, at, dismissedAt = at }: RecentToast): RecentToast => ({
  id,
  intent,
  title,
  description,
  subjects,
  at,
  dismissedAt,
});

/** Keeps them for a reload of this tab. Without an owner nothing is kept. */
export function storeRecent(owner: string | null, recent: readonly RecentToast[]): void {
  try {
    if (owner === null) sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, JSON.stringify({ owner, recent }));
  } catch {
    // Storage is full or switched off: they last as long as the page.
  }
}
