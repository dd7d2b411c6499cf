import * as z from 'zod/mini';
import { alertSortSchema } from './alert.ts';

/** Roles, from least to most. `super_user` sees every alert but manages nothing. */
export const roleSchema = z.enum(['user', 'admin', 'super_user']);
export type Role = z.infer<typeof roleSchema>;

/** How a member reads times: by a clock of 12 or 24 hours, or as each of their devices is set. */
export const timeFormatSchema = z.enum(['12h', '24h', 'system']);
export type TimeFormat = z.infer<typeof timeFormatSchema>;

/** The order in which a member wants to see each list that has another than newest first, by the list's name: `inbox`, `folder/…`. */
export const listOrdersSchema = z.record(z.string(), alertSortSchema);
export type ListOrders = z.infer<typeof listOrdersSchema>;

/** The lists whose completed alerts a member has opened, by the same names. */
export const openGroupsSchema = z.array(z.string());

/**
 * Answer of `GET /api/auth/session` and of a sign-in. Without `timeFormat` times have 12 hours, without `timeZone` they are
 * those of the device. With `mustSetUpSecondStep` the member can do nothing else before they have set up a second step.
 */
export const sessionSchema = z.object({
  id: z.string(),
  email: z.string(),
  displayName: z.string(),
  role: roleSchema,
  timeFormat: z.optional(timeFormatSchema),
  timeZone: z.optional(z.string()),
  listOrders: z.optional(listOrdersSchema),
  openGroups: z.optional(openGroupsSchema),
  mustSetUpSecondStep: z.optional(z.literal(true)),
});
export type Session = z.infer<typeof sessionSchema>;

/** Body of `POST /api/auth/login`. What is not acceptable as a password is simply wrong, so no length is given here. */
export const loginSchema = z.object({
  email: z.string().check(z.trim(), z.minLength(1), z.maxLength(254)),
  password: z.string().check(z.minLength(1), z.maxLength(1024)),
});
export type Login = z.infer<typeof loginSchema>;

/** In the sign-in page's fragment: the token that opens the default administrator's credentials. Fragments are never sent. */
const SETUP_PARAMETER = 'setup';

/** Path of the sign-in page that shows the default administrator's credentials. */
export const setupPath = (token: string): string => `/login#${SETUP_PARAMETER}=${token}`;

/** The token in a page's fragment (`#setup=…`); empty when there is none. */
export const setupTokenOf = (fragment: string): string =>
  new URLSearchParams(fragment.replace(/^#/, '')).get(SETUP_PARAMETER) ?? '';

/** Answer of `GET /api/auth/default-credentials`, to who presents the token that the first start printed. */
export const defaultCredentialsSchema = z.object({ email: z.string(), password: z.string() });
export type DefaultCredentials = z.infer<typeof defaultCredentialsSchema>;
