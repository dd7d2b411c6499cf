import type { MailSettings } from '#backend/platform/mail/mail-config.ts';
import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Passwords } from '#backend/identity/users/passwords.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import * as z from 'zod/mini';
import { authorOf } from '#backend/identity/audit/audit-log.ts';
import {
  accountLinkPath,
  accountLinkSchema,
  invitationSchema,
  linkIdParamsSchema,
  linkRequestSchema,
  newAccountLinkSchema,
} from '#backend/contract/account-link.ts';
import { idPageQuerySchema } from '#backend/contract/pages.ts';
import { userIdParamsSchema } from '#backend/contract/user.ts';
import { readIdPage } from '#backend/platform/database/id-pages.ts';
import { type Endpoint, created, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { createMailQueue } from '#backend/platform/mail/mail-queue.ts';
import { AccountLinkEntity, presentAccountLink } from '#backend/identity/users/account-link.ts';
import { type MadeLink, invite, makeResetLink, renewLink, revokeLink } from './link-commands.ts';

/** A new link with its address, which is in no other answer. */
const presentMadeLink = ({ link, token }: MadeLink) => ({
  link: presentAccountLink(link),
  path: accountLinkPath(link.kind, token),
});

/** Invite people and send them links to reset their passwords: for administrators. */
export function linkRoutes(context: {
  config: IdentityConfig & MailSettings;
  database: Database;
  passwords: Passwords;
  sealing: Sealing;
  securityMails: SecurityMails;
}): Endpoint[] {
  const deps = { ...context, mails: createMailQueue(context) };
  const { reads } = context.database;
  return [
    endpoint({
      method: 'GET',
      path: '/api/auth/links',
      tag: 'members',
      summary:
        'Lists invitations and reset links that were not used yet, newest first; those that ran out for 30 days.',
      access: ['admin'],
      isList: true,
      query: idPageQuerySchema,
      responses: { 200: z.array(accountLinkSchema) },
      responseHeaders: ['Link'],
      handle: async ({ query }) => {
        const page = await readIdPage(reads, AccountLinkEntity, {}, query, '/api/auth/links');
        return ok(page.rows.map(presentAccountLink), { headers: page.headers });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/invitations',
      tag: 'members',
      summary: 'Makes a link with which somebody makes an account of their own, once within 72 hours.',
      access: ['admin'],
      proof: 'always',
      body: invitationSchema,
      responses: { 201: newAccountLinkSchema },
      errors: [409],
      handle: async ({ actor, ip, body }) => created(presentMadeLink(await invite(deps, authorOf(actor, ip), body))),
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/users/:id/reset-link',
      tag: 'members',
      summary:
        'Makes a link with which a member chooses another password, once within 72 hours; one that they have already stops working.',
      access: ['admin'],
      proof: 'always',
      params: userIdParamsSchema,
      body: linkRequestSchema,
      responses: { 201: newAccountLinkSchema },
      errors: [409],
      handle: async ({ actor, ip, params, body }) =>
        created(presentMadeLink(await makeResetLink(deps, authorOf(actor, ip), params.id, body.isMailed))),
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/links/:id/renew',
      tag: 'members',
      summary: 'Gives a link another address and its whole time again; the one before stops working.',
      access: ['admin'],
      proof: 'always',
      params: linkIdParamsSchema,
      body: linkRequestSchema,
      responses: { 200: newAccountLinkSchema },
      errors: [409],
      handle: async ({ actor, ip, params, body }) =>
        ok(presentMadeLink(await renewLink(deps, authorOf(actor, ip), params.id, body.isMailed))),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/auth/links/:id',
      tag: 'members',
      summary: 'Has a link stop working.',
      access: ['admin'],
      tokenScope: 'none',
      params: linkIdParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        await revokeLink(deps, authorOf(actor, ip), params.id);
        return noContent();
      },
    }),
  ];
}
