import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { secondStepStateSchema } from '#backend/contract/second-step.ts';
import { SessionEntity } from '#backend/identity/sessions/session-store.ts';
import {
  FORGERIES,
  addTotp,
  optionsFrom,
  passkeyOrigin,
  pendingSignIn,
  secondStep,
  sendSigned,
  withPasskey,
} from '#tests/support/second-step-calls.ts';
import { AuthenticatorError, type Forged, SoftwareAuthenticator } from '#tests/support/software-authenticator.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

const SECOND_STEP = '/api/auth/login/second-step';

const passSecondStep = async (client: TestClient, device: SoftwareAuthenticator, forged?: Forged) => {
  const options = await optionsFrom(client, `${SECOND_STEP}/passkey-options`);
  return secondStep(client, { method: 'passkey', credential: device.get(options, forged) });
};
const forgetProof = (client: TestClient) =>
  server.database.transaction((tx) => tx.getRepository(SessionEntity).update({ userId: client.id }, { provedAt: 0 }));
const prove = async (client: TestClient, device: SoftwareAuthenticator, forged?: Forged) => {
  const options = await optionsFrom(client, '/api/auth/proof/passkey-options');
  return sendSigned(client, '/api/auth/proof', { credential: device.get(options, forged) });
};
const isProved = async (client: TestClient) =>
  secondStepStateSchema.parse(await (await must(client.get('/api/auth/second-step'))).json()).isProved;

describe('a passkey as the second step', () => {
  test('ends the sign-in, also of a plain security key that verifies nobody', async () => {
    const key = new SoftwareAuthenticator({ origin: passkeyOrigin(server), canVerify: false, isDiscoverable: false });
    const { member, email, device } = await withPasskey(server, key);
    await addTotp(server, member);
    const client = await pendingSignIn(server, email);
    expect(await (await passSecondStep(client, device)).json()).toEqual(member.session);
    // Alone it is not enough.
    const options = await optionsFrom(server.anonymous(), '/api/auth/login/passkey-options');
    expect(() => device.get(options)).toThrow(AuthenticatorError);
  });

  test.each(FORGERIES)('is refused when it was signed for %s', async (_what, forged) => {
    const { email, device } = await withPasskey(server);
    expect((await passSecondStep(await pendingSignIn(server, email), device, forged)).status).toBe(401);
  });

  test('is one of the account that gave the password, in the browser that did', async () => {
    const [one, other] = [await withPasskey(server), await withPasskey(server)];
    const [mine, theirs] = [await pendingSignIn(server, one.email), await pendingSignIn(server, other.email)];
    const options = (await optionsFrom(mine, `${SECOND_STEP}/passkey-options`)) as object;
    const foreign = other.device.get({ ...options, allowCredentials: [] });
    expect((await secondStep(mine, { method: 'passkey', credential: foreign })).status).toBe(401);
    const credential = one.device.get(await optionsFrom(mine, `${SECOND_STEP}/passkey-options`));
    expect((await secondStep(theirs, { method: 'passkey', credential })).status).toBe(401);
    const elsewhere = await pendingSignIn(server, one.email);
    expect((await secondStep(elsewhere, { method: 'passkey', credential })).status).toBe(401);
    expect((await secondStep(mine, { method: 'passkey', credential })).status).toBe(200);
  });
});

describe('a proof by passkey', () => {
  test('is one of the member’s own that verifies who uses it', async () => {
    const [{ member, device }, other] = [await withPasskey(server), await withPasskey(server)];
    await forgetProof(member);
    expect((await prove(member, device, { isVerified: false })).status).toBe(422);
    const options = (await optionsFrom(member, '/api/auth/proof/passkey-options')) as object;
    const foreign = other.device.get({ ...options, allowCredentials: [] });
    expect((await sendSigned(member, '/api/auth/proof', { credential: foreign })).status).toBe(422);
    expect(await isProved(member)).toBe(false);
    const copy = member.cookieHeader;
    expect((await prove(member, device)).status).toBe(204);
    expect(await isProved(member)).toBe(true);
    expect((await server.anonymous().get('/api/auth/session', { Cookie: copy })).status).toBe(401);
    const trail = await server.database.reads.getRepository(AuditEntity).findBy({ actorId: member.id });
    expect(trail.filter(({ action }) => action === 'proof_failed')).toHaveLength(2);
  });
});
