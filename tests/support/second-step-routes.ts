import { secondStepStateSchema } from '#backend/contract/second-step.ts';
import { addTotp, beginTotp, codeOf, pendingSignIn, secondStep } from './second-step-calls.ts';
import { SoftwareAuthenticator } from './software-authenticator.ts';
import type { TestClient } from './test-client.ts';
import { TEST_PASSWORD } from './test-server.ts';
import { type Prepare, type WriteWorld, must } from './write-routes.ts';

const PATH = '/api/auth/second-step';

const authenticatorOf = ({ server: { config } }: WriteWorld) =>
  new SoftwareAuthenticator({ origin: config.publicUrl?.origin ?? '' });

/** A passkey as a browser has made it for the member. */
const newPasskey = async (world: WriteWorld, member: TestClient) => {
  const options: unknown = await (await must(member.send('POST', `${PATH}/passkeys/options`))).json();
  return { name: 'Phone', credential: authenticatorOf(world).create(options) };
};

/** Adds a passkey; returns its path. */
const addedPasskey = async (world: WriteWorld, member: TestClient): Promise<string> => {
  await must(member.send('POST', `${PATH}/passkeys`, await newPasskey(world, member)));
  const { passkeys } = secondStepStateSchema.parse(await (await must(member.get(PATH))).json());
  return `${PATH}/passkeys/${passkeys[0]?.id}`;
};

/** Remembers a browser of the member's. */
const remember = async ({ server }: WriteWorld, member: TestClient) => {
  const { recoveryCodes } = await addTotp(server, member);
  const browser = await pendingSignIn(server, member.session?.email ?? '');
  await must(secondStep(browser, { method: 'recovery_code', code: recoveryCodes[0], remember: true }));
  const state = await (await must(member.get(PATH))).json();
  return secondStepStateSchema.parse(state).browsers[0]?.id;
};

/**
 * The routes on which a member changes how they sign in, with a request to each that succeeds. The server's PUBLIC_URL has a
 * name, to which passkeys belong.
 */
export const SECOND_STEP_ROUTES: Record<string, Prepare> = {
  'POST /api/auth/proof': async () => ({ path: '/api/auth/proof', body: { password: TEST_PASSWORD } }),
  'POST /api/auth/proof/passkey-options': async () => ({ path: '/api/auth/proof/passkey-options' }),
  'POST /api/auth/second-step/totp': async () => ({ path: `${PATH}/totp` }),
  'POST /api/auth/second-step/totp/confirm': async (_world, member) => ({
    path: `${PATH}/totp/confirm`,
    body: { code: codeOf(await beginTotp(member)) },
  }),
  'DELETE /api/auth/second-step/totp': async ({ server }, member) => {
    await addTotp(server, member);
    return { path: `${PATH}/totp` };
  },
  'POST /api/auth/second-step/recovery-codes': async ({ server }, member) => {
    await addTotp(server, member);
    return { path: `${PATH}/recovery-codes` };
  },
  'DELETE /api/auth/second-step/browsers': async (world, member) => {
    await remember(world, member);
    return { path: `${PATH}/browsers` };
  },
  'DELETE /api/auth/second-step/browsers/:id': async (world, member) => ({
    path: `${PATH}/browsers/${await remember(world, member)}`,
  }),
  'POST /api/auth/second-step/passkeys/options': async () => ({ path: `${PATH}/passkeys/options` }),
  'POST /api/auth/second-step/passkeys': async (world, member) => ({
    path: `${PATH}/passkeys`,
    body: await newPasskey(world, member),
  }),
  'PATCH /api/auth/second-step/passkeys/:id': async (world, member) => ({
    path: await addedPasskey(world, member),
    body: { name: 'Another name' },
  }),
  'DELETE /api/auth/second-step/passkeys/:id': async (world, member) => ({ path: await addedPasskey(world, member) }),
  'PUT /api/auth/second-step-rule': async () => ({
    path: '/api/auth/second-step-rule',
    body: { requiredFor: 'nobody' },
  }),
  'POST /api/auth/users/:id/reset-second-step': async ({ server }) => ({
    path: `/api/auth/users/${(await server.addUser()).id}/reset-second-step`,
  }),
};
