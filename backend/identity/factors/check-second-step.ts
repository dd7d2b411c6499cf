import type { Database } from '#backend/platform/database/database.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import type { User } from '#backend/identity/users/user.ts';
import { addAudit } from '#backend/identity/audit/audit-log.ts';
import type { PasskeyAssertion, SecondStepAnswer } from '#backend/contract/second-step.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { takeCeremony } from './ceremonies.ts';
import {
  type AssertionRules,
  type Expected,
  challengeOf,
  findPasskey,
  usePasskey,
  verifyAssertion,
} from './passkeys.ts';
import { acceptRecoveryCode } from './recovery-codes.ts';
import type { StoredCeremony } from './second-step-entities.ts';
import { countRecoveryCodes } from './second-steps.ts';
import { acceptTotp } from './totp.ts';

/** Why a step was not passed, as the audit trail has it. */
export type StepFailure = 'second_step_failed' | 'passkey_counter_regressed';

/** Passes a step in the transaction that depends on it, or says why not; then it has changed nothing. */
export type StepCheck = (tx: Transaction) => Promise<StepFailure | undefined>;

/** The check of a passkey, and what the audit trail says of it: what it is called, or why it cannot pass. */
export interface PasskeyCheck {
  check: StepCheck;
  about: string;
}

const failed = (about: string): PasskeyCheck => ({ check: async () => 'second_step_failed', about });

type CheckContext = { database: Database; sealing: Sealing };

/**
 * Checks what can be checked of a second step before its transaction: a passkey's challenge is used up, its signature
 * verified.
 *
 * @param pending the sign-in whose second step it is
 */
export async function checkSecondStep(
  { database, sealing }: CheckContext,
  { user, ip, pending, origin }: { user: User; ip: string; pending: StoredCeremony; origin: string },
  answer: SecondStepAnswer,
): Promise<StepCheck> {
  if (answer.method === 'passkey') {
    const holder = { userId: user.id, boundTo: pending.id };
    const began = { kind: 'passkey_second_step', ...holder } as const;
    return (await checkPasskey(database, began, answer.credential, origin, {})).check;
  }
  if (answer.method === 'totp') {
    return async (tx) => ((await acceptTotp(tx, sealing, user.id, answer.code)) ? undefined : 'second_step_failed');
  }
  return async (tx) => {
    if (!(await acceptRecoveryCode(tx, user.id, answer.code))) return 'second_step_failed';
    const left = await countRecoveryCodes(tx, user.id);
    await addAudit(tx, { id: user.id, name: user.email, ip }, 'recovery_code_used', `${left} left`);
    return undefined;
  };
}

/** Checks a passkey of a member who is known, for the ceremony that was begun with them. */
export async function checkPasskey(
  database: Pick<Database, 'reads' | 'transaction'>,
  { kind, userId, boundTo }: Pick<StoredCeremony, 'kind' | 'userId' | 'boundTo'>,
  credential: PasskeyAssertion,
  origin: Expected['origin'],
  rules: AssertionRules,
): Promise<PasskeyCheck> {
  const challenge = challengeOf(credential);
  const ceremony = await takeCeremony(database, kind, challenge, { userId, boundTo });
  if (!challenge || !ceremony) return failed('too late, or sent twice');
  const passkey = await findPasskey(database.reads, credential);
  if (!passkey || passkey.userId !== userId) return failed('unknown, or somebody else’s');
  const assertion = await verifyAssertion(credential, passkey, { origin, challenge }, rules);
  if (!assertion) return failed('signature not accepted');
  return { check: (tx) => usePasskey(tx, assertion), about: passkey.name };
}
