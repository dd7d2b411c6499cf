import * as z from 'zod/mini';
import { alertSeveritySchema } from './alert.ts';

/** Most alerts that one call imports, and its largest body in bytes. */
export const MAX_IMPORTED_ALERTS = 100;
export const MAX_IMPORT_BYTES = 4 * 1024 * 1024;

const nameOf = z.optional(z.nullable(z.string().check(z.maxLength(2_000))));

/** An open alert of another system. Texts that are longer than an alert's are cut. */
export const importedAlertSchema = z.object({
  /** Names the problem within the source: an alert with it is imported once. */
  dedupKey: z.string().check(z.minLength(1), z.maxLength(2_000)),
  title: nameOf,
  severity: z._default(alertSeveritySchema, 'none'),
  state: z._default(z.enum(['firing', 'acknowledged']), 'firing'),
  customer: nameOf,
  alertType: nameOf,
  /** An http(s) address of up to 8,000 characters, as senders' links may have; anything else is left out. */
  link: z.optional(z.nullable(z.string())),
  /** When it began there; the future counts as now. */
  createdAt: z.iso.datetime({ offset: true }),
  /** The member whose it becomes, unless somebody has changed it since it was imported; absent, it is in the inbox. */
  ownerId: z.optional(z.nullable(z.uuid())),
  /** The alert as the other system has it. */
  payload: z.record(z.string(), z.unknown()),
});
export type ImportedAlert = z.input<typeof importedAlertSchema>;

/** Body of `POST /api/sources/{id}/import`. `isDryRun`: nothing is stored. */
export const alertImportSchema = z.object({
  /** The system that they come from, for histories. */
  system: z.string().check(z.trim(), z.minLength(1), z.maxLength(60)),
  isDryRun: z._default(z.boolean(), false),
  alerts: z.array(importedAlertSchema).check(z.minLength(1), z.maxLength(MAX_IMPORTED_ALERTS)),
});
export type AlertImport = z.infer<typeof alertImportSchema>;

/**
 * What became of an alert: `new`, or `known` where the source has one with its dedup key. `isOwned`: it belongs to the owner
 * that was asked for. A dry run says what would be.
 */
export const importedOutcomeSchema = z.object({
  outcome: z.enum(['new', 'known']),
  alertId: z.nullable(z.string()),
  isOwned: z.boolean(),
});

/** Answer of `POST /api/sources/{id}/import`, in the order of the call. */
export const alertImportResultSchema = z.array(importedOutcomeSchema);
export type AlertImportResult = z.infer<typeof alertImportResultSchema>;
