import * as z from 'zod/mini';
import { alertSortSchema } from './alert.ts';
import { nameSchema } from './name.ts';
import { timeZoneSchema } from './notification-settings.ts';
import { pushEndpointSchema } from './push.ts';
import { timeFormatSchema } from './session.ts';
import { passwordSchema } from './user.ts';

/** The name of a list of which something is remembered. */
const listNameSchema = z.string().check(z.regex(/^([a-z-]{1,20}|folder\/[\da-f-]{36})$/));

/**
 * Body of `PATCH /api/auth/profile`: what is absent stays. `timeZone: null` is that of each device, `listOrder` the order of
 * one list, `completedGroup` whether its completed alerts are shown.
 */
export const profileChangeSchema = z.object({
  displayName: z.optional(nameSchema),
  timeFormat: z.optional(timeFormatSchema),
  timeZone: z.optional(z.nullable(timeZoneSchema)),
  listOrder: z.optional(z.object({ list: listNameSchema, sort: alertSortSchema })),
  completedGroup: z.optional(z.object({ list: listNameSchema, isOpen: z.boolean() })),
});
export type ProfileChange = z.infer<typeof profileChangeSchema>;

/** The account's password as who is signed in types it once more. One that cannot be right is simply wrong. */
export const currentPasswordSchema = z.string().check(z.minLength(1), z.maxLength(1024));

/**
 * Body of `POST /api/auth/password`. `endSessions` ends the member's other sessions and the links that they have made,
 * `revokeTokens` their API tokens: what somebody who knew the password may have left behind. So are pushes that were asked
 * for in this session, but for those to `pushEndpoint`, the browser's own.
 */
export const passwordChangeSchema = z.object({
  currentPassword: currentPasswordSchema,
  newPassword: passwordSchema,
  endSessions: z._default(z.boolean(), true),
  revokeTokens: z._default(z.boolean(), false),
  pushEndpoint: z.optional(pushEndpointSchema),
});
export type PasswordChange = z.infer<typeof passwordChangeSchema>;

/**
 * Most sessions of one member: a sign-in beyond ends one, the oldest that was not used after its sign-in, or else the
 * one that was used least recently.
 */
export const MAX_SESSIONS = 100;

/**
 * One row of `GET /api/auth/sessions`. `device` is made of what the browser called itself at the sign-in ("Chrome on
 * Windows"), `ip` is the address from which it signed in; null for sessions of releases that did not keep it.
 * `lastSeenAt` and `lastIp`, the address of that use, are written at most once in five minutes.
 */
export const ownSessionSchema = z.object({
  /** Names the session, and is good for nothing else. */
  id: z.string(),
  device: z.string(),
  ip: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  lastIp: z.nullable(z.string()),
  /** It is the session that asks. */
  isCurrent: z.boolean(),
});
export type OwnSession = z.infer<typeof ownSessionSchema>;

/** Path parameter of `DELETE /api/auth/sessions/{id}`. */
export const ownSessionParamsSchema = z.object({ id: z.string().check(z.minLength(1), z.maxLength(64)) });

/** Media type of one JSON value a line: the answer of `GET /api/auth/export` (docs/export-format.md). */
export const JSON_LINES = 'application/x-ndjson';
