import type { PasswordCheck } from '#backend/accounts/password-check.ts';
import { addAudit, authorOf } from '#backend/audit/audit-log.ts';
import type { AppContext } from '#backend/context.ts';
import { passkeyOptionsSchema, proofSchema } from '#backend/contract/second-step.ts';
import { type Endpoint, endpoint, noContent, ok } from '#backend/endpoint/endpoint.ts';
import { notSignedIn, unacceptable } from '#backend/endpoint/errors.ts';
import { onBehalfOf } from '#backend/sessions/on-behalf-of.ts';
import { SessionEntity } from '#backend/sessions/session-store.ts';
import type { Transaction } from '#backend/database/transaction.ts';
import { beginCeremony } from './ceremonies.ts';
import { type StepFailure, checkPasskey } from './check-second-step.ts';
import { assertionOptions, findPasskeys, relyingPartyOf } from './passkeys.ts';

/** A passkey stands for the password: so it verifies who uses it. */
const RULES = { isVerified: true };

/** Notes that somebody has just proved who they are. @throws {ProblemError} 401 when the session has ended */
export async function prove(tx: Transaction, sessionId: string): Promise<void> {
  // An update, never an upsert: a session that was ended meanwhile stays ended.
  const { affected } = await tx.getRepository(SessionEntity).update({ id: sessionId }, { provedAt: Date.now() });
  if (affected !== 1) throw notSignedIn();
}

/** How who is signed in proves again who they are, before they change how they sign in. */
export function proofRoutes({ database }: Pick<AppContext, 'database'>, check: PasswordCheck): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/proof',
      tag: 'sign-in',
      summary:
        'Proves again who the member is, by the password or a passkey: for ten minutes they may change how they sign in.',
      access: 'member',
      isForSetUp: true,
      body: proofSchema,
      responses: { 204: 'no content' },
      errors: [429],
      handle: async ({ actor, ip, origin, body }) => {
        const author = authorOf(actor, ip);
        if ('password' in body) {
          await check.confirm(actor, author, body.password, 'password');
          await database.transaction((tx) => prove(tx, actor.sessionId));
          return noContent();
        }
        const holder = { kind: 'proof', userId: actor.id, boundTo: actor.sessionId } as const;
        const own = onBehalfOf(database, author);
        const use = await checkPasskey(own, holder, body.credential, origin, RULES);
        let failure: StepFailure | undefined;
        await own.transaction(async (tx) => {
          failure = await use(tx);
          if (!failure) await prove(tx, actor.sessionId);
        });
        if (!failure) return noContent();
        const action = failure;
        await own.transaction((tx) => addAudit(tx, author, action));
        throw unacceptable('This passkey was not accepted.');
      },
    }),
    endpoint({
      method: 'POST',
      path: '/api/auth/proof/passkey-options',
      tag: 'sign-in',
      summary: 'Returns what a browser is asked with for one of the member’s passkeys, as a proof.',
      access: 'member',
      isForSetUp: true,
      responses: { 200: passkeyOptionsSchema },
      errors: [409],
      handle: async ({ actor, ip, origin }) => {
        relyingPartyOf(origin);
        const challenge = await onBehalfOf(database, authorOf(actor, ip)).transaction((tx) =>
          beginCeremony(tx, { kind: 'proof', userId: actor.id, boundTo: actor.sessionId }),
        );
        return ok(await assertionOptions({ origin, challenge }, RULES, await findPasskeys(database.reads, actor.id)));
      },
    }),
  ];
}
