import { afterAll, beforeAll, expect, test } from 'vitest';
import { findUserByEmail } from '#backend/identity/users/user.ts';
import type { AppContext } from '#backend/server/context.ts';
import { addTotp } from '#tests/support/second-step-calls.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { afterPassword, providerOf } from './after-password.ts';
import { ceremonyIdOf } from '#backend/identity/factors/ceremonies.ts';
import { CeremonyEntity } from '#backend/identity/factors/second-step-entities.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

const COMPANY = { id: 'company', name: 'Company', sealedIdToken: 'sealed' };

test.each([
  ['a password', undefined],
  ['a provider', COMPANY],
])('a sign-in that waits for its second step keeps that it began by %s', async (_, by) => {
  const member = await server.signedIn();
  await addTotp(server, member);
  const { reads } = server.database;
  const user = await findUserByEmail(reads, member.session?.email ?? '');
  if (!user) throw new Error('There is no such member.');
  const request = { cookie: () => undefined, ip: '127.0.0.1', isLocal: true, isSecure: false, userAgent: '' };
  // The rest of the context is for a session, which begins after the second step only.
  const context = { database: server.database } as AppContext;
  const reply = await afterPassword(context, request, user, { ...(by && { by }) });
  expect(reply?.body).toEqual({ secondStep: ['totp', 'recovery_code'] });
  const token = reply?.cookies?.[0]?.value ?? '';
  const pending = await reads.getRepository(CeremonyEntity).findOneByOrFail({ id: ceremonyIdOf(token) });
  expect(pending).toMatchObject({ kind: 'sign_in', userId: user.id });
  expect(providerOf(pending)).toEqual(by);
});
