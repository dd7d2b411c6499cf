import { expect, test } from 'vitest';
import { allOf, filesWith } from '#tests/support/product-code.ts';

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
