import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { OidcProviders } from './providers.ts';
import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import { findUser, lockUser } from '#backend/identity/users/user.ts';
import { addAudit, authorOf } from '#backend/identity/audit/audit-log.ts';
import {
  type Identities,
  identitiesSchema,
  identityParamsSchema,
  oidcAddressSchema,
  providerParamsSchema,
} from '#backend/contract/oidc.ts';
import {
  type Endpoint,
  type EndpointRequest,
  type Reply,
  endpoint,
  noContent,
  ok,
} from '#backend/platform/endpoint/endpoint.ts';
import { conflict, notFound, notSignedIn } from '#backend/platform/endpoint/errors.ts';
import { endProviderSignIns } from '#backend/identity/factors/ceremonies.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { IdentityEntity, type StoredIdentity, identitiesOf, presentIdentity } from './identity.ts';
import { requireLinkable } from './own-flow.ts';
import { type Flow, beginFlow } from './sign-in-flow.ts';

type OwnRequest = EndpointRequest<{ provider: string }, undefined, undefined, 'member'>;

/** The providers that members link to their own accounts. @param count counts what one network begins */
export function identityRoutes(
  context: { config: IdentityConfig; database: Database; oidc: OidcProviders; securityMails: SecurityMails },
  count: (ip: string) => Promise<void>,
): Endpoint[] {
  const { config, database, oidc } = context;
  const { reads } = database;

  /** Sends a signed-in member to a provider, for their session alone. */
  async function begin(request: OwnRequest, purpose: Flow['purpose']): Promise<Reply<200>> {
    const { actor, ip, params } = request;
    const provider = oidc.find(params.provider);
    await count(ip);
    const flow = { provider: provider.id, purpose };
    const owner = { userId: actor.id, sessionId: actor.sessionId };
    const { secrets, cookies } = await onBehalfOf(database, authorOf(actor, ip)).transaction((tx) =>
      beginFlow(tx, request, flow, owner),
    );
    return ok({ address: await oidc.authorizationAddress(provider, secrets, purpose === 'proof') }, { cookies });
  }

  return [
    endpoint({
      method: 'GET',
      path: '/api/auth/identities',
      tag: 'sign-in',
      summary: 'Returns the providers that the member signs in with, and those that could be linked.',
      access: 'member',
      isForSetUp: true,
      responses: { 200: identitiesSchema },
      handle: async ({ actor }) => {
        const user = await findUser(reads, actor.id);
        if (!user) throw notSignedIn();
        const found = await identitiesOf(reads, user.id);
        const linked = new Set(found.map(({ provider }) => provider));
        const isOpen = user.emailKey !== config.breakGlass;
        return ok({
          identities: found.map((identity) => presentIdentity(identity, oidc.list)),
          linkable: oidc.list.filter(({ id }) => isOpen && !linked.has(id)).map(({ id, name }) => ({ id, name })),
        } satisfies Identities);
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/identities/:provider/link',
      tag: 'sign-in',
      summary: 'Begins to link the member’s account to a provider: returns the address there.',
      access: 'member',
      proof: 'always',
      params: providerParamsSchema,
      responses: { 200: oidcAddressSchema },
      errors: [404, 409, 429],
      handle: async (request) => {
        const user = await findUser(reads, request.actor.id);
        if (!user) throw notSignedIn();
        requireLinkable(user, config.breakGlass);
        return begin(request, 'link');
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/identities/:provider/proof',
      tag: 'sign-in',
      summary: 'Begins a proof of who the member is, by signing in again at a provider that they are linked to.',
      access: 'member',
      isForSetUp: true,
      params: providerParamsSchema,
      responses: { 200: oidcAddressSchema },
      errors: [404, 429],
      handle: (request) => begin(request, 'proof'),
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/auth/identities/:id',
      tag: 'sign-in',
      summary: 'Unlinks a provider: it lets the member in no more.',
      access: 'member',
      proof: 'always',
      params: identityParamsSchema,
      responses: { 204: 'no content' },
      errors: [409],
      handle: async ({ actor, ip, params }) => {
        const author = authorOf(actor, ip);
        await onBehalfOf(database, author).transaction(async (tx) => {
          const user = await lockUser(tx, actor.id);
          if (!user) throw notSignedIn();
          const mine = await identitiesOf(tx, user.id);
          const found = mine.find(({ id }) => id === params.id);
          if (!found) throw notFound('This provider is not linked to your account.');
          // Of a provider that is configured no more nothing is lost.
          const signsIn = (one: StoredIdentity): boolean => oidc.list.some(({ id }) => id === one.provider);
          const isLast = signsIn(found) && !mine.some((one) => one !== found && signsIn(one));
          if (isLast && config.passwordOnlyFor !== undefined && user.emailKey !== config.passwordOnlyFor) {
            throw conflict('You could not sign in any more: passwords are switched off. Link another provider first.');
          }
          await tx.getRepository(IdentityEntity).delete({ id: found.id });
          await endProviderSignIns(tx, user.id);
          const name = presentIdentity(found, oidc.list).providerName ?? found.provider;
          await addAudit(tx, author, 'identity_unlinked', name);
          await context.securityMails.add(tx, user, 'identity_unlinked', author, { detail: name });
        });
        return noContent();
      },
    }),
  ];
}
