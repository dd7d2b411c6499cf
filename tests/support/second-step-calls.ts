import { Secret, TOTP } from 'otpauth';
import { recoveryCodesSchema, totpKeySchema } from '#backend/contract/second-step.ts';
import { TotpKeyEntity } from '#backend/identity/factors/second-step-entities.ts';
import { type Forged, SoftwareAuthenticator } from './software-authenticator.ts';
import { type TestClient, nameOf } from './test-client.ts';
import { TEST_PASSWORD, type TestServer } from './test-server.ts';
import { must } from './write-routes.ts';

/** Where passkeys of this server are made and used: none belongs to an IP address. */
export const passkeyOrigin = ({ url }: Pick<TestServer, 'url'>): string => nameOf(url);

/** What an authenticator app shows for this key, so many seconds from now. */
export const codeOf = (key: string, inSeconds = 0): string =>
  new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: Date.now() + inSeconds * 1000 });

/** A code that is wrong in all three steps of now. */
export const wrongCode = (key: string): string => {
  const right = new Set([-30, 0, 30].map((seconds) => codeOf(key, seconds)));
  return ['000000', '111111', '222222', '333333'].find((code) => !right.has(code)) ?? '';
};

/** Begins to set up an authenticator app. Returns its key. */
export const beginTotp = async (client: TestClient): Promise<string> =>
  totpKeySchema.parse(await (await must(client.send('POST', '/api/auth/second-step/totp'))).json()).key;

/** A member with an authenticator app that has not shown a code yet. */
export async function addTotp(
  server: TestServer,
  client: TestClient,
): Promise<{ key: string; recoveryCodes: string[] }> {
  const key = await beginTotp(client);
  const confirm = { code: codeOf(key) };
  const answer = await must(client.send('POST', '/api/auth/second-step/totp/confirm', confirm));
  // Its next code comes in half a minute only.
  await server.database.transaction((tx) =>
    tx.getRepository(TotpKeyEntity).update({ userId: client.id }, { lastStep: 0 }),
  );
  const { recoveryCodes = [] } = recoveryCodesSchema.parse(await answer.json());
  return { key, recoveryCodes };
}

/** A browser that has given the right password of an account with a second step. */
export async function pendingSignIn(
  server: Pick<TestServer, 'anonymous'>,
  email: string,
  password: string = TEST_PASSWORD,
): Promise<TestClient> {
  const client = server.anonymous();
  await must(client.send('POST', '/api/auth/login', { email, password }));
  return client;
}

/** The second step, from a browser that has given the right password. */
export const secondStep = (client: TestClient, answer: Record<string, unknown>): Promise<Response> =>
  sendSigned(client, '/api/auth/login/second-step', answer);

/** What a browser is asked with. */
export const optionsFrom = async (client: TestClient, path: string): Promise<unknown> =>
  (await must(sendSigned(client, path))).json();

/** Sends what an authenticator has signed, as a page that was opened by the server's name. */
export async function sendSigned(client: TestClient, path: string, body?: unknown): Promise<Response> {
  const { usesName } = client;
  client.usesName = true;
  const answer = client.send('POST', path, body);
  client.usesName = usesName;
  return answer;
}

/** Adds a passkey. Returns the answer. */
export async function addPasskey(
  client: TestClient,
  authenticator: SoftwareAuthenticator,
  name = 'A passkey',
): Promise<Response> {
  const options = await optionsFrom(client, '/api/auth/second-step/passkeys/options');
  const credential = authenticator.create(options);
  return sendSigned(client, '/api/auth/second-step/passkeys', { name, credential });
}

/** Signs in with a passkey alone. */
export async function signInWithPasskey(client: TestClient, authenticator: SoftwareAuthenticator): Promise<Response> {
  const options = await optionsFrom(client, '/api/auth/login/passkey-options');
  return sendSigned(client, '/api/auth/login/passkey', { credential: authenticator.get(options) });
}

/** A member with a passkey on a device of theirs. */
export async function withPasskey(
  server: TestServer,
  device = new SoftwareAuthenticator({ origin: passkeyOrigin(server) }),
) {
  const member = await server.signedIn();
  const answer = await must(addPasskey(member, device, 'Phone'));
  const { recoveryCodes = [] } = recoveryCodesSchema.parse(await answer.json());
  return { member, email: member.session?.email ?? '', device, recoveryCodes };
}

/** What an attacker may make an authenticator sign, each of which is refused. */
export const FORGERIES: [string, Forged][] = [
  ['another site', { origin: 'https://alerts.example.com.attacker.example' }],
  ['another port of the same host', { origin: 'http://localhost:1' }],
  ['another relying party', { rpId: 'attacker.example' }],
  ['a frame on another site', { crossOrigin: true }],
  ['another challenge', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
  ['another type of ceremony', { type: 'payment.get' }],
  ['nobody who was there', { isPresent: false }],
];
