import { expect, it } from 'vitest';
import { suggestPassword } from './password-field.tsx';

it('suggests four groups of four letters and digits that cannot be mistaken', () => {
  for (let time = 0; time < 200; time += 1) {
    expect(suggestPassword()).toMatch(/^(?:[a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}$/);
  }
});

it('suggests another one each time', () => {
  expect(new Set(Array.from({ length: 100 }, () => suggestPassword())).size).toBe(100);
});

it('leaves out the bytes that would make some letters more likely than others', () => {
  const given = [Uint8Array.from({ length: 16 }, (_, at) => (at % 2 === 0 ? 248 : 0)), new Uint8Array(16).fill(30)];
  expect(suggestPassword(() => given.shift() ?? new Uint8Array(16))).toBe('aaaa-aaaa-9999-9999');
});
