import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SessionEntity } from '#backend/identity/sessions/session-store.ts';
import { type TestServer, startTestServer } from '#tests/support/test-server.ts';

let server: TestServer;
const start = async (proxies: string) => {
  server = await startTestServer({ TRUST_PROXY: proxies, ALLOWED_HOSTS: 'alerts.example.com,127.0.0.1' });
};
const statusFor = async (forwarded: string) =>
  (await fetch(`${server.url}/healthz`, { headers: { 'X-Forwarded-Host': forwarded } })).status;
const hasSecureCookies = async (forwarded: string) => {
  const { email } = await server.addUser();
  const response = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-Proto': forwarded },
    body: JSON.stringify({ email, password: 'correct horse' }),
  });
  return response.headers.getSetCookie().every((cookie) => /; secure/i.test(cookie));
};

describe('without a proxy', () => {
  beforeAll(() => start('0'));
  afterAll(() => server.destroy());

  test('what a client says of host and protocol is not believed', async () => {
    expect(await statusFor('evil.example')).toBe(200);
    expect(await hasSecureCookies('https')).toBe(false);
  });
});

describe('behind one proxy', () => {
  beforeAll(() => start('1'));
  afterAll(() => server.destroy());

  test.each([
    ['alerts.example.com', 200],
    ['evil.example, alerts.example.com', 200],
    ['alerts.example.com, evil.example', 421],
    ['', 200],
  ])('the host is the one that the proxy added: %j', async (forwarded, status) => {
    expect(await statusFor(forwarded)).toBe(status);
  });

  test('names of ALLOWED_HOSTS stand in the place of the default, but not of the host of PUBLIC_URL', async () => {
    const named = await startTestServer({
      TRUST_PROXY: '1',
      ALLOWED_HOSTS: 'api.opsgenie.com',
      PUBLIC_URL: 'https://alerts.example.com',
    });
    const statuses: number[] = [];
    for (const host of ['api.opsgenie.com', 'alerts.example.com', 'localhost', 'evil.example'])
      statuses.push((await fetch(`${named.url}/healthz`, { headers: { 'X-Forwarded-Host': host } })).status);
    await named.destroy();
    expect(statuses).toEqual([200, 200, 421, 421]);
  });

  test('so are IPv6 addresses, however they are written', async () => {
    const named = await startTestServer({
      TRUST_PROXY: '1',
      ALLOWED_HOSTS: '2001:DB8:0::6,[2001:db8::7]',
      PUBLIC_URL: 'http://[2001:db8::5]:4400',
    });
    const statuses: number[] = [];
    for (const host of ['[2001:db8::5]:4400', '[2001:db8::6]', '[2001:db8::7]:80', '[2001:db8::8]'])
      statuses.push((await fetch(`${named.url}/healthz`, { headers: { 'X-Forwarded-Host': host } })).status);
    await named.destroy();
    expect(statuses).toEqual([200, 200, 200, 421]);
  });

  test.each([
    ['https', true],
    ['http, https', true],
    ['https, http', false],
  ])('so is the protocol: %j', async (forwarded, isSecure) => {
    expect(await hasSecureCookies(forwarded)).toBe(isSecure);
  });
});

describe('behind a proxy that says by which address a client asks', () => {
  beforeAll(() => start('1'));
  afterAll(() => server.destroy());

  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:50412', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7:50412', '203.0.113.7'],
    ['2001:db8::7', '2001:db8::7'],
    ['[2001:db8::7]:50412', '2001:db8::7'],
    ['[2001:db8::7]', '2001:db8::7'],
    ['unknown', '127.0.0.1'],
    ['203.0.113.7:', '127.0.0.1'],
  ])('the address is the one that it added, without a port: %j', async (forwarded, address) => {
    const { id, email } = await server.addUser();
    await fetch(`${server.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': forwarded },
      body: JSON.stringify({ email, password: 'correct horse' }),
    });
    const { ip } = await server.database.reads.getRepository(SessionEntity).findOneByOrFail({ userId: id });
    expect(ip).toBe(address);
  });
});

describe('behind two proxies', () => {
  beforeAll(() => start('2'));
  afterAll(() => server.destroy());

  test.each([
    ['alerts.example.com', 200],
    ['alerts.example.com, inner.example', 200],
    ['evil.example, alerts.example.com, inner.example', 200],
    ['alerts.example.com, evil.example, inner.example', 421],
  ])('the host is the one that the outer proxy added: %j', async (forwarded, status) => {
    expect(await statusFor(forwarded)).toBe(status);
  });
});
