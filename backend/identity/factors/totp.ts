import { Secret, TOTP } from 'otpauth';
import { LessThan } from 'typeorm';
import type { TotpKey } from '#backend/contract/second-step.ts';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { conflict } from '#backend/platform/endpoint/errors.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import { TotpKeyEntity } from './second-step-entities.ts';

/** What every authenticator app understands: six digits by HMAC-SHA-1, a new code every 30 seconds (RFC 6238). */
const KIND = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** Bytes of a key: the length of the HMAC, as RFC 4226 section 4 recommends. */
const KEY_BYTES = 20;

/** Codes of so many steps before and after this one are taken, too: clocks differ, and people type slowly. */
const SKEW_STEPS = 1;

/** A new key, in base32. */
export const newTotpKey = (): string => new Secret({ size: KEY_BYTES }).base32;

/** The key as people type it, and as the address in the QR code. */
export const presentTotpKey = (key: string, email: string): TotpKey => ({
  key,
  uri: new TOTP({ ...KIND, issuer: PRODUCT_NAME, label: email, secret: Secret.fromBase32(key) }).toString(),
});

/** The time step whose code this is, of the steps that are taken now; undefined for a wrong code. */
export function totpStepOf(key: string, code: string, now: number = Date.now()): number | undefined {
  const token = code.replaceAll(/\s/g, '');
  const secret = Secret.fromBase32(key);
  const delta = TOTP.validate({ ...KIND, token, secret, timestamp: now, window: SKEW_STEPS });
  return delta === null ? undefined : Math.floor(now / 1000 / KIND.period) + delta;
}

/** A key is sealed for its member alone. */
export const totpOwner = (userId: string): string => `totp:${userId}`;

/** The key as it is stored. */
export const sealTotpKey = (sealing: Sealing, userId: string, key: string): string =>
  sealing.seal(key, totpOwner(userId));

/** The stored key. @throws {ProblemError} 409 when it cannot be decrypted: the data were restored without their secrets. */
export function openTotpKey(sealing: Sealing, userId: string, sealed: string): string {
  try {
    return sealing.open(sealed, totpOwner(userId));
  } catch {
    throw conflict(
      'This server can no longer check your authenticator app. Use a recovery code, or ask an administrator.',
    );
  }
}

/**
 * Accepts a code of the member's authenticator app, once: of two requests with the same code, on whatever servers, one
 * is accepted. False for a wrong code, and for one that is not newer than the last.
 *
 * @throws {ProblemError} 409 when the key cannot be decrypted
 */
export async function acceptTotp(
  tx: Transaction,
  sealing: Sealing,
  userId: string,
  code: string,
  now: number = Date.now(),
): Promise<boolean> {
  const keys = tx.getRepository(TotpKeyEntity);
  const stored = await keys.findOneBy({ userId });
  const step = stored ? totpStepOf(openTotpKey(sealing, userId, stored.sealed), code, now) : undefined;
  if (step === undefined) return false;
  const { affected } = await keys.update({ userId, lastStep: LessThan(step) }, { lastStep: step });
  return affected === 1;
}

/** Stores the key of a member, in the place of the one before. The code that confirmed it is used up. */
export async function saveTotpKey(
  tx: Transaction,
  { userId, sealed, lastStep }: { userId: string; sealed: string; lastStep: number },
): Promise<void> {
  const keys = tx.getRepository(TotpKeyEntity);
  await keys.delete({ userId });
  await keys.insert({ userId, sealed, lastStep, createdAt: Date.now() });
}
