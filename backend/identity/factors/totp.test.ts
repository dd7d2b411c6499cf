import { describe, expect, test } from 'vitest';
import { newRecoveryCode, recoveryCodeHash } from './recovery-codes.ts';
import { newTotpKey, presentTotpKey, totpStepOf } from './totp.ts';

/** "12345678901234567890" in base32: the key of RFC 6238, appendix B. */
const KEY = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('a code', () => {
  // The last six of its eight digits.
  test.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [1_234_567_890, '005924', 41_152_263],
    [20_000_000_000, '353130', 666_666_666],
  ])('is that of RFC 6238 at second %i', (second, code, step) => {
    expect(totpStepOf(KEY, code, second * 1000)).toBe(step);
    expect(totpStepOf(KEY, ` ${code.slice(0, 3)} ${code.slice(3)} `, second * 1000)).toBe(step);
    expect(totpStepOf(KEY, code, (second + 30) * 1000)).toBe(step);
    expect(totpStepOf(KEY, code, (second - 30) * 1000)).toBe(step);
    expect(totpStepOf(KEY, code, (second + 60) * 1000)).toBeUndefined();
    expect(totpStepOf(KEY, code, (second - 60) * 1000)).toBeUndefined();
  });

  test('of another key or another length is wrong', () => {
    expect(totpStepOf(newTotpKey(), '287082', 59_000)).toBeUndefined();
    for (const code of ['', '28708', '2870820', 'abcdef', '94287082']) {
      expect(totpStepOf(KEY, code, 59_000)).toBeUndefined();
    }
  });
});

test('a key has 160 bits, and an address that names product and account', () => {
  const key = newTotpKey();
  expect(key).toMatch(/^[A-Z2-7]{32}$/);
  expect(newTotpKey()).not.toBe(key);
  expect(presentTotpKey(KEY, 'mara+desk@example.com').uri).toBe(
    `otpauth://totp/Alertdesk:mara%2Bdesk%40example.com?issuer=Alertdesk&secret=${KEY}&algorithm=SHA1&digits=6&period=30`,
  );
});

describe('a recovery code', () => {
  test('has 120 bits in six groups of four', () => {
    const codes = new Set(Array.from({ length: 1_000 }, newRecoveryCode));
    expect(codes.size).toBe(1_000);
    for (const code of codes) expect(code).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{4}-){5}[0-9a-hjkmnp-tv-z]{4}$/);
  });

  test('is the same however it is typed, and another one for another member', () => {
    const hash = recoveryCodeHash('one', '01ab-cdef-ghjk-mnpq-rstv-wxyz');
    expect(recoveryCodeHash('one', ' O1AB CDEF ghjk-mnpq–rstv.wxyz\n')).toBe(hash);
    expect(recoveryCodeHash('one', 'oiabcdefghjkmnpqrstvwxyz')).toBe(hash);
    expect(recoveryCodeHash('two', '01ab-cdef-ghjk-mnpq-rstv-wxyz')).not.toBe(hash);
    expect(recoveryCodeHash('one', '01ab-cdef-ghjk-mnpq-rstv-wxy')).not.toBe(hash);
  });
});
