import { hostname } from 'node:os';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Middleware } from 'koa';
import type { HttpConfig } from './http-config.ts';
import { type ProblemError, misdirected } from '#backend/platform/endpoint/errors.ts';
import type { HttpContext } from '#backend/platform/endpoint/read-request.ts';

/** Names of this machine's loopback interface, as `hostNameOf` gives them. */
export const LOOPBACK_NAMES: ReadonlySet<string | undefined> = new Set(['localhost', '127.0.0.1', '::1']);

/** Headers by which proxies say that they are one. */
const FORWARDING_HEADERS = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
];

/** The name part of a `Host` header: without port, brackets and a root dot, in lower case. */
export const hostNameOf = (host: string): string =>
  host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');

/** A header that every proxy may add to. */
type ForwardedHeader = 'x-forwarded-for' | 'x-forwarded-host' | 'x-forwarded-proto';

/**
 * What the trusted proxies say in a header that each of them may add to: the value of the outermost one. What stands left
 * of it came from the client. Undefined without trusted proxies, or when they say nothing.
 */
function forwardedValue({ headers }: IncomingMessage, header: ForwardedHeader, proxies: number): string | undefined {
  if (proxies === 0) return undefined;
  const values = String(headers[header] ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return values.at(-Math.min(proxies, values.length));
}

/** The host, with port, that a request was addressed to, as far as TRUST_PROXY lets proxies speak for it. */
const hostOf = (request: IncomingMessage, proxies: number): string =>
  forwardedValue(request, 'x-forwarded-host', proxies) ?? request.headers.host ?? '';

/** The same of a request as Koa sees it. */
const requestHost = (ctx: HttpContext): string => hostOf(ctx.req, ctx.app.maxIpsCount);

/** `https` or `http`, as far as TRUST_PROXY lets proxies speak for it; this server itself speaks http. */
const protocolOf = (request: IncomingMessage, proxies: number): 'https' | 'http' =>
  forwardedValue(request, 'x-forwarded-proto', proxies)?.toLowerCase() === 'https' ? 'https' : 'http';

/** The same of a request as Koa sees it. */
const requestProtocol = (ctx: HttpContext): 'https' | 'http' => protocolOf(ctx.req, ctx.app.maxIpsCount);

/**
 * Asked over the loopback interface, with no sign of a proxy in between. A proxy on this machine need not leave one, so
 * this alone opens nothing secret. HTTP/1.0 is a sign: it is what nginx asks with by default
 * (https://nginx.org/en/docs/http/ngx_http_proxy_module.html#proxy_http_version).
 */
export const isLocalRequest = (ctx: HttpContext): boolean =>
  ctx.req.httpVersion !== '1.0' &&
  isLoopbackAddress(ctx.req.socket.remoteAddress ?? '') &&
  LOOPBACK_NAMES.has(hostNameOf(ctx.get('Host'))) &&
  FORWARDING_HEADERS.every((header) => ctx.get(header) === '');

/** What stands before a port: some proxies add the client's, as in `203.0.113.7:50412` and `[2001:db8::7]:50412`. */
const addressOf = (value: string): string =>
  /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(value)?.[1] ?? /^\[(.*)\](?::\d+)?$/.exec(value)?.[1] ?? value;

/**
 * The client's address, as far as TRUST_PROXY lets proxies speak for it. A proxy may hand on what it received itself, so
 * what is no address is not taken for one, and an empty value counts as one.
 *
 * @param proxies how many proxies in front are believed
 */
export function clientAddress({ headers, socket }: IncomingMessage, proxies: number): string {
  const own = socket.remoteAddress ?? '';
  const forwarded = headers['x-forwarded-for'];
  if (proxies === 0 || typeof forwarded !== 'string') return own;
  const values = forwarded.split(',').map((value) => value.trim());
  const address = addressOf(values.at(-Math.min(proxies, values.length)) ?? '');
  return isIP(address) === 0 ? own : address;
}

/** An address of this machine's loopback interface, IPv4-mapped ones included. */
export const isLoopbackAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

/**
 * Whether this server answers under a host name, as `hostNameOf` gives it. Under PUBLIC_URL's always; else under those of
 * ALLOWED_HOSTS, by default loopback names, IP addresses and the machine's name.
 */
function createIsAllowedName({
  allowedHosts,
  publicUrl,
}: Pick<HttpConfig, 'allowedHosts' | 'publicUrl'>): (name: string) => boolean {
  const names = new Set([
    publicUrl && hostNameOf(publicUrl.host),
    ...(allowedHosts ?? [...LOOPBACK_NAMES, hostname().toLowerCase()]),
  ]);
  return (name) => names.has(name) || (!allowedHosts && isIP(name) !== 0);
}

/** Which requests are addressed to this server, by the name of their host. */
export function createIsAllowedHost(
  config: Pick<HttpConfig, 'allowedHosts' | 'publicUrl' | 'trustedProxies'>,
): (request: IncomingMessage) => boolean {
  const isAllowed = createIsAllowedName(config);
  /** Senders use one name, mostly. */
  let lastAllowed: string | undefined;
  return (request) => {
    const host = hostOf(request, config.trustedProxies);
    if (host === lastAllowed) return true;
    if (!isAllowed(hostNameOf(host))) return false;
    lastAllowed = host;
    return true;
  };
}

/**
 * The origin at which a server that listens at `url` is asked locally (see {@link isLocalRequest}); undefined where it does not
 * listen there, or answers under no such name.
 */
export function localOriginOf(url: string, config: Pick<HttpConfig, 'allowedHosts' | 'publicUrl'>): string | undefined {
  const address = new URL(url);
  const own = ['0.0.0.0', '[::]'].includes(address.hostname) ? '127.0.0.1' : address.hostname;
  if (!LOOPBACK_NAMES.has(hostNameOf(own))) return undefined;
  const isAllowed = createIsAllowedName(config);
  const name = [own, 'localhost'].find((one) => isAllowed(hostNameOf(one)));
  if (name === undefined) return undefined;
  address.hostname = name;
  return address.origin;
}

/** Answers what is asked under a host name that is not this server's. */
export const foreignHost = (): ProblemError =>
  misdirected('This server does not answer under this host name; see ALLOWED_HOSTS.');

/**
 * Answers only under host names that are this server's, so that a foreign page cannot reach it by pointing its own
 * name here (DNS rebinding).
 */
export function allowHosts(isAllowedHost: (request: IncomingMessage) => boolean): Middleware {
  return (ctx, next) => {
    if (!isAllowedHost(ctx.req)) throw foreignHost();
    return next();
  };
}

/** True when people reach the server over https: by PUBLIC_URL, else as the request (or its trusted proxy) says. */
export const createIsSecure =
  ({ publicUrl }: Pick<HttpConfig, 'publicUrl'>) =>
  (ctx: HttpContext): boolean =>
    publicUrl ? publicUrl.protocol === 'https:' : requestProtocol(ctx) === 'https';

/**
 * The origin of this server's own pages, as far as no client chooses it; empty where only the client says. PUBLIC_URL; else
 * what the request was addressed to, if its port is the one that this server listens on, or also the usual one behind a
 * trusted proxy. What a page of another port of the same name got signed would otherwise be taken with its `Host`.
 */
export const createOwnOriginOf =
  ({ publicUrl }: Pick<HttpConfig, 'publicUrl'>) =>
  (ctx: HttpContext): string => {
    if (publicUrl) return publicUrl.origin;
    const address = `${requestProtocol(ctx)}://${requestHost(ctx)}`;
    const { origin, port, protocol } = URL.canParse(address)
      ? new URL(address)
      : { origin: '', port: '', protocol: '' };
    if (ctx.app.proxy && port === '') return origin;
    return Number(port || (protocol === 'https:' ? 443 : 80)) === ctx.req.socket.localPort ? origin : '';
  };

type AddressedConfig = Pick<HttpConfig, 'publicUrl' | 'trustedProxies'>;

/** PUBLIC_URL's origin, else what a request was addressed to. */
const originOf = (request: IncomingMessage, { publicUrl, trustedProxies }: AddressedConfig): string =>
  publicUrl?.origin ?? `${protocolOf(request, trustedProxies)}://${hostOf(request, trustedProxies)}`;

/** The origin of links to this server in the answer to a request. */
export const createLinkOriginOf =
  (config: AddressedConfig) =>
  (request: IncomingMessage): string =>
    originOf(request, config);

/** The origin that a page of this server has. */
export const createOriginOf =
  ({ publicUrl }: Pick<HttpConfig, 'publicUrl'>) =>
  (ctx: HttpContext): string =>
    // Koa's own `ctx.origin` is the header that the client sent: exactly what must not be believed here.
    originOf(ctx.req, { publicUrl, trustedProxies: ctx.app.maxIpsCount });
