import type { StartSessionDeps } from '#backend/identity/sessions/start-session.ts';
import type { MailSettings } from '#backend/platform/mail/mail-config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { Passwords } from '#backend/identity/users/passwords.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { findLink, presentLinkSubject } from '#backend/identity/users/account-link.ts';
import { join, mailResetLink, resetByLink } from '#backend/identity/accounts/link-commands.ts';
import { emailKey } from '#backend/identity/users/user.ts';
import {
  consume,
  networkOf,
  type Limiter,
  type SharedCounts,
  createLimiter,
} from '#backend/platform/cluster/limiter.ts';
import {
  accountOptionsSchema,
  forgotPasswordSchema,
  linkLookSchema,
  linkSubjectSchema,
  linkUseSchema,
} from '#backend/contract/account-link.ts';
import { sessionSchema } from '#backend/contract/session.ts';
import { type Endpoint, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { conflict, notSignedIn, tooMany } from '#backend/platform/endpoint/errors.ts';
import { createMailQueue } from '#backend/platform/mail/mail-queue.ts';
import { afterPassword } from '#backend/identity/second-step/after-password.ts';
import { deviceCookie } from '#backend/identity/sessions/session-cookies.ts';
import { describeWait } from '#backend/identity/users/sign-in-throttle.ts';

/** In a quarter of an hour: links that one network may try that are not good, and mails that it may ask for. */
const WINDOW_SECONDS = 15 * 60;
export const LINKS_PER_NETWORK = 60;
export const MAILS_PER_NETWORK = 10;

/** Mails that are sent to one account in a day, whoever asks. More are left out without a word. */
const DAY_SECONDS = 24 * 60 * 60;
export const MAILS_PER_ACCOUNT = 5;

/** Counts an attempt from this network. @throws {ProblemError} 429 when there were too many */
async function count(limiter: Limiter, ip: string): Promise<void> {
  const counted = await consume(limiter, networkOf(ip));
  if (counted instanceof RateLimiterRes) return;
  throw tooMany(`Too many attempts. Try again in ${describeWait(counted.seconds)}.`, counted.seconds);
}

/**
 * Tries a link. One that did what it is for is not counted: people who join from one office at the same time guess nothing.
 *
 * @throws {ProblemError} 429 when there were too many from this network that did not
 */
async function tryLink<T>(tries: Limiter, ip: string, work: () => Promise<T>): Promise<T> {
  await count(tries, ip);
  const result = await work();
  await tries.reward(networkOf(ip));
  return result;
}

const passwordsOff = () =>
  conflict('Passwords are switched off on this server. Sign in with the provider that the sign-in page names.');

/** What people do who have a link, or who forgot their password: nobody is signed in yet. */
export function linkSignInRoutes(
  context: StartSessionDeps & {
    database: Database;
    logger: Logger;
    passwords: Passwords;
    sealing: Sealing;
    config: MailSettings;
  },
  counts: SharedCounts | undefined,
): Endpoint[] {
  const { config, database, logger } = context;
  const mails = createMailQueue(context);
  const deps = { ...context, mails };
  const tries = createLimiter('account-link:network', LINKS_PER_NETWORK, WINDOW_SECONDS, counts);
  const requests = createLimiter('forgot-password:network', MAILS_PER_NETWORK, WINDOW_SECONDS, counts);
  const mailed = createLimiter('forgot-password:account', MAILS_PER_ACCOUNT, DAY_SECONDS, counts);
  return [
    endpoint({
      method: 'GET',
      path: '/api/auth/options',
      tag: 'sign-in',
      summary: 'Returns what the sign-in page offers.',
      access: 'anyone',
      responses: { 200: accountOptionsSchema },
      handle: async () =>
        ok({
          hasMail: mails.isConfigured,
          hasPasswords: config.passwordOnlyFor === undefined,
          providers: config.oidcProviders.map(({ id, name }) => ({ id, name })),
        }),
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/links/look',
      tag: 'sign-in',
      summary: 'Returns whom the link with this token is for, while it can be used.',
      access: 'anyone',
      csrf: false,
      body: linkLookSchema,
      responses: { 200: linkSubjectSchema },
      errors: [404, 429],
      handle: async ({ body, ip }) =>
        ok(presentLinkSubject(await tryLink(tries, ip, () => findLink(database.reads, body.token)))),
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/join',
      tag: 'sign-in',
      summary: 'Makes the account of an invitation and signs in; the answer sets the session’s cookies.',
      access: 'anyone',
      csrf: false,
      body: linkUseSchema,
      responses: { 200: sessionSchema },
      errors: [401, 404, 409, 429],
      handle: async (request) => {
        const { body, ip } = request;
        if (config.passwordOnlyFor !== undefined) throw passwordsOff();
        const user = await tryLink(tries, ip, () => join(deps, ip, body.token, body.password));
        // A new account has no second step, but may have to set one up.
        const reply = await afterPassword(context, request, user);
        // Disabled in the same moment.
        if (!reply) throw notSignedIn('Invalid email or password');
        return reply;
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/reset-password',
      tag: 'sign-in',
      summary: 'Sets the password of the account that a reset link is for, and ends its sessions. It signs nobody in.',
      access: 'anyone',
      csrf: false,
      body: linkUseSchema,
      responses: { 204: 'no content' },
      errors: [404, 409, 429],
      handle: async ({ body, ip, isSecure }) => {
        if (config.passwordOnlyFor !== undefined) throw passwordsOff();
        const user = await tryLink(tries, ip, () => resetByLink(deps, ip, body.token, body.password));
        // Whoever has the mail has the account: strangers' guesses do not keep this browser from signing in.
        return noContent({ cookies: [deviceCookie({ secret: context.sessionSecret, isSecure }, user)] });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/forgot-password',
      tag: 'sign-in',
      summary: 'Mails a reset link to the account with this e-mail, if there is one: the answer does not say.',
      access: 'anyone',
      csrf: false,
      body: forgotPasswordSchema,
      responses: { 204: 'no content' },
      errors: [409, 429],
      handle: async ({ body: { email }, ip }) => {
        if (config.passwordOnlyFor !== undefined) throw passwordsOff();
        if (!mails.isConfigured) throw conflict('No mail server is configured. Ask an administrator for a reset link.');
        await count(requests, ip);
        // Afterwards: how long the answer takes says nothing either.
        setImmediate(() => {
          void mailOnce(email, ip).catch((error: unknown) =>
            logger.error({ err: error }, 'a reset link that was asked for could not be queued'),
          );
        });
        return noContent();
      },
    }),
  ];

  async function mailOnce(email: string, ip: string): Promise<void> {
    const counted = await consume(mailed, emailKey(email));
    if (counted instanceof RateLimiterRes) await mailResetLink(deps, email, ip);
  }
}
