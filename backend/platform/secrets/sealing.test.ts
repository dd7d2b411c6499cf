import { expect, test } from 'vitest';
import { createSealing, newSealingKey } from './sealing.ts';

const sealing = createSealing(newSealingKey());

test('a sealed secret is readable for its owner, and twice sealed it differs', () => {
  const secrets = ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD', 'ключ 🔑', 'x'.repeat(4_000)];
  for (const secret of secrets) {
    const sealed = sealing.seal(secret, 'one');
    expect(sealed).not.toContain(secret);
    expect(sealed).not.toBe(sealing.seal(secret, 'one'));
    expect(sealing.open(sealed, 'one')).toBe(secret);
  }
});

test('another owner, another key or a changed text cannot be read', () => {
  const sealed = sealing.seal('It is a Secret to Everybody', 'one');
  expect(() => sealing.open(sealed, 'two')).toThrow(/authenticate/);
  expect(() => createSealing(newSealingKey()).open(sealed, 'one')).toThrow(/authenticate/);
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  for (const index of [0, 12, 28, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => sealing.open(`v1.${changed.toString('base64url')}`, 'one')).toThrow(/authenticate/);
  }
  for (const damaged of ['', 'v1.', 'v1.AAAA', sealed.replace('v1', 'v2')]) {
    expect(() => sealing.open(damaged, 'one')).toThrow('A sealed secret is damaged.');
  }
});
