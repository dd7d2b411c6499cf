import * as z from 'zod/mini';

/** 202 of Opsgenie's API: the request is processed. `GET /v2/alerts/requests/{requestId}` says what became of it. */
export const opsgenieReceiptSchema = z.object({
  result: z.string(),
  /** Seconds. */
  took: z.number(),
  requestId: z.string(),
});

/** 200 of Opsgenie's API. */
export const opsgenieAnswerSchema = z.object({
  /** An alert, alerts, notes, a count, or what became of a request. */
  data: z.unknown(),
  /** Addresses of other pages of a list. */
  paging: z.optional(
    z.object({
      first: z.string(),
      prev: z.optional(z.string()),
      next: z.optional(z.string()),
    }),
  ),
  took: z.number(),
  requestId: z.string(),
});

/** An error of Opsgenie's API: one plain sentence. */
export const opsgenieErrorSchema = z.object({ message: z.string(), took: z.number(), requestId: z.string() });

/** Body of what is done with an alert: a note that is added with it, and who does it. */
export const opsgenieActionSchema = z.looseObject({
  note: z.optional(z.string()),
  user: z.optional(z.string()),
  source: z.optional(z.string()),
});

/** Body of `POST /v2/alerts`. Other fields of Opsgenie are kept in the alert's payload. */
export const opsgenieAlertSchema = z.looseObject({
  message: z.string(),
  /** Names the problem while it is open. */
  alias: z.optional(z.string()),
  priority: z.optional(z.enum(['P1', 'P2', 'P3', 'P4', 'P5'])),
  description: z.optional(z.string()),
  tags: z.optional(z.array(z.string())),
  details: z.optional(z.record(z.string(), z.unknown())),
  entity: z.optional(z.string()),
  source: z.optional(z.string()),
});
