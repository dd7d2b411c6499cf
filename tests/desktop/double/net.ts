import { type OutgoingHttpHeaders, type RequestOptions, request } from 'node:http';

const CODES: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'net::ERR_CONNECTION_REFUSED',
  ENOTFOUND: 'net::ERR_NAME_NOT_RESOLVED',
  EAI_AGAIN: 'net::ERR_NAME_NOT_RESOLVED',
  ECONNRESET: 'net::ERR_CONNECTION_RESET',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'net::ERR_CERT_AUTHORITY_INVALID',
};

/** `net.fetch`: Node's, failing in Chromium's words. */
export async function fetchAsElectron(input: string | Request, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init);
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    const words = code === undefined ? undefined : CODES[code];
    throw words === undefined ? error : new Error(words, { cause: error });
  }
}

/** `net.request`: Node's, as far as the updater uses it. Redirects are an event of their own, and are not met here. */
export function requestAsElectron(options: Electron.ClientRequestConstructorOptions | string): Electron.ClientRequest {
  if (typeof options === 'string' || options.protocol !== 'http:') throw new Error('The double asks by http only.');
  const { protocol, hostname, port, path, method, headers } = options;
  const about: RequestOptions = { protocol, hostname, port, path, method, headers: headers as OutgoingHttpHeaders };
  return request(about) as unknown as Electron.ClientRequest;
}
