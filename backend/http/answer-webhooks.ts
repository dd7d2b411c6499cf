import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Middleware } from 'koa';
import type { HttpConfig } from './http-config.ts';
import { withPatience } from '#backend/platform/database/patience.ts';
import type { IngestAnswer } from '#backend/intake/write/ingest-answers.ts';
import { readAddress } from '#backend/intake/sources/credentials.ts';
import { NO_TRACING, type Tracing } from '#backend/platform/tracing/tracing.ts';
import { type LogAnswer, nameRoute, noteStart, requestIdOf } from './log-requests.ts';
import { clientAddress, createAddressOf, createIsAllowedHost } from './origin.ts';
import { headersOfAll } from './security-headers.ts';

/** Takes a request of a sender. Resolves with the answer once its alerts are stored, rejects with the error to answer. */
export type TakeRequest = (request: IncomingMessage, url: string, remoteAddress: string) => Promise<IngestAnswer>;

/** The two sides of the addresses of sources: in front of Koa, and within. */
export interface WebhookAnswers {
  /** Wraps Koa's listener. */
  inFrontOf(koa: RequestListener): RequestListener;
  /** Koa's middleware for the addresses of sources, behind the check of the host's name. */
  middleware: Middleware;
}

/**
 * Until the answer begins, somebody waits for it. Senders wait for the database only where a batch of theirs does, or an
 * unknown key is looked for: both see to it themselves.
 */
const answerPatiently = (koa: RequestListener, request: IncomingMessage, response: ServerResponse): void =>
  withPatience(
    () => koa(request, response),
    () => response.headersSent,
  );

/**
 * Answers what is posted to sources on node:http itself: Koa's middleware costs as much as all else of taking an alert.
 * Errors are Koa's, so that there is one place that answers them: a request under a host name that needs a closer look, a
 * stopping server, and whatever {@link TakeRequest} rejected.
 */
export function createWebhookAnswers({
  take,
  config,
  isStopping,
  logAnswer,
  tracing = NO_TRACING,
}: {
  take: TakeRequest;
  config: Pick<HttpConfig, 'allowedHosts' | 'publicUrl' | 'trustedProxies'>;
  isStopping: () => boolean;
  logAnswer: LogAnswer;
  tracing?: Tracing;
}): WebhookAnswers {
  const isAllowedHost = createIsAllowedHost(config);
  const addressOf = createAddressOf(config);
  const everywhere = headersOfAll(config);
  const failures = new WeakMap<IncomingMessage, unknown>();
  /** Senders use one name, mostly. */
  let lastAllowed: string | undefined;

  /** The route of a request that is taken here; undefined for what is Koa's. */
  const plainRoute = ({ method, url = '', headers }: IncomingMessage): string | undefined => {
    if ((method !== 'POST' && method !== 'PUT') || isStopping()) return undefined;
    const route = readAddress(url)?.route;
    if (route === undefined) return undefined;
    if (config.trustedProxies > 0 && headers['x-forwarded-host'] !== undefined) return undefined;
    const { host } = headers;
    if (host === undefined || host.includes(',')) return undefined;
    if (host !== lastAllowed) {
      if (!isAllowedHost(host)) return undefined;
      lastAllowed = host;
    }
    return route;
  };

  const send = (
    request: IncomingMessage,
    response: ServerResponse,
    { status, headers, body }: IngestAnswer,
    { route, address, startedAt }: { route: string; address: string; startedAt: number },
  ) => {
    const requestId = requestIdOf(request);
    // The server may have begun to stop meanwhile.
    if (isStopping()) response.setHeader('Connection', 'close');
    response.writeHead(status, {
      'X-Request-Id': requestId,
      ...everywhere,
      ...headers,
      'Content-Length': Buffer.byteLength(body),
    });
    response.end(body);
    const { method = '' } = request;
    logAnswer({ requestId, method, path: route, route, status, startedAt, address });
    tracing.request(request, startedAt)?.answered(method, route, status);
  };

  return {
    inFrontOf: (koa) => (request, response) => {
      const route = plainRoute(request);
      if (route === undefined) {
        answerPatiently(koa, request, response);
        return;
      }
      const startedAt = performance.now();
      const address = addressOf(request);
      const span = tracing.request(request, startedAt);
      tracing
        .inside(span, () => take(request, request.url ?? '', address))
        .then(
          (answer) => send(request, response, answer, { route, address, startedAt }),
          (error: unknown) => {
            failures.set(request, error);
            noteStart(request, startedAt);
            answerPatiently(koa, request, response);
          },
        );
    },
    async middleware(ctx, next) {
      const url = ctx.path + ctx.search;
      const address = readAddress(url);
      if (!address) return next();
      nameRoute(ctx, address.route);
      if (failures.has(ctx.req)) throw failures.get(ctx.req);
      const { status, headers, body } = await take(ctx.req, url, clientAddress(ctx));
      ctx.set(headers);
      ctx.status = status;
      ctx.body = body;
      return undefined;
    },
  };
}
