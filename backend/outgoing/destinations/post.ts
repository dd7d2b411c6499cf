import { Agent as HttpAgent, type IncomingHttpHeaders, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupAddress } from 'node:dns';
import { type LookupFunction, isIP } from 'node:net';
import { WebSocket } from 'ws';
import {
  type AddressRule,
  type Resolve,
  createDnsResolve,
  createGuardedAgent,
} from '#backend/platform/requests/guarded-request.ts';
import { type Network, addressIn, addressRules, forbiddenAddress } from './address-rule.ts';

/** From the host name's lookup to the end of the answer, in milliseconds. */
export const TOTAL_MS = 10_000;

/** Of an answer so many bytes are kept; one that goes on for longer than this is cut off. */
const KEPT_BYTES = 2_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** Longest message that comes over a WebSocket, in bytes. */
const MAX_FRAME_BYTES = 1024 * 1024;

/** Connections to one host, and how long one without use is kept, in milliseconds. */
const CONNECTIONS = 8;
const IDLE_MS = 30_000;

/** How requests are made. */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a service answered. */
export interface HttpAnswer {
  status: number;
  /** The beginning of its body. */
  body: string;
  /** The value of `Retry-After`, or what the service says in its place. */
  retryAfter: string | undefined;
}

/** A destination leads to an address that no message may go to. */
export class ForbiddenDestinationError extends Error {
  override name = 'ForbiddenDestinationError';
}

/** A request to a service. */
export interface PostedRequest {
  /** Default: `POST`. */
  method?: HttpMethod;
  url: string;
  headers: Record<string, string>;
  /** Default: none. */
  body?: string;
  /** Of an answer so many bytes are kept; default: its beginning. One that is longer is cut off. */
  keepBytes?: number;
}

/** Posts messages. */
export interface Post {
  /**
   * Redirects are not followed.
   *
   * @throws {ForbiddenDestinationError} before anything is sent; what the connection said otherwise
   */
  send(request: PostedRequest, stopping: AbortSignal): Promise<HttpAnswer>;
  /**
   * Begins a WebSocket to where a message may go, too. Redirects are not followed.
   *
   * @throws {ForbiddenDestinationError} where an address is written that nothing may go to; by its event `error` otherwise
   */
  openSocket(url: string): WebSocket;
  close(): void;
}

const refusal = () => new ForbiddenDestinationError('This server sends nothing: it runs with OUTGOING=off.');

/** Posts nothing, wherever it is to go. */
export const silentPost: Post = {
  send: () => Promise.reject(refusal()),
  openSocket() {
    throw refusal();
  },
  close: () => undefined,
};

/** What tests put in the place of the internet. */
export interface PostParts {
  resolve?: Resolve;
  /** Whom receivers are vouched for by, in the place of the usual authorities. */
  ca?: string;
}

