import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AuditEntity } from '#backend/identity/audit/audit-log.ts';
import { secondStepStateSchema } from '#backend/contract/second-step.ts';
import { CHALLENGES_PER_NETWORK } from '#backend/identity/second-step/passkey-sign-in.ts';
import { PasskeyEntity } from './second-step-entities.ts';
import {
  FORGERIES,
  addPasskey,
  optionsFrom,
  passkeyOrigin,
  pendingSignIn,
  sendSigned,
  signInWithPasskey,
  withPasskey,
} from '#tests/support/second-step-calls.ts';
import {
  type Abilities,
  AuthenticatorError,
  type Forged,
  SoftwareAuthenticator,
} from '#tests/support/software-authenticator.ts';
import type { TestClient } from '#tests/support/test-client.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.destroy());

const PATH = '/api/auth/second-step/passkeys';
const SIGN_IN = '/api/auth/login/passkey';
const SECOND_STEP = '/api/auth/login/second-step';

const phone = (abilities: Partial<Abilities> = {}) =>
  new SoftwareAuthenticator({ origin: passkeyOrigin(server), ...abilities });
const stateOf = async (client: TestClient) =>
  secondStepStateSchema.parse(await (await must(client.get('/api/auth/second-step'))).json());
const actionsOf = async (actorId: string) =>
  (await server.database.reads.getRepository(AuditEntity).find({ where: { actorId }, order: { id: 'ASC' } })).map(
    ({ action }) => action,
  );

