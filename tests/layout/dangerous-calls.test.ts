import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';

/** Sources of the product, without tests. */
const filesIn = (...folders: string[]): string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(PROJECT_DIR, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name).replaceAll('\\', '/'))
      .filter((name) => /\.tsx?$/.test(name) && !/\.(?:test|spec)\.tsx?$/.test(name)),
  );

/** The code of a file without comments, which may name what the code avoids. */
const codeOf = (file: string): string =>
  readFileSync(join(PROJECT_DIR, file), 'utf8')
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/(?<![:'"`])\/\/.*$/gm, '');

const filesWith = (pattern: RegExp, ...folders: string[]): string[] =>
  filesIn(...folders)
    .filter((file) => pattern.test(codeOf(file)))
    .toSorted();

/** Each text that a pattern's first group has in these folders, once. */
const allOf = (pattern: RegExp, ...folders: string[]): string[] => [
  ...new Set(filesIn(...folders).flatMap((file) => [...codeOf(file).matchAll(pattern)].map(([, found = '']) => found))),
];

const PRODUCT = ['backend', 'renderer', 'electron'];

test('no text is run as code, and no command but the product’s own files', () => {
  expect(filesWith(/\beval\(|\bnew Function\b/, ...PRODUCT)).toEqual([]);
  // Runs a function of the product with a limit of time.
  expect(filesWith(/node:vm/, ...PRODUCT)).toEqual(['backend/intake/reading/run-bounded.ts']);
  // Windows' own program that reads the registry, by its whole path and with fixed arguments.
  expect(filesWith(/child_process/, ...PRODUCT)).toEqual(['electron/app/policy.ts']);
});

test('AES-256-GCM is the only cipher', () => {
  expect(filesWith(/create(?:Cipher|Decipher)/, ...PRODUCT)).toEqual(['backend/platform/secrets/sealing.ts']);
  expect(allOf(/'(aes-[\w-]+)'/gi, ...PRODUCT)).toEqual(['aes-256-gcm']);
});

test('SHA-1 is where a sender or an authenticator app asks for it, and MD5 nowhere', () => {
  expect(filesWith(/sha-?1\b/i, ...PRODUCT)).toEqual([
    'backend/identity/factors/totp.ts',
    'backend/intake/signatures/sns-signature.ts',
  ]);
  expect(filesWith(/\bmd[245]\b/i, ...PRODUCT)).toEqual([]);
});

test('random numbers that may be guessed are for pauses and samples', () => {
  expect(filesWith(/Math\.random/, ...PRODUCT)).toEqual([
    'backend/outgoing/destinations/backoff.ts',
    'backend/outgoing/push/deliver-message.ts',
    'backend/platform/database/database.ts',
    'backend/platform/tracing/open-telemetry.ts',
    'renderer/live/connection.ts',
    'renderer/live/latency-sample.ts',
    'renderer/live/resync.ts',
  ]);
});
