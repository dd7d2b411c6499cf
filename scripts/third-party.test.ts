import { expect, test } from 'vitest';
import { listThirdParty, writeLicenses } from './third-party.ts';

/** Licences that ask for no more than their text, or for changes to their own files, of which there are none here. */
const ACCEPTED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-3.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'Python-2.0',
  'Unlicense',
  'WTFPL',
  'Zlib',
]);

/** Whether the terms of an SPDX expression can be met: one of its choices, and all that stand together. */
const isAccepted = (license: string): boolean =>
  license
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(/ and /i).every((one) => ACCEPTED.has(one.trim())));

test('every package states a licence whose terms can be met', async () => {
  const packages = await listThirdParty();
  expect(packages.length).toBeGreaterThan(500);
  const others = packages.filter(({ license }) => license === undefined || !isAccepted(license));
  expect(others.map(({ name, license }) => `${name}: ${license}`)).toEqual([]);
});

test('the licences that ship have the packages with their texts, those with the same text together', async () => {
  const text = await writeLicenses();
  expect(text).toMatch(/^koa \d+\.\d+\.\d+ \(MIT\)$/m);
  expect(text).toContain('Permission is hereby granted, free of charge');
  expect(text).toMatch(/^d3-array .* \(ISC\)$/m);
  expect(text).not.toMatch(/^vitest /m);
});