describe('a passkey', () => {
  test('is added under a name; the first second step comes with recovery codes', async () => {
    const { member, recoveryCodes } = await withPasskey(server);
    expect(recoveryCodes).toHaveLength(10);
    expect((await stateOf(member)).passkeys).toMatchObject([{ name: 'Phone', isSynced: false, lastUsedAt: null }]);
    const again = await must(addPasskey(member, phone(), 'Key'));
    expect(await again.json()).toEqual({});
    expect(await actionsOf(member.id)).toEqual(['signed_in', 'passkey_added', 'passkey_added']);
  });

  test('is renamed by its owner alone, and the audit trail says how it was called', async () => {
    const { member } = await withPasskey(server);
    const [passkey] = (await stateOf(member)).passkeys;
    const rename = (name: string, by = member) => by.send('PATCH', `${PATH}/${passkey?.id}`, { name });
    const answer = await must(rename('  Work laptop '));
    expect(await answer.json()).toEqual({ ...passkey, name: 'Work laptop' });
    expect((await stateOf(member)).passkeys).toEqual([{ ...passkey, name: 'Work laptop' }]);
    // The same name again is no change.
    await must(rename('Work laptop'));
    const entries = await server.database.reads
      .getRepository(AuditEntity)
      .findBy({ actorId: member.id, action: 'passkey_renamed' });
    expect(entries.map(({ subject }) => subject)).toEqual(['Phone → Work laptop']);

    expect((await rename('Mine', await server.signedIn())).status).toBe(404);
    for (const name of [' ', 'x'.repeat(61)]) expect((await rename(name)).status).toBe(422);
    expect((await stateOf(member)).passkeys).toMatchObject([{ name: 'Work laptop' }]);
  });

  test('is made for this server and this member, without what is there already', async () => {
    const { member, device } = await withPasskey(server);
    const options = await optionsFrom(member, `${PATH}/options`);
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Alertdesk' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
    expect(() => device.create(options)).toThrow(AuthenticatorError);
  });

  test.each(FORGERIES)('that is made for %s is not added', async (_what, forged) => {
    const member = await server.signedIn();
    const credential = phone().create(await optionsFrom(member, `${PATH}/options`), forged);
    const answer = await sendSigned(member, PATH, { name: 'Phone', credential });
    expect(answer.status).toBe(422);
    expect((await stateOf(member)).passkeys).toEqual([]);
  });

  test('is added once, in the session that asked for it', async () => {
    const [member, other] = [await server.signedIn(), await server.signedIn()];
    const credential = phone().create(await optionsFrom(member, `${PATH}/options`));
    const add = (client: TestClient) => sendSigned(client, PATH, { name: 'Phone', credential });
    expect((await add(other)).status).toBe(422);
    const answers = await Promise.all([add(member), add(member), add(member)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
  });

  test('of another member cannot be registered again', async () => {
    const { device } = await withPasskey(server);
    const other = await server.signedIn();
    const [credential] = device.credentials;
    const options = await optionsFrom(other, `${PATH}/options`);
    const made = phone();
    const forgery = made.create(options);
    // The attacker's own key under the victim's id.
    const id = Buffer.from(credential?.id ?? '', 'base64url');
    const object = Buffer.from(forgery.response.attestationObject, 'base64url');
    const at = object.indexOf(Buffer.from(forgery.id, 'base64url'));
    id.copy(object, at);
    const stolen = {
      ...forgery,
      id: credential?.id,
      rawId: credential?.id,
      response: { ...forgery.response, attestationObject: object.toString('base64url') },
    };
    expect((await sendSigned(other, PATH, { name: 'Mine', credential: stolen })).status).toBe(409);
  });

  test('is removed by its owner alone; with the last one recovery codes go', async () => {
    const { member, email, device } = await withPasskey(server);
    const stranger = await server.signedIn();
    const [passkey] = (await stateOf(member)).passkeys;
    expect((await stranger.send('DELETE', `${PATH}/${passkey?.id}`)).status).toBe(404);
    expect((await member.send('DELETE', `${PATH}/${passkey?.id}`)).status).toBe(204);
    expect((await member.send('DELETE', `${PATH}/${passkey?.id}`)).status).toBe(404);
    expect((await stateOf(member)).recoveryCodesLeft).toBe(0);
    expect((await signInWithPasskey(server.anonymous(), device)).status).toBe(401);
    await server.anonymous().signIn(email, 'correct horse');
  });

  test('needs a name: under an IP address there are none', async () => {
    const member = await server.signedIn();
    const answer = await member.send('POST', `${PATH}/options`);
    expect([answer.status, await answer.text()]).toEqual([
      409,
      'Passkeys require a host name, and this page was opened by an IP address. Use an authenticator app.',
    ]);
    expect((await server.anonymous().send('POST', `${SIGN_IN}-options`)).status).toBe(409);
  });

  test('belongs to the host of PUBLIC_URL, whatever address the request has', async () => {
    const own = await startTestServer({ PUBLIC_URL: 'https://alerts.example.com' });
    const member = await own.signedIn();
    const device = new SoftwareAuthenticator({ origin: 'https://alerts.example.com' });
    expect((await addPasskey(member, device)).status).toBe(201);
    expect((await signInWithPasskey(own.anonymous(), device)).status).toBe(200);
    await own.destroy();
  });
});

/** Posts under a host name of the client's choice, which `fetch` does not let it choose. */
const postUnder = (host: string, url: string, body: object) =>
  new Promise<[status: number | undefined, text: string]>((resolve, reject) => {
    const headers = { Host: host, 'Content-Type': 'application/json' };
    request(url, { method: 'POST', headers }, (response) => {
      void text(response).then((answer) => resolve([response.statusCode, answer]), reject);
    })
      .on('error', reject)
      .end(JSON.stringify(body));
  });

describe('signing in with a passkey alone', () => {
  test('on a page of another port is refused, although the request has its Host', async () => {
    const { device } = await withPasskey(server);
    const options = await optionsFrom(server.anonymous(), `${SIGN_IN}-options`);
    const credential = device.get(options, { origin: 'http://localhost:9999' });
    const answer = await postUnder('localhost:9999', server.url + SIGN_IN, { credential });
    expect(answer).toEqual([409, expect.stringContaining('PUBLIC_URL')]);
    expect((await postUnder('localhost:9999', `${server.url + SIGN_IN}-options`, {}))[0]).toBe(409);
  });

  test('needs neither e-mail nor password, and counts as both steps', async () => {
    const { member, device } = await withPasskey(server);
    const client = server.anonymous();
    const answer = await signInWithPasskey(client, device);
    expect(await answer.json()).toEqual(member.session);
    expect((await client.get('/api/auth/session')).status).toBe(200);
    expect((await stateOf(client)).passkeys[0]?.lastUsedAt).not.toBeNull();
  });

  test.each([
    ...FORGERIES,
    ['a device that did not verify who uses it', { isVerified: false }] as [string, Forged],
    ['a device that does not say whose it is', { userHandle: undefined }] as [string, Forged],
    ['a device that says it is somebody else’s', { userHandle: 'AAAA' }] as [string, Forged],
  ])('is refused when it was signed for %s', async (_what, forged) => {
    const { device } = await withPasskey(server);
    const client = server.anonymous();
    const options = await optionsFrom(client, `${SIGN_IN}-options`);
    const answer = await sendSigned(client, SIGN_IN, { credential: device.get(options, forged) });
    expect(answer.status).toBe(401);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('is refused with a broken signature, and to an unknown passkey', async () => {
    const { device } = await withPasskey(server);
    const sign = async (by: SoftwareAuthenticator) =>
      by.get(await optionsFrom(server.anonymous(), `${SIGN_IN}-options`));
    const credential = await sign(device);
    const bytes = Buffer.from(credential.response.signature, 'base64url');
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
    const signature = bytes.toString('base64url');
    const broken = { ...credential, response: { ...credential.response, signature } };
    expect((await sendSigned(server.anonymous(), SIGN_IN, { credential: broken })).status).toBe(401);

    const unknown = phone();
    const member = await server.signedIn();
    unknown.create(await optionsFrom(member, `${PATH}/options`));
    expect((await sendSigned(server.anonymous(), SIGN_IN, { credential: await sign(unknown) })).status).toBe(401);
    const trail = server.database.reads.getRepository(AuditEntity);
    const failed = await trail.find({ where: { action: 'sign_in_failed' }, order: { id: 'DESC' }, take: 2 });
    expect(failed.map(({ detail }) => detail)).toEqual(['unknown passkey', 'signature not accepted']);
  });

  test('takes each challenge once, also of two at the same moment', async () => {
    const { device } = await withPasskey(server, phone({ hasCounter: false }));
    const client = server.anonymous();
    const credential = device.get(await optionsFrom(client, `${SIGN_IN}-options`));
    const answers = await Promise.all([1, 2, 3].map(() => sendSigned(server.anonymous(), SIGN_IN, { credential })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
    expect((await sendSigned(client, SIGN_IN, { credential })).status).toBe(401);
  });

  test('takes a challenge of its own ceremony only', async () => {
    const { member, email, device } = await withPasskey(server);
    const pending = await pendingSignIn(server, email);
    const options = (await optionsFrom(pending, `${SECOND_STEP}/passkey-options`)) as object;
    const credential = device.get({ ...options, allowCredentials: [] });
    expect((await sendSigned(server.anonymous(), SIGN_IN, { credential })).status).toBe(401);
    const proof = device.get(await optionsFrom(member, '/api/auth/proof/passkey-options'));
    expect((await sendSigned(server.anonymous(), SIGN_IN, { credential: proof })).status).toBe(401);
  });

  test('is refused to a disabled account, and after its second steps were reset', async () => {
    const admin = await server.signedIn({ role: 'admin' });
    const [disabled, reset] = [await withPasskey(server), await withPasskey(server)];
    await must(admin.send('PATCH', `/api/auth/users/${disabled.member.id}/toggle-active`));
    await must(admin.send('POST', `/api/auth/users/${reset.member.id}/reset-second-step`));
    for (const { device } of [disabled, reset]) {
      expect((await signInWithPasskey(server.anonymous(), device)).status).toBe(401);
    }
  });

  test('of a copied authenticator is refused and recorded: its counter did not grow', async () => {
    const { member, device } = await withPasskey(server);
    const copy = device.clone();
    expect((await signInWithPasskey(server.anonymous(), device)).status).toBe(200);
    expect((await signInWithPasskey(server.anonymous(), device)).status).toBe(200);
    expect((await signInWithPasskey(server.anonymous(), copy)).status).toBe(401);
    expect(await actionsOf(member.id)).toContain('passkey_counter_regressed');
    // The one that counts on goes on.
    expect((await signInWithPasskey(server.anonymous(), device)).status).toBe(200);
    const [stored] = await server.database.reads.getRepository(PasskeyEntity).findBy({ userId: member.id });
    expect(stored?.signCount).toBe(4);
  });

  test('works with authenticators that do not count', async () => {
    const { device } = await withPasskey(server, phone({ hasCounter: false }));
    for (let count = 0; count < 3; count += 1) {
      expect((await signInWithPasskey(server.anonymous(), device)).status).toBe(200);
    }
  });

  test('challenges are limited for each network, but for those that members sign in by', async () => {
    const own = await startTestServer({ TRUST_PROXY: '1' });
    const { device } = await withPasskey(own);
    expect((await signInWithPasskey(own.anonymous(), device)).status).toBe(200);
    const ask = async (address: string) => {
      const stranger = own.anonymous();
      stranger.usesName = true;
      const headers = { 'X-Forwarded-For': address };
      return (await stranger.send('POST', `${SIGN_IN}-options`, undefined, headers)).status;
    };
    const statuses: number[] = [];
    for (let count = 0; count <= CHALLENGES_PER_NETWORK; count += 1) statuses.push(await ask('127.0.0.1'));
    expect([statuses[0], statuses.at(-2), statuses.at(-1)]).toEqual([200, 200, 429]);
    expect(await ask('203.0.113.2')).toBe(200);
    await own.destroy();
  });
});
