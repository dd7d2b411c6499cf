import type { CountedAudit } from '#backend/identity/audit/counted-audit.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { PasswordCheck } from '#backend/identity/users/password-check.ts';
import { type Author, addAudit, authorOf } from '#backend/identity/audit/audit-log.ts';
import { passkeyOptionsSchema, proofSchema } from '#backend/contract/second-step.ts';
import { type Endpoint, endpoint, noContent, ok } from '#backend/platform/endpoint/endpoint.ts';
import { unacceptable } from '#backend/platform/endpoint/errors.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { renewedCookies } from '#backend/identity/sessions/session-cookies.ts';
import { SessionEntity, renewSession } from '#backend/identity/sessions/session-store.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { beginCeremony } from '#backend/identity/factors/ceremonies.ts';
import { checkPasskey } from '#backend/identity/factors/check-second-step.ts';
import { assertionOptions, findPasskeys, relyingPartyOf } from '#backend/identity/factors/passkeys.ts';

/** A passkey stands for the password: so it verifies who uses it. */
const RULES = { isVerified: true };

/**
 * Notes that somebody has just proved who they are, and gives their session another token: whoever has a copy of the one
 * before has no part in the proof. Returns the session's new token and id.
 *
 * @param detail by what, for the audit trail
 * @throws {ProblemError} 401 when the session has ended
 */
export async function prove(
  tx: Transaction,
  author: Author & { sessionId: string },
  detail: string,
): Promise<{ token: string; id: string }> {
  const renewed = await renewSession(tx, author.sessionId);
  await tx.getRepository(SessionEntity).update({ id: renewed.id }, { provedAt: Date.now() });
  await addAudit(tx, author, 'proof_given', null, { detail });
  return renewed;
}

/** What the audit trail says of a passkey whose counter was seen before. */
const REGRESSED = 'its counter went back, as that of a copy would';

/** How who is signed in proves again who they are, before they change how they sign in. */
export function proofRoutes(
  { countedAudit, database, sessionSecret }: { countedAudit: CountedAudit; database: Database; sessionSecret: string },
  check: PasswordCheck,
): Endpoint[] {
  return [
    endpoint({
      method: 'POST',
      path: '/api/auth/proof',
      tag: 'sign-in',
      summary:
        'Proves again who the member is, by the password or a passkey: for ten minutes they may change how they sign in. The answer sets the cookies of the session again.',
      access: 'member',
      isForSetUp: true,
      body: proofSchema,
      responses: { 204: 'no content' },
      errors: [429],
      handle: async ({ actor, ip, origin, body, isSecure }) => {
        const author = { ...authorOf(actor, ip), sessionId: actor.sessionId };
        const proved = (session: { token: string; id: string }) => {
          return noContent({ cookies: renewedCookies(sessionSecret, isSecure, session) });
        };
        if ('password' in body) {
          await check.confirm(actor, author, body.password, 'proof');
          return proved(await database.transaction((tx) => prove(tx, author, 'password')));
        }
        const holder = { kind: 'proof', userId: actor.id, boundTo: actor.sessionId } as const;
        const own = onBehalfOf(database, author);
        const { check: use, about } = await checkPasskey(own, holder, body.credential, origin, RULES);
        const outcome = await own.transaction(async (tx) => {
          const failure = await use(tx);
          if (!failure) return prove(tx, author, `passkey: ${about}`);
          return failure === 'passkey_counter_regressed' ? REGRESSED : about;
        });
        if (typeof outcome !== 'string') return proved(outcome);
        const detail = `passkey: ${outcome}`;
        await countedAudit.repeated(`${actor.sessionId} ${outcome}`, { author, action: 'proof_failed', detail });
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
