import { type EntityManager, In, IsNull } from 'typeorm';
import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import type { User } from '#backend/identity/users/user.ts';
import type { Role } from '#backend/contract/session.ts';
import type { SecondStepMethod, SecondStepRule } from '#backend/contract/second-step.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import {
  CeremonyEntity,
  PasskeyEntity,
  RecoveryCodeEntity,
  RememberedBrowserEntity,
  SecondStepRuleEntity,
  TotpKeyEntity,
} from './second-step-entities.ts';

/** The rule's one row. */
export const RULE = 1;

/** Nobody has to have a second step. */
export const NO_RULE: SecondStepRule = { requiredFor: 'nobody' };

/** Of these members, those who have a second step: an authenticator app or a passkey. */
export async function withSecondStep(manager: EntityManager, userIds: string[]): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set();
  const where = { userId: In(userIds) };
  const select = { userId: true } as const;
  const [keys, passkeys] = await Promise.all([
    manager.getRepository(TotpKeyEntity).find({ select, where }),
    manager.getRepository(PasskeyEntity).find({ select, where }),
  ]);
  return new Set([...keys, ...passkeys].map(({ userId }) => userId));
}

/** By what a member may pass the second step; empty when they have none. Recovery codes alone are none. */
export async function methodsOf(manager: EntityManager, userId: string): Promise<SecondStepMethod[]> {
  const hasTotp = await manager.getRepository(TotpKeyEntity).existsBy({ userId });
  const hasPasskey = await manager.getRepository(PasskeyEntity).existsBy({ userId });
  if (!hasTotp && !hasPasskey) return [];
  const hasCode = await countRecoveryCodes(manager, userId);
  return [
    ...(hasTotp ? (['totp'] as const) : []),
    ...(hasPasskey ? (['passkey'] as const) : []),
    ...(hasCode > 0 ? (['recovery_code'] as const) : []),
  ];
}

/** How many codes of a member are left. */
export const countRecoveryCodes = (manager: EntityManager, userId: string): Promise<number> =>
  manager.getRepository(RecoveryCodeEntity).countBy({ userId, usedAt: IsNull() });

/** Who has to have a second step. */
export async function readRule(manager: EntityManager): Promise<SecondStepRule> {
  const rule = await manager.getRepository(SecondStepRuleEntity).findOneBy({ id: RULE });
  return { requiredFor: (rule ?? NO_RULE).requiredFor };
}

/** Decides who has to have a second step, from their next call on. */
export async function writeRule(tx: Transaction, { requiredFor }: SecondStepRule): Promise<void> {
  await tx.getRepository(SecondStepRuleEntity).update({ id: RULE }, { requiredFor });
}

/** Whether a member of this role has to have a second step. Super users see every alert, as administrators do. */
export const isRequiredOf = ({ requiredFor }: SecondStepRule, { role }: { role: Role }): boolean =>
  requiredFor === 'everybody' || (requiredFor === 'administrators' && role !== 'user');

/** Whether a provider asks for everything by itself, so that this server asks whoever signs in there for no second step. */
export const isEnough = (provider: string | null, { oidcProviders }: Pick<IdentityConfig, 'oidcProviders'>): boolean =>
  oidcProviders.some(({ id, secondStep }) => id === provider && !secondStep);

/**
 * Whether a member for whom something acts without a session, an API token or an account of a chat, has to set up a second
 * step first. Who signs in at a provider that is enough has none to set up.
 */
export async function mustSetUp(
  manager: EntityManager,
  user: Pick<User, 'id' | 'role'>,
  config: Pick<IdentityConfig, 'oidcProviders'>,
): Promise<boolean> {
  if (!isRequiredOf(await readRule(manager), user)) return false;
  if ((await methodsOf(manager, user.id)).length > 0) return false;
  const rows: { provider: string }[] = await manager.query('SELECT provider FROM identities WHERE user_id = ?', [
    user.id,
  ]);
  return !rows.some(({ provider }) => isEnough(provider, config));
}

/** Removes what goes with the last second step: recovery codes and remembered browsers. */
export async function removeCompanions(tx: Transaction, userId: string): Promise<void> {
  for (const entity of [RecoveryCodeEntity, RememberedBrowserEntity]) await tx.getRepository(entity).delete({ userId });
}

/** Removes every second step of a member, with what goes with it and what is in progress. */
export async function removeSecondSteps(tx: Transaction, userId: string): Promise<void> {
  for (const entity of [TotpKeyEntity, PasskeyEntity, CeremonyEntity])
    await tx.getRepository(entity).delete({ userId });
  await removeCompanions(tx, userId);
}
