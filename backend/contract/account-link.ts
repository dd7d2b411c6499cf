import * as z from 'zod/mini';
import { nameSchema } from './name.ts';
import { providerSchema } from './oidc.ts';
import { roleSchema } from './session.ts';
import { passwordSchema } from './user.ts';

/** For how long a link works, in milliseconds. */
export const LINK_LIFETIME_MS = 72 * 60 * 60 * 1000;

/** Most invitations that can be used at a time. */
export const MAX_INVITATIONS = 500;

/** What a link is for: to make an account, or to give one another password. */
export const accountLinkKindSchema = z.enum(['invitation', 'reset']);
export type AccountLinkKind = z.infer<typeof accountLinkKindSchema>;

/** The pages that links lead to. The token is in the fragment, which browsers send to no server. */
const PAGES: Record<AccountLinkKind, string> = { invitation: '/join', reset: '/reset-password' };
export const accountLinkPath = (kind: AccountLinkKind, token: string): string => `${PAGES[kind]}#${token}`;

/** What became of the mail with the link: none was asked for, it is queued, was handed over, or could not be. */
export const linkMailSchema = z.enum(['none', 'queued', 'sent', 'failed']);
export type LinkMail = z.infer<typeof linkMailSchema>;

/**
 * A link that was not used yet, as administrators see it. `role` is that of the account to be made or of the account that it
 * is for; `byName` is who made it, null for who asked for it on the sign-in page. `mailError` says why a mail has failed, or
 * why it is tried again.
 */
export const accountLinkSchema = z.object({
  id: z.string(),
  kind: accountLinkKindSchema,
  email: z.string(),
  displayName: z.string(),
  role: roleSchema,
  byName: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  mail: linkMailSchema,
  mailError: z.nullable(z.string()),
});
export type AccountLink = z.infer<typeof accountLinkSchema>;

/** A link with its address below the server's, which is never shown again: only the token's hash is stored. */
export const newAccountLinkSchema = z.object({ link: accountLinkSchema, path: z.string() });
export type NewAccountLink = z.infer<typeof newAccountLinkSchema>;

/** `isMailed`: the link is mailed, too. 409 where no mail server is configured. */
const isMailedSchema = z._default(z.boolean(), false);

/** Body of `POST /api/auth/invitations`; super users are created on the command line only. */
export const invitationSchema = z.object({
  email: z.pipe(z.string().check(z.trim()), z.email().check(z.maxLength(254))),
  displayName: nameSchema,
  role: z._default(z.enum(['user', 'admin']), 'user'),
  isMailed: isMailedSchema,
});
export type Invitation = z.infer<typeof invitationSchema>;

/** Body of the calls that make a link for somebody who is known. */
export const linkRequestSchema = z.object({ isMailed: isMailedSchema });

/** Path parameter of the calls on one link. */
export const linkIdParamsSchema = z.object({ id: z.uuid() });

/** The secret part of a link. One that cannot be right is simply not valid. */
const linkTokenSchema = z.string().check(z.minLength(1), z.maxLength(200));

/** Body of `POST /api/auth/links/look`. */
export const linkLookSchema = z.object({ token: linkTokenSchema });

/** Answer of `POST /api/auth/links/look`: whom the link is for. */
export const linkSubjectSchema = z.object({
  kind: accountLinkKindSchema,
  email: z.string(),
  displayName: z.string(),
  expiresAt: z.iso.datetime(),
});
export type LinkSubject = z.infer<typeof linkSubjectSchema>;

/** Body of `POST /api/auth/join` and of `POST /api/auth/reset-password`. */
export const linkUseSchema = z.object({ token: linkTokenSchema, password: passwordSchema });
export type LinkUse = z.infer<typeof linkUseSchema>;

/** Body of `POST /api/auth/forgot-password`. */
export const forgotPasswordSchema = z.object({ email: z.string().check(z.trim(), z.minLength(1), z.maxLength(254)) });

/** Answer of `GET /api/auth/options`: what the sign-in page and User Management offer. */
export const accountOptionsSchema = z.object({
  /** Links can be mailed, and a forgotten password can be reset by mail. */
  hasMail: z.boolean(),
  /** False where one administrator alone signs in by password. Releases before 1.1 do not say. */
  hasPasswords: z.optional(z.boolean()),
  /** Providers that members sign in with. */
  providers: z.optional(z.array(providerSchema)),
});
export type AccountOptions = z.infer<typeof accountOptionsSchema>;