/** @param networks where destinations may be, beside the public internet */
export function createPost(networks: readonly Network[], { resolve = createDnsResolve(), ca }: PostParts = {}): Post {
  const rules = addressRules(networks);
  const httpsAgent = createGuardedAgent(guardedLookup('https:', rules['https:'], resolve), CONNECTIONS, ca);
  const httpAgent = new HttpAgent({
    keepAlive: true,
    maxSockets: CONNECTIONS,
    maxFreeSockets: CONNECTIONS,
    timeout: IDLE_MS,
  });
  const httpLookup = guardedLookup('http:', rules['http:'], resolve);

  return {
    send({ method = 'POST', url, headers, body = '', keepBytes = KEPT_BYTES }, stopping) {
      const target = new URL(url);
      const isHttps = target.protocol === 'https:';
      const address = addressIn(target);
      // An address is connected to without a lookup.
      if (address !== undefined && !rules[isHttps ? 'https:' : 'http:'](address)) {
        return Promise.reject(new ForbiddenDestinationError(forbiddenAddress(target, address)));
      }
      const options = {
        method,
        headers: {
          ...bytesOf(headers),
          'User-Agent': 'Alertdesk',
          ...(method !== 'GET' && { 'Content-Length': Buffer.byteLength(body) }),
        },
        signal: AbortSignal.any([stopping, AbortSignal.timeout(TOTAL_MS)]),
      };
      return new Promise((done, failed) => {
        const request = isHttps
          ? httpsRequest(target, { ...options, agent: httpsAgent })
          : httpRequest(target, { ...options, agent: httpAgent, lookup: httpLookup });
        let answer: HttpAnswer | undefined;
        request.on('response', (response) => {
          const chunks: Buffer[] = [];
          let bytes = 0;
          const said = (): HttpAnswer => ({
            status: response.statusCode ?? 0,
            body: Buffer.concat(chunks).subarray(0, keepBytes).toString('utf8'),
            retryAfter: retryAfterOf(response.headers),
          });
          answer = said();
          response.on('data', (chunk: Buffer) => {
            if (bytes < keepBytes) chunks.push(chunk);
            bytes += chunk.length;
            answer = said();
            if (bytes > Math.max(MAX_ANSWER_BYTES, keepBytes)) request.destroy();
          });
          // Broken off by the service or cut here: its status says what it did with the message.
          response.on('error', () => undefined);
          response.on('close', () => done(said()));
        });
        request.on('error', (error) => (answer ? done(answer) : failed(error)));
        // In bytes: a text has Node write the headers in UTF-8, too, which they are in already.
        request.end(body === '' ? undefined : Buffer.from(body));
      });
    },
    openSocket(url) {
      const target = new URL(url);
      const isSecure = target.protocol === 'wss:';
      const protocol = isSecure ? 'https:' : 'http:';
      const address = addressIn(target);
      if (address !== undefined && !rules[protocol](address)) {
        throw new ForbiddenDestinationError(forbiddenAddress({ protocol }, address));
      }
      return new WebSocket(target, {
        // Both options are those of the request that becomes a socket.
        ...(isSecure ? { agent: httpsAgent } : { agent: httpAgent, lookup: httpLookup }),
        handshakeTimeout: TOTAL_MS,
        maxPayload: MAX_FRAME_BYTES,
        perMessageDeflate: false,
        headers: { 'User-Agent': 'Alertdesk' },
      });
    },
    close() {
      httpsAgent.destroy();
      httpAgent.destroy();
    },
  };
}

/** Headers in UTF-8, of which Node writes one byte for each character. It takes no character beyond Latin-1. */
const bytesOf = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Buffer.from(value).toString('latin1')]));

/**
 * `Retry-After`, or what services say in its place: PagerDuty (https://support.pagerduty.com/main/docs/rest-api-rate-limits),
 * Opsgenie (https://docs.opsgenie.com/docs/api-rate-limiting) and, as a moment, Sentry (https://docs.sentry.io/api/ratelimits/)
 * and GitHub, where the limit of an hour is used up
 * (https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api#checking-the-status-of-your-rate-limit).
 */
function retryAfterOf(headers: IncomingHttpHeaders): string | undefined {
  const seconds = headers['retry-after'] ?? headers['ratelimit-reset'] ?? headers['x-ratelimit-period-in-sec'];
  if (seconds !== undefined) return String(seconds);
  const ofGitHub = headers['x-ratelimit-remaining'] === '0' ? headers['x-ratelimit-reset'] : undefined;
  const at = Number(headers['x-sentry-rate-limit-reset'] ?? ofGitHub ?? Number.NaN);
  return Number.isFinite(at) ? String(Math.max(0, Math.ceil(at - Date.now() / 1000))) : undefined;
}

/** A lookup that fails when any of a name's addresses is forbidden: the others would be next time's. */
export function guardedLookup(protocol: 'https:' | 'http:', isAllowed: AddressRule, resolve: Resolve): LookupFunction {
  const find = async (hostname: string, family: unknown): Promise<LookupAddress[]> => {
    const addresses = await resolve(hostname);
    const forbidden = addresses.find((address) => !isAllowed(address));
    if (forbidden !== undefined) throw new ForbiddenDestinationError(forbiddenAddress({ protocol }, forbidden));
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    const wanted = family === 4 || family === 6 ? found.filter((one) => one.family === family) : found;
    if (wanted.length === 0) throw new Error(`The name ${hostname} has no address.`);
    return wanted;
  };
  const answer = async (...[hostname, options, callback]: Parameters<LookupFunction>): Promise<void> => {
    let found: LookupAddress[];
    try {
      found = await find(hostname, options.family);
    } catch (error) {
      callback(error instanceof Error ? error : new Error(String(error)), []);
      return;
    }
    const [first] = found;
    if (options.all || !first) callback(null, found);
    else callback(null, first.address, first.family);
  };
  return (...asked) => void answer(...asked);
}
