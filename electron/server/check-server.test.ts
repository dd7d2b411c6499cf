import { expect, test } from 'vitest';
import { checkServer, explainFailure } from './check-server.ts';

const ask = (answer: () => Response | Promise<Response>) =>
  checkServer('https://alerts.example.com', '1.4.0', async () => answer());

const health = (product: string, version: string) => () => Response.json({ product, version, status: 'ok' });

test('a server of the same major version is ready', async () => {
  expect(await ask(health('Alertdesk', '1.0.3'))).toEqual({ kind: 'ready', version: '1.0.3' });
});

test('one of another does not go with this app, and it is said what to do', async () => {
  expect(await ask(health('Alertdesk', '2.1.0'))).toEqual({
    kind: 'mismatch',
    version: '2.1.0',
    reason: 'The server at alerts.example.com is version 2.1.0, this app is 1.4.0. Update this app.',
  });
  expect(await ask(health('Alertdesk', '0.9.0'))).toMatchObject({
    reason: expect.stringContaining('Ask the server’s administrator to update it.') as string,
  });
});

test.each([
  ['another product', health('Grafana', '1.0.0')],
  ['a page', () => new Response('<!doctype html>')],
  ['an address that there is not', () => new Response('no', { status: 404 })],
])('%s is no server of ours', async (_, answer) => {
  expect(await ask(answer)).toEqual({
    kind: 'unreachable',
    reason: 'alerts.example.com is not an Alertdesk server.',
  });
});

test.each([500, 502, 503])('status %i is no word about what the server is', async (status) => {
  // What stands in front of a server answers so while the server is stopped or starts again.
  expect(await ask(() => new Response('<h1>Bad Gateway</h1>', { status }))).toEqual({
    kind: 'unreachable',
    reason: `alerts.example.com answers with an error (${status}). The server may be stopped, or be starting again.`,
  });
});

test('an answer that ends half way is no word about what the server is', async () => {
  const cut = new ReadableStream({ start: (stream) => stream.error(new Error('net::ERR_TIMED_OUT')) });
  expect(await ask(() => new Response(cut))).toEqual({
    kind: 'unreachable',
    reason: 'alerts.example.com did not answer in time.',
  });
});

test.each([
  ['net::ERR_NAME_NOT_RESOLVED', 'There is no server named x.'],
  ['net::ERR_CONNECTION_REFUSED', 'No server is running at x.'],
  ['net::ERR_INTERNET_DISCONNECTED', 'This computer is not connected to a network.'],
  ['net::ERR_CERT_AUTHORITY_INVALID', 'The certificate of x is not trusted by this computer.'],
  ['net::ERR_CERT_DATE_INVALID', 'The certificate of x is not trusted by this computer.'],
  ['net::ERR_SSL_PROTOCOL_ERROR', 'No https connection to x can be made. Check the address and its port.'],
  ['net::ERR_SSL_CLIENT_AUTH_CERT_NEEDED', 'No https connection to x can be made. Check the address and its port.'],
  ['net::ERR_CONNECTION_TIMED_OUT', 'x did not answer in time.'],
  ['net::ERR_PROXY_CONNECTION_FAILED', 'The proxy server that this computer is set to use could not be reached.'],
  ['net::ERR_TUNNEL_CONNECTION_FAILED', 'The proxy server that this computer is set to use could not be reached.'],
  ['net::ERR_MANDATORY_PROXY_CONFIGURATION_FAILED', 'The proxy settings of this computer could not be loaded.'],
  ['net::ERR_PAC_SCRIPT_FAILED', 'The proxy settings of this computer could not be loaded.'],
  ['net::ERR_PROXY_AUTH_UNSUPPORTED', 'The proxy server of this network wants a sign-in that this app cannot give.'],
  ['something new', 'x could not be reached (something new).'],
])('%s: %s', (message, sentence) => expect(explainFailure(new Error(message), 'x')).toBe(sentence));
