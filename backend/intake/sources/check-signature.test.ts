import { expect, test } from 'vitest';
import { DEFAULT_SOURCE_SETTINGS } from '#backend/contract/source.ts';
import { type SignatureDeps, checkSignature } from './check-signature.ts';
import type { KnownSource } from './source-registry.ts';

const REQUIRED = 'A key without the signature that this source requires';

/** A source that requires GitHub's signature. Nothing is verified where the request has another one. */
const source = {
  secrets: [],
  settings: { ...DEFAULT_SOURCE_SETTINGS, auth: { ...DEFAULT_SOURCE_SETTINGS.auth, signature: 'github' } },
} as unknown as KnownSource;

test.each([
  ['none', {}],
  ['one of another sender’s secret', { 'stripe-signature': 't=1,v1=00' }],
  ['one that anybody can have of Amazon', { 'x-amz-sns-message-type': 'Notification' }],
])('a request with %s is refused where another signature is required', async (_, headers) => {
  const checked = await checkSignature({ now: () => 0 } as SignatureDeps, source, headers, Buffer.from('{}'));
  expect(checked).toEqual({ reason: REQUIRED });
});
