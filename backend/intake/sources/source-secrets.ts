import { type Sealing, openOrNone } from '#backend/platform/secrets/sealing.ts';
import { randomBytes } from 'node:crypto';
import { LessThan } from 'typeorm';
import { ROTATION_MS, type SecretKind, type SourceSettings } from '#backend/contract/source.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { conflict, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { isKeyOf } from '#backend/intake/signatures/hmac-schemes.ts';
import { SourceSecretEntity, type StoredSourceSecret } from './source-entity.ts';
import { isLive, secretHashOf } from './source-registry.ts';

/** Secrets begin with this, so that a leaked one is recognised. */
const PREFIXES = { key: 'ad_', token: 'adt_' } as const;

/** Characters of a secret that are shown once it was made. */
const HINT_LENGTH = 4;

/** An expired secret is remembered so long, so that a sender that still uses it is distinguished from a stranger. */
const EXPIRED_MEMORY_MS = 90 * 24 * 60 * 60 * 1000;

/** A signing secret as its sender has it; undefined where it was sealed under a key that is not here. */
export const openSigningSecret = (
  sealing: Sealing,
  { id, sealed }: Pick<StoredSourceSecret, 'id' | 'sealed'>,
): string | undefined => openOrNone(sealing, sealed ?? '', id);

/** What lists and the delivery log show of a secret. */
export const hintOf = (plain: string): string => plain.slice(-HINT_LENGTH).toWellFormed();

/** A new key or token of 256 random bits, or a key that senders have: the row to store, and the text that is shown this once. */
export function newSourceSecret(
  sourceId: string,
  kind: Exclude<SecretKind, 'signing'>,
  createdBy: string | null,
  now: number,
  ownKey?: string,
): { row: StoredSourceSecret; plain: string } {
  const plain = ownKey ?? PREFIXES[kind] + randomBytes(32).toString('base64url');
  return {
    row: { ...emptySecret(sourceId, kind, createdBy, now), hash: secretHashOf(plain), hint: hintOf(plain) },
    plain,
  };
}

/** A secret to verify signatures with, encrypted. */
export function newSigningSecret(
  sealing: Sealing,
  sourceId: string,
  plain: string,
  createdBy: string,
  now: number,
): StoredSourceSecret {
  const row = emptySecret(sourceId, 'signing', createdBy, now);
  return { ...row, sealed: sealing.seal(plain, row.id), hint: hintOf(plain) };
}

/** A row without what makes it a secret. */
const emptySecret = (
  sourceId: string,
  kind: SecretKind,
  createdBy: string | null,
  createdAt: number,
): StoredSourceSecret => ({
  id: newId(),
  sourceId,
  kind,
  hash: null,
  sealed: null,
  hint: '',
  createdAt,
  createdBy,
  expiresAt: null,
  lastUsedAt: null,
  lastUsedFrom: null,
});

/** @throws {ProblemError} 422 for a secret that is no key of the scheme that the source requires */
export function requireKey({ auth }: Pick<SourceSettings, 'auth'>, plain: string): void {
  if (isKeyOf(auth.signature, plain)) return;
  throw unacceptable('The signing secret is no key of this scheme: Standard Webhooks show whsec_ and base64.');
}

/**
 * Some secret verifies the signature that is required.
 *
 * @throws {ProblemError} 409 without a signing secret, 422 when none is a key of the scheme
 */
export async function requireVerifiable(
  tx: Transaction,
  { sealing }: { sealing: Sealing },
  sourceId: string,
  { auth }: SourceSettings,
): Promise<void> {
  if (auth.signature === null) return;
  const now = Date.now();
  const secrets: StoredSourceSecret[] = await tx
    .getRepository(SourceSecretEntity)
    .findBy({ sourceId, kind: 'signing' });
  const live = secrets.filter((secret) => isLive(secret, now));
  const keys = live.flatMap((secret) => openSigningSecret(sealing, secret) ?? []);
  if (keys.length === 0) {
    const message = 'Add the signing secret first: without it every request would be refused.';
    throw conflict(message, [{ path: 'signingSecret', message }]);
  }
  requireKey({ auth }, keys.find((plain) => isKeyOf(auth.signature, plain)) ?? '');
}

/**
 * Has the current secret of a kind expire in 24 hours, and forgets those that expired long ago, and signing secrets that nobody
 * can open any more.
 */
export async function makeSpace(
  tx: Transaction,
  { sealing }: { sealing: Sealing },
  sourceId: string,
  kind: SecretKind,
  now: number,
): Promise<void> {
  const secrets = tx.getRepository(SourceSecretEntity);
  const stored = await secrets.findBy({ sourceId, kind });
  const isLost = (secret: StoredSourceSecret) =>
    secret.kind === 'signing' && openSigningSecret(sealing, secret) === undefined;
  for (const { id } of stored.filter(isLost)) await secrets.delete({ id });
  const live = stored.filter((secret) => isLive(secret, now) && !isLost(secret));
  const old = live.find(({ expiresAt }) => expiresAt !== null);
  if (old?.expiresAt) {
    const until = new Date(old.expiresAt).toISOString();
    throw conflict(`An older credential works until ${until} beside the current one. Expire it first.`);
  }
  for (const { id } of live) await secrets.update({ id }, { expiresAt: now + ROTATION_MS });
  await secrets.delete({ sourceId, expiresAt: LessThan(now - EXPIRED_MEMORY_MS) });
}
