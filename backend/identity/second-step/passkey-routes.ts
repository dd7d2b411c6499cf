import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import { refuseBreakGlass } from '#backend/identity/users/break-glass.ts';
import {
  newPasskeySchema,
  passkeyOptionsSchema,
  passkeyRenameSchema,
  passkeySchema,
  recoveryCodesSchema,
  secondStepIdParamsSchema,
} from '#backend/contract/second-step.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { type Endpoint, created, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { notFound, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { beginCeremony, takeCeremony } from '#backend/identity/factors/ceremonies.ts';
import { addAudit, authorOf } from '#backend/identity/audit/audit-log.ts';
import { addSecondStep, changeOwn, refuseFurtherStep, removeSecondStep } from './change-own.ts';
import {
  challengeOf,
  findPasskeys,
  presentPasskey,
  registrationOptions,
  relyingPartyOf,
  savePasskey,
  verifyAttestation,
} from '#backend/identity/factors/passkeys.ts';
import { PasskeyEntity, type StoredPasskey } from '#backend/identity/factors/second-step-entities.ts';

/** @throws {ProblemError} 404 when the member has no passkey with this id */
async function findOwn(tx: Transaction, userId: string, id: string): Promise<StoredPasskey> {
  const found = await tx.getRepository(PasskeyEntity).findOneBy({ id, userId });
  if (!found) throw notFound('This passkey is not one of yours.');
  return found;
}

/** How members add, rename and remove passkeys of their own. */
export function passkeyRoutes(context: {
  config: IdentityConfig;
  database: Database;
  securityMails: SecurityMails;
}): Endpoint[] {
  const { database } = context;
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/second-step/passkeys/options',
      tag: 'sign-in',
      summary: 'Returns what a browser is asked with to make a passkey for the member.',
      access: 'member',
      proof: 'always',
      isForSetUp: true,
      responses: { 200: passkeyOptionsSchema },
      errors: [409],
      handle: async ({ actor, ip, origin }) => {
        relyingPartyOf(origin);
        const challenge = await onBehalfOf(database, authorOf(actor, ip)).transaction(async (tx) => {
          await refuseFurtherStep(tx, context.config, actor);
          return beginCeremony(tx, { kind: 'new_passkey', userId: actor.id, boundTo: actor.sessionId });
        });
        const existing = await findPasskeys(database.reads, actor.id);
        return ok(await registrationOptions(actor, existing, { origin, challenge }));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/second-step/passkeys',
      tag: 'sign-in',
      summary:
        'Adds the passkey that a browser has made, under a name. With a first second step the answer has the recovery codes.',
      access: 'member',
      proof: 'always',
      isForSetUp: true,
      body: newPasskeySchema,
      responses: { 201: recoveryCodesSchema },
      errors: [409],
      handle: async ({ actor, ip, origin, body: { name, credential } }) => {
        relyingPartyOf(origin);
        const challenge = challengeOf(credential);
        const holder = { userId: actor.id, boundTo: actor.sessionId };
        const own = onBehalfOf(database, authorOf(actor, ip));
        const ceremony = await takeCeremony(own, 'new_passkey', challenge, holder);
        const made = ceremony && challenge && (await verifyAttestation(credential, { origin, challenge }));
        if (!made) throw unacceptable('This passkey was not accepted. Try again.');
        const recoveryCodes = await addSecondStep(context, { actor, ip }, 'passkey_added', async (tx, user) => {
          await savePasskey(tx, user.id, name, made);
          return name;
        });
        return created(recoveryCodes ? { recoveryCodes } : {});
      },
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/auth/second-step/passkeys/:id',
      tag: 'sign-in',
      summary: 'Gives a passkey another name.',
      access: 'member',
      proof: 'always',
      params: secondStepIdParamsSchema,
      body: passkeyRenameSchema,
      responses: { 200: passkeySchema },
      errors: [409],
      handle: async ({ actor, ip, params: { id }, body: { name } }) => {
        refuseBreakGlass(context.config, actor.email);
        return ok(
          await changeOwn(context, { actor, ip }, async (tx, user, author) => {
            const found = await findOwn(tx, user.id, id);
            if (found.name !== name) {
              await tx.getRepository(PasskeyEntity).update({ id }, { name });
              await addAudit(tx, author, 'passkey_renamed', `${found.name} → ${name}`);
            }
            return presentPasskey({ ...found, name });
          }),
        );
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/auth/second-step/passkeys/:id',
      tag: 'sign-in',
      summary: 'Removes a passkey, with the last second step also recovery codes and remembered browsers.',
      access: 'member',
      proof: 'always',
      params: secondStepIdParamsSchema,
      responses: { 204: 'no content' },
      errors: [409],
      handle: async ({ actor, ip, params: { id } }) => {
        refuseBreakGlass(context.config, actor.email);
        await removeSecondStep(context, { actor, ip }, 'passkey_removed', async (tx, user) => {
          const { name } = await findOwn(tx, user.id, id);
          await tx.getRepository(PasskeyEntity).delete({ id });
          return name;
        });
        return noContent();
      },
    }),
  ];
}
