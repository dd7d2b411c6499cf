import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Passwords } from '#backend/identity/users/passwords.ts';
import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import { authorOf } from '#backend/identity/audit/audit-log.ts';
import { passwordChangeSchema, profileChangeSchema } from '#backend/contract/account.ts';
import { sessionSchema } from '#backend/contract/session.ts';
import { type Endpoint, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import {
  renewedCookies,
  deviceCookie,
  deviceCookieName,
  knownDeviceId,
} from '#backend/identity/sessions/session-cookies.ts';
import { refuseBreakGlass } from '#backend/identity/users/break-glass.ts';
import { changePassword, changeProfile } from './own-account.ts';
import type { PasswordCheck } from '#backend/identity/users/password-check.ts';
import { presentSession } from '#backend/identity/users/user.ts';

/** What members change of their own accounts. */
export function accountRoutes(
  context: {
    config: IdentityConfig;
    database: Database;
    passwords: Passwords;
    securityMails: SecurityMails;
    sessionSecret: string;
  },
  check: PasswordCheck,
): Endpoint[] {
  const { sessionSecret: secret } = context;
  return [
    endpoint({
      method: 'PATCH',
      path: '/api/auth/profile',
      tag: 'account',
      summary: 'Changes the member’s display name, how they read times, or how they want to see a list.',
      access: 'member',
      body: profileChangeSchema,
      responses: { 200: sessionSchema },
      handle: async ({ actor, ip, body }) =>
        ok(presentSession(await changeProfile(context, authorOf(actor, ip), actor.id, body))),
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/password',
      tag: 'account',
      summary:
        'Changes the member’s password, and ends their other sessions and the links that they have made unless they wish otherwise; the answer sets the cookies of this one again.',
      access: 'member',
      body: passwordChangeSchema,
      responses: { 204: 'no content' },
      errors: [409, 429],
      handle: async ({ actor, ip, body, cookie, isSecure }) => {
        refuseBreakGlass(context.config, actor.email);
        const author = authorOf(actor, ip);
        const { before, after, session } = await changePassword(context, check, { actor, author }, body);
        const deviceId = knownDeviceId(secret, before, cookie(deviceCookieName(isSecure)));
        // It is bound to the password: without another one this browser would be a stranger's.
        const device = deviceCookie({ secret, isSecure }, after, deviceId);
        return noContent({
          cookies: [...renewedCookies(secret, isSecure, session), device],
        });
      },
    }),
  ];
}
