import {
  addPasskey,
  addTotp,
  beginTotp,
  codeOf,
  optionsFrom,
  passkeyOrigin,
  pendingSignIn,
  secondStep,
  sendSigned,
  signInWithPasskey,
} from './second-step-calls.ts';
import { SoftwareAuthenticator } from './software-authenticator.ts';
import type { TestClient } from './test-client.ts';
import type { TestServer } from './test-server.ts';

const PATH = '/api/auth/second-step';

const state = async (member: TestClient) =>
  (await (await member.get(PATH)).json()) as { passkeys: { id: string }[]; browsers: { id: string }[] };

/** A call that gets each success of the routes about second steps. */
export function secondStepAnswers(
  world: () => { server: TestServer; admin: TestClient },
): Record<string, () => Promise<Response>> {
  const newAuthenticator = () => new SoftwareAuthenticator({ origin: passkeyOrigin(world().server) });
  const withTotp = async () => {
    const member = await world().server.signedIn();
    return { member, ...(await addTotp(world().server, member)) };
  };
  const withPasskey = async () => {
    const [member, authenticator] = [await world().server.signedIn(), newAuthenticator()];
    await addPasskey(member, authenticator);
    return { member, authenticator };
  };
  const withBrowser = async () => {
    const { member, recoveryCodes } = await withTotp();
    const browser = await pendingSignIn(world().server, member.session?.email ?? '');
    await secondStep(browser, { method: 'recovery_code', code: recoveryCodes[0], remember: true });
    return member;
  };
  return {
    'POST /api/auth/login/second-step 200': async () => {
      const { member, key } = await withTotp();
      const client = await pendingSignIn(world().server, member.session?.email ?? '');
      return secondStep(client, { method: 'totp', code: codeOf(key) });
    },
    'POST /api/auth/login/second-step/passkey-options 200': async () => {
      const { member } = await withPasskey();
      const client = await pendingSignIn(world().server, member.session?.email ?? '');
      return sendSigned(client, '/api/auth/login/second-step/passkey-options');
    },
    'POST /api/auth/login/passkey-options 200': () =>
      sendSigned(world().server.anonymous(), '/api/auth/login/passkey-options'),
    'POST /api/auth/login/passkey 200': async () => {
      const { authenticator } = await withPasskey();
      return signInWithPasskey(world().server.anonymous(), authenticator);
    },
    'POST /api/auth/proof 204': async () => {
      const { member, authenticator } = await withPasskey();
      const options = await optionsFrom(member, '/api/auth/proof/passkey-options');
      return sendSigned(member, '/api/auth/proof', { credential: authenticator.get(options) });
    },
    'POST /api/auth/proof/passkey-options 200': async () =>
      sendSigned((await withPasskey()).member, '/api/auth/proof/passkey-options'),
    'GET /api/auth/second-step 200': async () => (await withBrowser()).get(PATH),
    'POST /api/auth/second-step/totp 201': async () => (await world().server.signedIn()).send('POST', `${PATH}/totp`),
    'POST /api/auth/second-step/totp/confirm 200': async () => {
      const member = await world().server.signedIn();
      return member.send('POST', `${PATH}/totp/confirm`, { code: codeOf(await beginTotp(member)) });
    },
    'DELETE /api/auth/second-step/totp 204': async () => (await withTotp()).member.send('DELETE', `${PATH}/totp`),
    'POST /api/auth/second-step/recovery-codes 201': async () =>
      (await withTotp()).member.send('POST', `${PATH}/recovery-codes`),
    'DELETE /api/auth/second-step/browsers 204': async () => (await withBrowser()).send('DELETE', `${PATH}/browsers`),
    'DELETE /api/auth/second-step/browsers/{id} 204': async () => {
      const member = await withBrowser();
      return member.send('DELETE', `${PATH}/browsers/${(await state(member)).browsers[0]?.id}`);
    },
    'POST /api/auth/second-step/passkeys/options 200': async () =>
      sendSigned(await world().server.signedIn(), `${PATH}/passkeys/options`),
    'POST /api/auth/second-step/passkeys 201': async () =>
      addPasskey(await world().server.signedIn(), newAuthenticator()),
    'PATCH /api/auth/second-step/passkeys/{id} 200': async () => {
      const { member } = await withPasskey();
      return member.send('PATCH', `${PATH}/passkeys/${(await state(member)).passkeys[0]?.id}`, { name: 'New' });
    },
    'DELETE /api/auth/second-step/passkeys/{id} 204': async () => {
      const { member } = await withPasskey();
      return member.send('DELETE', `${PATH}/passkeys/${(await state(member)).passkeys[0]?.id}`);
    },
    'GET /api/auth/second-step-rule 200': () => world().admin.get('/api/auth/second-step-rule'),
    'PUT /api/auth/second-step-rule 200': () =>
      world().admin.send('PUT', '/api/auth/second-step-rule', { requiredFor: 'nobody' }),
    'POST /api/auth/users/{id}/reset-second-step 200': async () =>
      world().admin.send('POST', `/api/auth/users/${(await withTotp()).member.id}/reset-second-step`),
  };
}
