import { type Agent, request as httpsRequest } from 'node:https';
import {
  type AddressRule,
  type Resolve,
  createDnsResolve,
  createGuardedAgent,
  createGuardedLookup,
  isPublicAddress,
} from '#backend/platform/requests/guarded-request.ts';
import { isSnsAddress } from '#backend/intake/signatures/sns-address.ts';
import { type CertificateStore, createCertificateStore } from '#backend/intake/signatures/sns-certificates.ts';

/** How long SNS may take, in milliseconds, and how much it may answer. */
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 64 * 1024;

/** Asks AWS SNS for its certificates, and confirms subscriptions there. */
export interface SnsClient {
  certificates: CertificateStore;
  /** Requests the address of a confirmation whose signature was verified. @throws when SNS does not confirm it. */
  confirm(address: string): Promise<void>;
  close(): void;
}

/** Answers the text behind an https address of SNS. */
export type FetchText = (address: string) => Promise<string>;

/** A client that calls only addresses of SNS itself. */
export function createSnsClient(fetchText: FetchText, close: () => void = () => undefined): SnsClient {
  return {
    certificates: createCertificateStore(fetchText),
    async confirm(address) {
      if (!isSnsAddress(address)) throw new Error('the address to confirm is not one of SNS');
      await fetchText(address);
    },
    close,
  };
}

/** Connections to SNS at once. */
const CONNECTIONS = 4;

/** What a test puts in the place of the internet, where SNS listens on a port of its own. */
export interface SnsParts {
  isAllowedAddress?: AddressRule;
  resolve?: Resolve;
  ca?: string;
  port?: number;
}

/** Opens a client whose connections reach the public internet only, unless a test says otherwise. */
export function openSnsClient({
  isAllowedAddress = isPublicAddress,
  resolve = createDnsResolve(),
  ca,
  port,
}: SnsParts = {}): SnsClient {
  const agent = createGuardedAgent(createGuardedLookup(isAllowedAddress, resolve), CONNECTIONS, ca);
  return createSnsClient(createFetchText(agent, port), () => agent.destroy());
}

/**
 * Fetches over connections that reach the public internet only. Redirects are not followed.
 *
 * @param agent guards where connections go
 * @param port where a test's double of SNS listens; without it that of https
 */
const createFetchText =
  (agent: Agent, port: number | undefined): FetchText =>
  (address) =>
    new Promise((resolve, reject) => {
      const options = { agent, signal: AbortSignal.timeout(TIMEOUT_MS), ...(port !== undefined && { port }) };
      const request = httpsRequest(address, options, (response) => {
        const parts: Buffer[] = [];
        let bytes = 0;
        response.on('data', (part: Buffer) => {
          bytes += part.length;
          if (bytes > MAX_BYTES) request.destroy(new Error('the answer is too long'));
          else parts.push(part);
        });
        response.on('error', reject);
        response.on('end', () => {
          if (response.statusCode === 200) resolve(Buffer.concat(parts).toString('utf8'));
          else reject(new Error(`the answer has the status ${response.statusCode}`));
        });
      });
      request.on('error', reject);
      request.end();
    });
