import { identityRoutes } from './identity-routes.ts';
import { RateLimiterRes } from 'rate-limiter-flexible';
import * as z from 'zod/mini';
import { findLink } from '#backend/identity/users/account-link.ts';
import { type User, findUser } from '#backend/identity/users/user.ts';
import { consume, networkOf, type SharedCounts, createLimiter, waitOf } from '#backend/platform/cluster/limiter.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Passwords } from '#backend/identity/users/passwords.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import type { OidcProviders } from './providers.ts';
import type { StartSessionDeps } from '#backend/identity/sessions/start-session.ts';
import {
  appSignInSchema,
  logoutFormSchema,
  oidcAddressSchema,
  oidcAnswerSchema,
  oidcCallbackSchema,
  oidcStartSchema,
  providerParamsSchema,
} from '#backend/contract/oidc.ts';
import { signInAnswerSchema } from '#backend/contract/second-step.ts';
import { type Endpoint, type Reply, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';
import { ProblemError, notSignedIn } from '#backend/platform/endpoint/errors.ts';
import { afterPassword } from '#backend/identity/second-step/after-password.ts';
import { tooManySignIns } from '#backend/identity/users/sign-in-throttle.ts';
import { type SignInRequest, startSession } from '#backend/identity/sessions/start-session.ts';
import { endSessionsAt } from './back-channel-logout.ts';
import { subjectHashOf } from './claims.ts';
import { useIdentity } from './identity.ts';
import type { OidcProvider } from '#backend/identity/users/oidc-config.ts';
import { endOwnFlow } from './own-flow.ts';
import { RefusedArrival, memberOf, refuse } from './provided-member.ts';
import { sealIdToken } from './provider-session.ts';
import { beginFlow, beginHandOver, endFlow, endHandOver } from './sign-in-flow.ts';

/**
 * Sign-ins at providers that one network may begin, and may end, in a quarter of an hour, while no member has signed in by
 * them: each is a row, or a question to the provider.
 */
export const FLOWS_PER_NETWORK = 300;
const WINDOW_SECONDS = 15 * 60;

/** Logout tokens that are not accepted, from one network in the same time. A provider sends any number that are. */
export const REFUSED_LOGOUTS_PER_NETWORK = 300;

/** What a sign-in at a provider leaves to be done: whose it is, and what signing out there takes. */
interface Arrived {
  provider: OidcProvider;
  user: User;
  subjectHash: string;
  sealedIdToken: string | null;
}

/** Dependencies of the calls of sign-in at providers. */
type OidcDeps = StartSessionDeps & {
  database: Database;
  oidc: OidcProviders;
  passwords: Passwords;
  sealing: Sealing;
};

/**
 * Everything about signing in at OpenID providers.
 *
 * @param counts where servers count attempts together
 */
export function oidcRoutes(context: OidcDeps, counts: SharedCounts | undefined): Endpoint[] {
  const { database, oidc } = context;
  const limiter = createLimiter('oidc:network', FLOWS_PER_NETWORK, WINDOW_SECONDS, counts);
  const logouts = createLimiter('oidc:logout', REFUSED_LOGOUTS_PER_NETWORK, WINDOW_SECONDS, counts);
  const count = async (ip: string): Promise<void> => {
    const counted = await consume(limiter, networkOf(ip));
    if (!(counted instanceof RateLimiterRes)) throw tooManySignIns(counted.seconds);
  };
  /** What a member has begun and ended does not count: a company may share one address. */
  const giveBack = (ip: string, calls: number): Promise<unknown> => limiter.reward(networkOf(ip), calls);
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/oidc/app',
      tag: 'sign-in',
      summary:
        'Ends a sign-in that the desktop app began in the system’s browser: takes the code of its link, once, from who has the secret that the app keeps.',
      access: 'anyone',
      csrf: false,
      body: appSignInSchema,
      responses: { 200: signInAnswerSchema },
      errors: [401, 429],
      handle: async (request) => {
        await count(request.ip);
        const { userId, provider, ...arrived } = await endHandOver(context, request.body);
        const user = await findUser(database.reads, userId);
        if (!user?.isActive) throw ended();
        await giveBack(request.ip, 1);
        return start(context, request, { ...arrived, user, provider: oidc.find(provider) });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/oidc/:provider/start',
      tag: 'sign-in',
      summary:
        'Begins a sign-in at a provider: returns the address there, and sets the cookie that binds the sign-in to this browser.',
      access: 'anyone',
      csrf: false,
      params: providerParamsSchema,
      body: oidcStartSchema,
      responses: { 200: oidcAddressSchema },
      errors: [404, 429],
      handle: async (request) => {
        const { params, body, ip } = request;
        const provider = oidc.find(params.provider);
        await count(ip);
        const link = body.invitation === undefined ? undefined : await findLink(database.reads, body.invitation);
        const { secrets, cookies } = await database.transaction((tx) =>
          beginFlow(
            tx,
            request,
            {
              provider: provider.id,
              purpose: 'sign_in',
              app: body.app,
              invitation: link && { id: link.id, tokenHash: link.tokenHash },
            },
            null,
          ),
        );
        return ok({ address: await oidc.authorizationAddress(provider, secrets, false) }, { cookies });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/oidc/:provider/callback',
      tag: 'sign-in',
      summary:
        'Ends a sign-in at a provider, by what it sent the browser back with. The answer sets the session’s cookies; or it names the second step, has the code for the desktop app, or says that an account was linked or a proof given.',
      access: 'anyone',
      csrf: false,
      params: providerParamsSchema,
      body: oidcCallbackSchema,
      responses: { 200: oidcAnswerSchema },
      errors: [401, 404, 409, 429],
      handle: async (request) => {
        const { params, body, ip } = request;
        const provider = oidc.find(params.provider);
        await count(ip);
        const { flow, owner, secrets } = await endFlow(context, request, provider.id, body.query);
        const claims = await oidc.exchange(provider, body.query, secrets, flow.purpose === 'proof');
        if (flow.purpose !== 'sign_in') {
          const reply = await endOwnFlow(context, request, { flow, owner, provider, claims });
          await giveBack(ip, 2);
          return reply;
        }

        const arrival = { provider, claims, ip, invitation: flow.invitation };
        const user = await memberOf(context, arrival).catch((error: unknown) => {
          if (error instanceof RefusedArrival) return refuse(context, arrival, error);
          throw error;
        });
        await giveBack(ip, 2);
        const sealedIdToken = sealIdToken(context, user.id, claims.idToken);
        const arrived = { provider, user, subjectHash: subjectHashOf(claims), sealedIdToken };
        const { app } = flow;
        if (app === undefined) return start(context, request, arrived);
        const handOver = { provider: provider.id, userId: user.id, subjectHash: arrived.subjectHash, sealedIdToken };
        const appCode = await database.transaction((tx) => beginHandOver(tx, app, handOver));
        return ok({ appCode, email: user.email });
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/oidc/:provider/logout',
      tag: 'sign-in',
      summary:
        'Ends the sessions of who signed out at a provider, by a logout token of that provider (OpenID Connect Back-Channel Logout 1.0).',
      access: 'anyone',
      csrf: false,
      params: providerParamsSchema,
      body: logoutFormSchema,
      isForm: true,
      responses: { 200: z.object({}) },
      errors: [404, 429],
      handle: async ({ params, body, ip }) => {
        const provider = oidc.find(params.provider);
        const network = networkOf(ip);
        const seconds = await waitOf(logouts, network);
        if (seconds !== undefined) throw tooManySignIns(seconds);
        const claims = await oidc.readLogoutToken(provider, body.logout_token).catch(async (error: unknown) => {
          // Nothing is counted while a token waits for the provider's keys, nor where they cannot be had: a provider that ends
          // many sessions at once sends all of them from one network.
          if (error instanceof ProblemError && error.status === 400) await consume(logouts, network);
          throw error;
        });
        await endSessionsAt(context, provider, claims, ip);
        return ok({});
      },
    }),
    ...identityRoutes(context, count),
  ];
}

const ended = () => notSignedIn('The account was changed in the same moment. Start again.');

/** The session of who has arrived, or the second step of this server where the provider's is not enough. */
async function start(
  context: OidcDeps,
  request: SignInRequest,
  { provider, user, subjectHash, sealedIdToken }: Arrived,
): Promise<Reply<200>> {
  const by = { id: provider.id, name: provider.name, sealedIdToken };
  const within: NonNullable<Parameters<typeof startSession>[3]>['within'] = (tx) =>
    // Unlinked since, it lets nobody in.
    useIdentity(tx, { userId: user.id, subjectHash, provider: provider.id });
  const reply = provider.secondStep
    ? await afterPassword(context, request, user, { by, within })
    : await startSession(context, request, user, { by, within });
  if (!reply) throw ended();
  return reply;
}
