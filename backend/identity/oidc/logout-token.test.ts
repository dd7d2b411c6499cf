import { generateKeyPair, exportJWK, SignJWT } from 'jose';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitFor } from '#tests/support/wait-for.ts';
import { createLogoutTokens } from './logout-token.ts';

const ISSUER = 'https://id.example.com';

let server: Server;
let asked: ServerResponse[];
let keysAt: URL;
let steadyMs: number;
beforeEach(async () => {
  asked = [];
  server = createServer((_request, response) => void asked.push(response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  keysAt = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`);
  steadyMs = performance.now();
  vi.spyOn(performance, 'now').mockImplementation(() => steadyMs);
});
afterEach(() => {
  vi.restoreAllMocks();
  server.closeAllConnections();
  server.close();
});

/** A provider's key, and a token that it signs. */
async function makeKey(kid: string) {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const token = await new SignJWT({ sub: 'ada', events: { 'http://schemas.openid.net/event/backchannel-logout': {} } })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuer(ISSUER)
    .setAudience('alertdesk')
    .setIssuedAt()
    .setJti(kid)
    .sign(privateKey);
  return { token, published: { ...(await exportJWK(publicKey)), kid } };
}

const tokens = () => {
  const read = createLogoutTokens(Date.now);
  return (token: string) => read.read(token, { issuer: ISSUER, clientId: 'alertdesk', keysAt });
};
const publish = (keys: object[], status = 200) => {
  for (const response of asked.splice(0)) response.writeHead(status).end(JSON.stringify({ keys }));
};
const outcomes = async (results: Promise<unknown>[]) => (await Promise.allSettled(results)).map(({ status }) => status);

test('keys are fetched once for all tokens of a moment, and for made-up keys once in ten seconds', async () => {
  const read = tokens();
  const [good, foreign] = [await makeKey('good'), await makeKey('foreign')];
  const first = [read(foreign.token), read(good.token), read(foreign.token)];
  await waitFor(() => expect(asked).toHaveLength(1));
  publish([good.published]);
  expect(await outcomes(first)).toEqual(['rejected', 'fulfilled', 'rejected']);

  steadyMs += 10_000;
  const second = Array.from({ length: 20 }, () => read(foreign.token));
  await waitFor(() => expect(asked).toHaveLength(1));
  // Who is known waits for nobody.
  expect(await read(good.token)).toMatchObject({ subject: 'ada' });
  publish([good.published, foreign.published]);
  expect(new Set(await outcomes(second))).toEqual(new Set(['fulfilled']));
});

test('a provider whose keys cannot be had is asked once in ten seconds; what was read before goes on', async () => {
  const read = tokens();
  const [good, foreign] = [await makeKey('good'), await makeKey('foreign')];
  const first = [read(good.token), read(good.token)];
  await waitFor(() => expect(asked).toHaveLength(1));
  publish([], 500);
  expect(await outcomes([...first, read(good.token)])).toEqual(['rejected', 'rejected', 'rejected']);

  steadyMs += 10_000;
  const again = read(good.token);
  await waitFor(() => expect(asked).toHaveLength(1));
  publish([good.published]);
  await again;
  steadyMs += 10_000;
  const unknown = read(foreign.token);
  await waitFor(() => expect(asked).toHaveLength(1));
  publish([], 500);
  expect(await outcomes([unknown, read(foreign.token), read(good.token)])).toEqual([
    'rejected',
    'rejected',
    'fulfilled',
  ]);
  expect(asked).toEqual([]);
});
