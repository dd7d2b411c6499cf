import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import { lockedBecause, refuseBreakGlass } from '#backend/identity/users/break-glass.ts';
import { findUser } from '#backend/identity/users/user.ts';
import { addAudit } from '#backend/identity/audit/audit-log.ts';
import {
  type SecondStepState,
  recoveryCodesSchema,
  secondStepIdParamsSchema,
  secondStepStateSchema,
  totpConfirmationSchema,
  totpKeySchema,
} from '#backend/contract/second-step.ts';
import { type Endpoint, created, endpoint, isProved, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { conflict, notFound, notSignedIn, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { beginCeremony } from '#backend/identity/factors/ceremonies.ts';
import { addSecondStep, changeOwn, refuseFurtherStep, removeSecondStep } from './change-own.ts';
import { findPasskeys, presentPasskey } from '#backend/identity/factors/passkeys.ts';
import { renewRecoveryCodes } from '#backend/identity/factors/recovery-codes.ts';
import {
  forgetBrowsers,
  listRememberedBrowsers,
  rememberedCookieName,
} from '#backend/identity/factors/remembered-browsers.ts';
import { CeremonyEntity, TotpKeyEntity } from '#backend/identity/factors/second-step-entities.ts';
import { countRecoveryCodes, isRequiredOf, methodsOf, readRule } from '#backend/identity/factors/second-steps.ts';
import {
  newTotpKey,
  openTotpKey,
  presentTotpKey,
  saveTotpKey,
  sealTotpKey,
  totpStepOf,
} from '#backend/identity/factors/totp.ts';

/** What members set up for a second step of their own: authenticator app, recovery codes, remembered browsers. */
export function secondStepRoutes(context: {
  config: IdentityConfig;
  database: Database;
  sealing: Sealing;
  securityMails: SecurityMails;
}): Endpoint[] {
  const { database, sealing } = context;
  const { reads } = database;
  return [
    endpoint({
      method: 'GET',
      path: '/api/auth/second-step',
      tag: 'sign-in',
      summary: 'Returns what the member has set up for a second step, and the browsers that are spared it.',
      access: 'member',
      isForSetUp: true,
      responses: { 200: secondStepStateSchema },
      handle: async ({ actor, cookie, isSecure }) => {
        const user = await findUser(reads, actor.id);
        if (!user) throw notSignedIn();
        const reason = lockedBecause(context.config, user.email);
        const totp = await reads.getRepository(TotpKeyEntity).findOneBy({ userId: user.id });
        return ok({
          isRequired: isRequiredOf(await readRule(reads), user),
          isProved: isProved(actor),
          totpSince: totp && new Date(totp.createdAt).toISOString(),
          passkeys: (await findPasskeys(reads, user.id)).map(presentPasskey),
          recoveryCodesLeft: await countRecoveryCodes(reads, user.id),
          browsers: await listRememberedBrowsers(reads, user, cookie(rememberedCookieName(isSecure))),
          ...(reason !== undefined && { lockedBecause: reason }),
        } satisfies SecondStepState);
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/second-step/totp',
      tag: 'sign-in',
      summary: 'Begins to set up an authenticator app: returns the key for it, which a code has to confirm.',
      access: 'member',
      proof: 'always',
      isForSetUp: true,
      responses: { 201: totpKeySchema },
      errors: [409],
      handle: async ({ actor, ip }) => {
        const key = newTotpKey();
        await changeOwn(context, { actor, ip }, async (tx, user) => {
          await refuseFurtherStep(tx, context.config, user);
          await tx.getRepository(CeremonyEntity).delete({ kind: 'totp', boundTo: actor.sessionId });
          const data = sealTotpKey(sealing, actor.id, key);
          await beginCeremony(tx, { kind: 'totp', userId: actor.id, boundTo: actor.sessionId, data });
        });
        return created(presentTotpKey(key, actor.email));
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/second-step/totp/confirm',
      tag: 'sign-in',
      summary:
        'Sets the authenticator app up by a code that it shows, in the place of one before. With a first second step the answer has the recovery codes.',
      access: 'member',
      proof: 'always',
      isForSetUp: true,
      body: totpConfirmationSchema,
      responses: { 200: recoveryCodesSchema },
      errors: [409],
      handle: async ({ actor, ip, body }) => {
        const recoveryCodes = await addSecondStep(context, { actor, ip }, 'totp_added', async (tx, { id: userId }) => {
          const ceremonies = tx.getRepository(CeremonyEntity);
          const begun = await ceremonies.findOneBy({ kind: 'totp', userId, boundTo: actor.sessionId });
          if (!begun?.data || begun.expiresAt < Date.now()) {
            throw conflict('This took too long. Begin again, and scan the new code.');
          }
          const step = totpStepOf(openTotpKey(sealing, userId, begun.data), body.code);
          if (step === undefined) {
            throw unacceptable('This code is wrong. Check that the clock of your device is right.', [
              { path: 'code', message: 'is wrong' },
            ]);
          }
          await ceremonies.delete({ id: begun.id });
          await saveTotpKey(tx, { userId, sealed: begun.data, lastStep: step });
          return null;
        });
        return ok(recoveryCodes ? { recoveryCodes } : {});
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/auth/second-step/totp',
      tag: 'sign-in',
      summary: 'Removes the authenticator app, with the last second step also recovery codes and remembered browsers.',
      access: 'member',
      proof: 'always',
      responses: { 204: 'no content' },
      errors: [404, 409],
      handle: async ({ actor, ip }) => {
        refuseBreakGlass(context.config, actor.email);
        await removeSecondStep(context, { actor, ip }, 'totp_removed', async (tx, { id: userId }) => {
          const { affected } = await tx.getRepository(TotpKeyEntity).delete({ userId });
          if (affected !== 1) throw notFound('There is no authenticator app to remove.');
          return null;
        });
        return noContent();
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/second-step/recovery-codes',
      tag: 'sign-in',
      summary: 'Makes ten new recovery codes, which are shown this once; those before are good no more.',
      access: 'member',
      proof: 'always',
      responses: { 201: recoveryCodesSchema },
      errors: [409],
      handle: async ({ actor, ip }) => {
        refuseBreakGlass(context.config, actor.email);
        const recoveryCodes = await changeOwn(context, { actor, ip }, async (tx, user, author) => {
          if ((await methodsOf(tx, user.id)).length === 0) throw conflict('Set up a second step first.');
          await addAudit(tx, author, 'recovery_codes_renewed');
          await context.securityMails.add(tx, user, 'recovery_codes_renewed', author);
          return renewRecoveryCodes(tx, user.id);
        });
        return created({ recoveryCodes });
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/auth/second-step/browsers/:id',
      tag: 'sign-in',
      summary: 'Forgets a browser: the next sign-in there asks for the second step again.',
      access: 'member',
      params: secondStepIdParamsSchema,
      responses: { 204: 'no content' },
      handle: async ({ actor, ip, params }) => {
        await changeOwn(context, { actor, ip }, async (tx, user, author) => {
          const forgotten = await forgetBrowsers(tx, user.id, params.id);
          if (forgotten === 0) throw notFound('This browser is not remembered.');
          await addAudit(tx, author, 'browser_forgotten');
        });
        return noContent();
      },
    }),
    endpoint({
      method: 'DELETE',
      path: '/api/auth/second-step/browsers',
      tag: 'sign-in',
      summary: 'Forgets every remembered browser of the member.',
      access: 'member',
      responses: { 204: 'no content' },
      handle: async ({ actor, ip }) => {
        await changeOwn(context, { actor, ip }, async (tx, user, author) => {
          const forgotten = await forgetBrowsers(tx, user.id);
          if (forgotten > 0) await addAudit(tx, author, 'browser_forgotten', `${forgotten}`);
        });
        return noContent();
      },
    }),
  ];
}
