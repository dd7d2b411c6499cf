import { healthSchema } from '#backend/contract/health.ts';
import { PRODUCT_NAME } from '#backend/contract/product.ts';

/** What came of asking a server who it is. */
export type ServerCheck =
  | { kind: 'ready'; version: string }
  | { kind: 'mismatch'; version: string; reason: string }
  | { kind: 'unreachable'; reason: string };

const TIMEOUT_MS = 10_000;

/**
 * Checks that a server is Alertdesk and fits this app. `GET /healthz` answers with name and version without sign-in;
 * `GET /api/product` would need one.
 *
 * @param fetch Electron's: it follows the system's proxies and certificates
 */
export async function checkServer(
  origin: string,
  appVersion: string,
  fetch: (url: string, options: RequestInit) => Promise<Response>,
): Promise<ServerCheck> {
  const host = new URL(origin).host;
  let answer: string;
  try {
    const response = await fetch(`${origin}/healthz`, {
      redirect: 'error',
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { status } = response;
    if (status >= 500) {
      // So does what stands in front of a server, too, which says nothing about the server.
      const reason = `${host} answers with an error (${status}). The server may be stopped, or be starting again.`;
      return { kind: 'unreachable', reason };
    }
    answer = response.ok ? await response.text() : '';
  } catch (error) {
    return { kind: 'unreachable', reason: explainFailure(error, host) };
  }
  const health = healthSchema.safeParse(readJson(answer)).data;
  if (health?.product !== PRODUCT_NAME) {
    return { kind: 'unreachable', reason: `${host} is not an ${PRODUCT_NAME} server.` };
  }
  if (majorOf(health.version) === majorOf(appVersion)) return { kind: 'ready', version: health.version };
  const older = majorOf(health.version) < majorOf(appVersion);
  return {
    kind: 'mismatch',
    version: health.version,
    reason: `The server at ${host} is version ${health.version}, this app is ${appVersion}. ${
      older ? 'Ask the server’s administrator to update it.' : 'Update this app.'
    }`,
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const majorOf = (version: string): number => Number.parseInt(version, 10);

const REASONS: readonly [RegExp, (host: string) => string][] = [
  [/INTERNET_DISCONNECTED|ENETUNREACH|EAI_AGAIN/, () => 'This computer is not connected to a network.'],
  [
    /PROXY_AUTH|INVALID_AUTH_CREDENTIALS/,
    () => 'The proxy server of this network wants a sign-in that this app cannot give.',
  ],
  [/PAC_|MANDATORY_PROXY/, () => 'The proxy settings of this computer could not be loaded.'],
  [/PROXY|TUNNEL_CONNECTION/, () => 'The proxy server that this computer is set to use could not be reached.'],
  [/NAME_NOT_RESOLVED|ENOTFOUND/, (host) => `There is no server named ${host}.`],
  [/CONNECTION_REFUSED|ECONNREFUSED/, (host) => `No server is running at ${host}.`],
  [/CERT_(?!NEEDED)/, (host) => `The certificate of ${host} is not trusted by this computer.`],
  [/SSL_/, (host) => `No https connection to ${host} can be made. Check the address and its port.`],
  [/TIMED_OUT|TimeoutError|ETIMEDOUT/, (host) => `${host} did not answer in time.`],
  [/REDIRECT/i, (host) => `${host} leads to another address. Enter that one.`],
];

/** Why a server could not be asked, in a sentence. */
export function explainFailure(error: unknown, host: string): string {
  const { name = '', message = '', cause } = error as { name?: string; message?: string; cause?: { code?: string } };
  const text = `${name} ${message} ${cause?.code ?? ''}`;
  const explain = REASONS.find(([pattern]) => pattern.test(text))?.[1];
  return explain?.(host) ?? `${host} could not be reached (${message}).`;
}
