import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secondStepStateSchema } from '#backend/contract/second-step.ts';
import { type TestRedis, hasCluster, startRedis } from '#tests/support/redis.ts';
import {
  addPasskey,
  addTotp,
  beginTotp,
  codeOf,
  optionsFrom,
  pendingSignIn,
  secondStep,
  sendSigned,
  wrongCode,
} from '#tests/support/second-step-calls.ts';
import { SoftwareAuthenticator } from '#tests/support/software-authenticator.ts';
import { TestClient } from '#tests/support/test-client.ts';
import { TEST_PASSWORD, type TestServer, startTestServer } from '#tests/support/test-server.ts';
import { must } from '#tests/support/write-routes.ts';

const ORIGIN = 'http://localhost:4400';

let redis: TestRedis;
let one: TestServer;
let other: TestServer;

/** The same browser, on another server. */
function onServer(server: TestServer, client: TestClient): TestClient {
  const same = new TestClient(server.url);
  for (const [name, value] of client.cookies) same.cookies.set(name, value);
  same.session = client.session;
  return same;
}
/** The same request of two browsers, each on another server, at the same moment. */
const onBoth = async (send: (server: TestServer) => Promise<Response>) =>
  (await Promise.all([send(one), send(other)])).map(({ status }) => status).toSorted();

describe.skipIf(!hasCluster)('two servers', () => {
  beforeAll(async () => {
    redis = await startRedis();
    one = await startTestServer({ REDIS_URL: redis.url, PUBLIC_URL: ORIGIN });
    other = await one.startSecond();
  });
  afterAll(async () => {
    await other?.stop();
    await one?.destroy();
    await redis?.stop();
  });

  test('take a code, a recovery code and a challenge once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const member = await one.signedIn();
      const email = member.session?.email ?? '';
      const { key, recoveryCodes } = await addTotp(one, member);
      const code = codeOf(key);
      const answers = [
        { method: 'totp', code },
        { method: 'recovery_code', code: recoveryCodes[0] },
      ];
      for (const answer of answers) {
        const pending = { one: await pendingSignIn(one, email), other: await pendingSignIn(other, email) };
        const send = (server: TestServer) => secondStep(server === one ? pending.one : pending.other, answer);
        expect(await onBoth(send)).toEqual([200, 401]);
      }
      const device = new SoftwareAuthenticator({ origin: ORIGIN, hasCounter: false });
      await must(addPasskey(member, device));
      const credential = device.get(await optionsFrom(one.anonymous(), '/api/auth/login/passkey-options'));
      const sign = (server: TestServer) => sendSigned(server.anonymous(), '/api/auth/login/passkey', { credential });
      expect(await onBoth(sign)).toEqual([200, 401]);
    }
  });

  test('go on where the other began: sign-in, set-up and ceremonies', async () => {
    const member = await one.signedIn();
    const elsewhere = onServer(other, member);
    const key = await beginTotp(member);
    await must(elsewhere.send('POST', '/api/auth/second-step/totp/confirm', { code: codeOf(key) }));
    const device = new SoftwareAuthenticator({ origin: ORIGIN });
    const options = await optionsFrom(member, '/api/auth/second-step/passkeys/options');
    const made = { name: 'Phone', credential: device.create(options) };
    await must(elsewhere.send('POST', '/api/auth/second-step/passkeys', made));

    const pending = onServer(other, await pendingSignIn(one, member.session?.email ?? ''));
    const asked = await optionsFrom(pending, '/api/auth/login/second-step/passkey-options');
    const last = onServer(one, pending);
    expect((await secondStep(last, { method: 'passkey', credential: device.get(asked) })).status).toBe(200);
    const state = await (await must(onServer(other, last).get('/api/auth/second-step'))).json();
    expect(secondStepStateSchema.parse(state)).toMatchObject({ passkeys: [{ name: 'Phone' }], isProved: true });
  });

  test('count wrong codes together, and forget a browser at once', async () => {
    const member = await one.signedIn();
    const email = member.session?.email ?? '';
    const { key, recoveryCodes } = await addTotp(one, member);
    const browser = await pendingSignIn(one, email);
    await must(secondStep(browser, { method: 'recovery_code', code: recoveryCodes[0], remember: true }));
    await must(onServer(other, member).send('DELETE', '/api/auth/second-step/browsers'));
    const again = await must(browser.send('POST', '/api/auth/login', { email, password: TEST_PASSWORD }));
    expect(await again.json()).toHaveProperty('secondStep');

    const strangers = [await pendingSignIn(one, email), await pendingSignIn(other, email)];
    const statuses: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      const stranger = strangers[count % 2] as TestClient;
      statuses.push((await secondStep(stranger, { method: 'totp', code: wrongCode(key) })).status);
    }
    expect([statuses.indexOf(429), statuses.at(-1)]).toEqual([10, 429]);
  });
});
