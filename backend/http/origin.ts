import { hostname } from 'node:os';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Middleware } from 'koa';
import type { HttpConfig } from './http-config.ts';
import { misdirected } from '#backend/platform/endpoint/errors.ts';
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

/**
 * What the trusted proxies say in a header that each of them may add to: the value of the outermost one. What stands left
 * of it came from the client. Undefined without trusted proxies, or when they say nothing.
 */
function forwardedValue(ctx: HttpContext, header: string): string | undefined {
  const { proxy, maxIpsCount: hops } = ctx.app;
  if (!proxy) return undefined;
  const values = ctx
    .get(header)
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return values.at(-Math.min(hops, values.length));
}

/** The host, with port, that the request was addressed to, as far as TRUST_PROXY lets proxies speak for it. */
export const requestHost = (ctx: HttpContext): string => forwardedValue(ctx, 'X-Forwarded-Host') ?? ctx.get('Host');

/** `https` or `http`, as far as TRUST_PROXY lets proxies speak for it; this server itself speaks http. */
const requestProtocol = (ctx: HttpContext): 'https' | 'http' =>
  forwardedValue(ctx, 'X-Forwarded-Proto')?.toLowerCase() === 'https' ? 'https' : 'http';

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

/**
 * The client's address, as far as TRUST_PROXY lets proxies speak for it. A proxy may hand on what it received itself, so
 * what is no address is not taken for one.
 */
export const clientAddress = (ctx: HttpContext): string =>
  isIP(ctx.ip) === 0 ? (ctx.req.socket.remoteAddress ?? '') : ctx.ip;

/** The same for a request that Koa does not see. */
export function createAddressOf({
  trustedProxies,
}: Pick<HttpConfig, 'trustedProxies'>): (request: IncomingMessage) => string {
  return ({ headers, socket }) => {
    const own = socket.remoteAddress ?? '';
    if (trustedProxies === 0) return own;
    const forwarded = headers['x-forwarded-for'];
    if (typeof forwarded !== 'string') return own;
    const values = forwarded.split(',').map((value) => value.trim());
    const address = values.at(-Math.min(trustedProxies, values.length)) ?? '';
    return isIP(address) === 0 ? own : address;
  };
}

/** An address of this machine's loopback interface, IPv4-mapped ones included. */
export const isLoopbackAddress = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

/**
 * Which `Host` values are this server's. Default: loopback names, IP addresses, the machine's name, PUBLIC_URL's host.
 */
export function createIsAllowedHost({
  allowedHosts,
  publicUrl,
}: Pick<HttpConfig, 'allowedHosts' | 'publicUrl'>): (host: string) => boolean {
  const own = new Set([...LOOPBACK_NAMES, hostname().toLowerCase(), publicUrl?.hostname]);
  return (host) => {
    const name = hostNameOf(host);
    return allowedHosts ? allowedHosts.includes(name) : own.has(name) || isIP(name) !== 0;
  };
}

/**
 * Answers only under host names that are this server's, so that a foreign page cannot reach it by pointing its own
 * name here (DNS rebinding).
 */
export function allowHosts(config: Pick<HttpConfig, 'allowedHosts' | 'publicUrl'>): Middleware {
  const isAllowedHost = createIsAllowedHost(config);
  return (ctx, next) => {
    if (!isAllowedHost(requestHost(ctx))) {
      throw misdirected('This server does not answer under this host name; see ALLOWED_HOSTS.');
    }
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

/** The origin that a page of this server has: PUBLIC_URL, else what the request was addressed to. */
export const createOriginOf =
  ({ publicUrl }: Pick<HttpConfig, 'publicUrl'>) =>
  (ctx: HttpContext): string =>
    // Koa's own `ctx.origin` is the header that the client sent: exactly what must not be believed here.
    publicUrl?.origin ?? `${requestProtocol(ctx)}://${requestHost(ctx)}`;
