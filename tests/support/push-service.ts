import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import getRawBody from 'raw-body';
import { type PushMessage, pushMessageSchema } from '#backend/contract/push.ts';
import type { PushParts } from '#backend/outgoing/push/open-push.ts';
import { type BrowserKeys, decryptPush, makeBrowserKeys } from './browser-keys.ts';
import { makeCertificate } from './make-certificate.ts';
import type { TestClient } from './test-client.ts';
import { verifyVapid } from './verify-vapid.ts';

/** One request that was a good push: signed for this service and readable by the device. */
interface ReceivedPush {
  message: PushMessage;
  headers: IncomingHttpHeaders;
  /** Who signed it. */
  publicKey: string;
  subject: string;
  at: number;
  /** Resolves when the request's connection has no more to do with it: answered, or cut by the sender. */
  closed: Promise<void>;
}

/** How the service answers one push: a status, or by hand. */
type Answer = number | ((response: ServerResponse) => void);

/** A browser that a member subscribed. */
export interface Device {
  endpoint: string;
  /** Every attempt that reached the service, refused ones too. */
  received: ReceivedPush[];
  /** The messages, in the order of their attempts. */
  readonly messages: PushMessage[];
  /** How the next pushes are answered, in turn; then 201. */
  answers: Answer[];
}

/** A push service on this machine, over TLS, for a host name that only its `parts` resolve. */
export interface PushService {
  origin: string;
  /** What lets a server reach it. */
  parts: Required<Pick<PushParts, 'isAllowedAddress' | 'resolve' | 'ca'>>;
  /** Makes a browser's subscription, of which no server knows yet. */
  enrol(): { device: Device; keys: BrowserKeys['keys'] };
  /** Subscribes a browser of the member's, or fails the test. */
  subscribe(member: TestClient, headers?: Record<string, string>): Promise<Device>;
  /** How the pushes are answered to devices that have no answer of their own. */
  answerAll(answer: Answer): void;
  /** Connections that were ever opened. */
  readonly connections: number;
  /** Throws what was wrong with requests so far, if anything was. */
  expectNoFaults(): void;
  close(): Promise<void>;
}

const HOST = 'push.example.test';

export async function startPushService(): Promise<PushService> {
  const certificate = makeCertificate(HOST);
  const devices = new Map<string, { device: Device; keys: BrowserKeys }>();
  const faults: unknown[] = [];
  let answerToAll: Answer = 201;
  let connections = 0;

  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const closed = new Promise<void>((resolve) => response.once('close', resolve));
    const body = await getRawBody(request);
    const known = devices.get(request.url ?? '');
    if (!known) throw new Error(`no device is subscribed at ${request.url}`);
    if (request.method !== 'POST') throw new Error(`a push came by ${request.method}`);
    if (body.length > 4096) throw new Error('a push is larger than push services take');
    if (request.headers['content-encoding'] !== 'aes128gcm') throw new Error('a push is not encrypted as it should be');
    const { publicKey, subject } = verifyVapid(request.headers.authorization ?? '', origin);
    const message = pushMessageSchema.parse(JSON.parse(decryptPush(known.keys, body)));
    known.device.received.push({
      message,
      headers: request.headers,
      publicKey,
      subject,
      at: performance.now(),
      closed,
    });
    const answer = known.device.answers.shift() ?? answerToAll;
    if (typeof answer === 'number') response.writeHead(answer).end();
    else answer(response);
  };

  const enrol: PushService['enrol'] = () => {
    const path = `/${randomBytes(16).toString('base64url')}`;
    const keys = makeBrowserKeys();
    const device: Device = {
      endpoint: origin + path,
      received: [],
      get messages() {
        return this.received.map(({ message }) => message);
      },
      answers: [],
    };
    devices.set(path, { device, keys });
    return { device, keys: keys.keys };
  };

  const server = createServer(certificate, (request, response) => {
    receive(request, response).catch((error: unknown) => {
      faults.push(error);
      response.writeHead(400).end();
    });
  });
  server.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `https://${HOST}:${(server.address() as AddressInfo).port}`;

  return {
    origin,
    parts: {
      isAllowedAddress: (address) => address === '127.0.0.1',
      resolve: async (host) => (host === HOST ? ['127.0.0.1'] : []),
      ca: certificate.cert,
    },
    enrol,
    async subscribe(member, headers = {}) {
      const { device, keys } = enrol();
      const body = { endpoint: device.endpoint, keys };
      const response = await member.send('POST', '/api/push/subscribe', body, headers);
      if (response.status !== 201) throw new Error(`subscribing answered ${response.status}: ${await response.text()}`);
      return device;
    },
    answerAll(answer) {
      answerToAll = answer;
    },
    get connections() {
      return connections;
    },
    expectNoFaults() {
      if (faults.length > 0)
        throw new AggregateError(faults.splice(0), 'the push service was sent what is no good push');
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
