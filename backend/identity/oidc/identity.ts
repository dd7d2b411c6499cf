import { EntitySchema, type EntityManager } from 'typeorm';
import type { Identity } from '#backend/contract/oidc.ts';
import { idColumn, nullable, primary, textColumn, timeColumn } from '#backend/platform/database/columns.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { type ProvidedClaims, subjectHashOf } from './claims.ts';
import type { OidcProvider } from '#backend/identity/users/oidc-config.ts';

/** Who a member is at a provider: issuer and subject, never the e-mail, which may go to somebody else one day. */
export interface StoredIdentity {
  id: string;
  userId: string;
  /** The provider's id in the configuration when it was last used. */
  provider: string;
  issuer: string;
  /** SHA-256 of issuer and subject. */
  subjectHash: string;
  /** As the provider said when it was linked. */
  email: string | null;
  createdAt: number;
  lastUsedAt: number | null;
}

export const IdentityEntity = new EntitySchema<StoredIdentity>({
  name: 'Identity',
  tableName: 'identities',
  columns: {
    id: primary(idColumn('id')),
    userId: idColumn('user_id'),
    provider: textColumn('provider', 32),
    issuer: textColumn('issuer', 500),
    subjectHash: textColumn('subject_hash', 64),
    email: nullable(textColumn('email', 254)),
    createdAt: timeColumn('created_at'),
    lastUsedAt: nullable(timeColumn('last_used_at')),
  },
});

/** An identity as its member sees it. */
export function presentIdentity(
  { id, provider, email, createdAt, lastUsedAt }: StoredIdentity,
  providers: readonly OidcProvider[],
): Identity {
  return {
    id,
    provider,
    providerName: providers.find((one) => one.id === provider)?.name ?? null,
    email,
    createdAt: new Date(createdAt).toISOString(),
    lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
  };
}

/** The identity that a provider speaks of; null when nobody is linked to it. */
export const findIdentity = (manager: EntityManager, claims: ProvidedClaims): Promise<StoredIdentity | null> =>
  manager.getRepository(IdentityEntity).findOneBy({ subjectHash: subjectHashOf(claims) });

/** A member's identities, oldest first. */
export const identitiesOf = (manager: EntityManager, userId: string): Promise<StoredIdentity[]> =>
  manager.getRepository(IdentityEntity).find({ where: { userId }, order: { id: 'ASC' } });

/** Whether a member is linked to somebody at this issuer. There is one for each issuer. */
export const isLinkedTo = (manager: EntityManager, userId: string, issuer: string): Promise<boolean> =>
  manager.getRepository(IdentityEntity).existsBy({ userId, issuer });

/** Links a member, whose row is locked, to who they are at a provider. Two at once fail by the unique index. */
export async function insertIdentity(
  tx: Transaction,
  userId: string,
  provider: OidcProvider,
  claims: ProvidedClaims,
): Promise<void> {
  await tx.getRepository(IdentityEntity).insert({
    id: newId(),
    userId,
    provider: provider.id,
    issuer: claims.issuer,
    subjectHash: subjectHashOf(claims),
    email: claims.email ?? null,
    createdAt: Date.now(),
    lastUsedAt: null,
  });
}

/**
 * Notes a use, in the session's transaction, with the provider's id: it may be another one in the configuration by now. False
 * when the identity was removed meanwhile.
 */
export async function useIdentity(
  tx: Transaction,
  { userId, subjectHash, provider }: Pick<StoredIdentity, 'userId' | 'subjectHash' | 'provider'>,
): Promise<boolean> {
  const { affected } = await tx
    .getRepository(IdentityEntity)
    .update({ userId, subjectHash }, { provider, lastUsedAt: Date.now() });
  return affected === 1;
}
