/**
 * A push service for the bench, in a process of its own: `node push-service.ts`. Its first line of output is its address
 * and its certificate as JSON ({@link PushServiceAddress}). It answers by what an endpoint's path begins with
 * ({@link Temper}); the messages themselves it does not read. It ends when its input does.
 */
import { once } from 'node:events';
import { type Server, createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeCertificate } from '#tests/support/make-certificate.ts';

/** How a device's push service behaves: it takes messages, does not know the device any more, or never answers. */
export type Temper = 'works' | 'gone' | 'hangs';

/** Where it is, for a server with this host name's address. */
export interface PushServiceAddress {
  origin: string;
  certificate: string;
}

const HOST = 'push.bench.test';

const { key, cert } = makeCertificate(HOST);
const server: Server = createServer({ key, cert }, (request, response) => {
  request.resume();
  if (request.url?.startsWith('/hangs/')) return;
  response.writeHead(request.url?.startsWith('/gone/') ? 410 : 201).end();
});
// As push services do: a sender keeps its connections from one storm to the next.
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const address: PushServiceAddress = {
  origin: `https://${HOST}:${(server.address() as AddressInfo).port}`,
  certificate: cert,
};
console.log(JSON.stringify(address));
await once(process.stdin.resume(), 'end');
server.closeAllConnections();
server.close();
