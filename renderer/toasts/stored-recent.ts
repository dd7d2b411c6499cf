import { alertSeveritySchema, alertStateSchema } from '#backend/contract/alert.ts';
import * as z from 'zod/mini';

/** What a toast is about: its name, and which alert it is and how it stands, if it is one. */
const subjectSchema = z.object({
  text: z.string(),
  alertId: z.optional(z.string()),
  severity: z.optional(alertSeveritySchema),
  state: z.optional(alertStateSchema),
  isTest: z.optional(z.boolean()),
});
export type ToastSubject = z.infer<typeof subjectSchema>;

const recentToastSchema = z.object({
  id: z.number(),
  toastId: z.optional(z.number()),
  intent: z.enum(['news', 'notice', 'done', 'error']),
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

const KEY = 'recent-toasts';

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
