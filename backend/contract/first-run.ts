import * as z from 'zod/mini';

/** An administrator as members see them who have to ask one: by name, never by address. */
export const contactSchema = z.object({ id: z.string(), displayName: z.string() });
export type Contact = z.infer<typeof contactSchema>;

/** Answer of `GET /api/first-run`. */
export const firstRunSchema = z.object({
  /** Whether an alert has ever arrived, deleted ones too. */
  hasAlerts: z.boolean(),
  /** Whether the member is the only one who can sign in. */
  isAlone: z.boolean(),
  /** Up to three administrators, the last seen first; none once an alert has arrived. */
  administrators: z.array(contactSchema),
});
export type FirstRun = z.infer<typeof firstRunSchema>;
