import { hash, randomBytes } from 'node:crypto';
import { IsNull } from 'typeorm';
import { RECOVERY_CODES } from '#backend/contract/second-step.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { RecoveryCodeEntity } from './second-step-entities.ts';

/** Crockford's base32: without letters that look like digits, and without U. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** 24 characters of 32: 120 bits, so that a plain hash is enough (OWASP ASVS 5, 6.5.2). */
const GROUPS = 6;
const GROUP_LENGTH = 4;

/** Six groups of four, as they are shown. */
export function newRecoveryCode(): string {
  const letters = [...randomBytes(GROUPS * GROUP_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  return Array.from({ length: GROUPS }, (_, group) =>
    letters.slice(group * GROUP_LENGTH, (group + 1) * GROUP_LENGTH),
  ).join('-');
}

/** What is stored of a code. Case, blanks and hyphens count for nothing, and look-alikes are read as what they look like. */
export const recoveryCodeHash = (userId: string, code: string): string => {
  const letters = code
    .toLowerCase()
    .replaceAll(/[^0-9a-z]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1');
  return hash('sha256', `recovery:${userId}:${letters}`);
};

/** Gives a member new codes, in the place of all before. Returns them: they are not stored. */
export async function renewRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode);
  const stored = tx.getRepository(RecoveryCodeEntity);
  await stored.delete({ userId });
  await stored.insert(codes.map((code) => ({ userId, codeHash: recoveryCodeHash(userId, code), usedAt: null })));
  return codes;
}

/** Accepts a recovery code, once: of two requests with the same code, on whatever servers, one is accepted. */
export async function acceptRecoveryCode(tx: Transaction, userId: string, code: string): Promise<boolean> {
  const { affected } = await tx
    .getRepository(RecoveryCodeEntity)
    .update({ userId, codeHash: recoveryCodeHash(userId, code), usedAt: IsNull() }, { usedAt: Date.now() });
  return affected === 1;
}
