import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { Middleware } from 'koa';
import type { Config } from '#backend/config.ts';
import { WEBHOOK_PATH } from '#backend/contract/webhook.ts';
import type { JsonText } from '#backend/endpoint/json-text.ts';
import { type LogAnswer, nameRoute, noteStart, requestIdOf } from './log-requests.ts';
import { createIsAllowedHost } from './origin.ts';

/** Takes the alert of a request. Resolves with the receipt once it is stored, rejects with the error to answer. */
export type TakeAlert = (request: IncomingMessage, target: string) => Promise<JsonText>;

/** The two sides of the webhook: in front of Koa, and within. */
export interface WebhookAnswers {
  /** Wraps Koa's listener. */
  inFrontOf(koa: RequestListener): RequestListener;
  /** Koa's middleware for `POST /webhook`, behind the check of the host's name. */
  middleware: Middleware;
}

/**
 * Answers `POST /webhook` on node:http itself: Koa's middleware costs as much as all else of taking an alert. Only what
 * succeeds is answered here. Everything else is Koa's, so that there is one place that answers errors: a request under a
 * host name that needs a closer look, a stopping server, and whatever {@link TakeAlert} rejected.
 */
export function createWebhookAnswers({
  take,
  config,
  isStopping,
  logAnswer,
}: {
  take: TakeAlert;
  config: Pick<Config, 'allowedHosts' | 'publicUrl' | 'trustedProxies'>;
  isStopping: () => boolean;
  logAnswer: LogAnswer;
}): WebhookAnswers {
  const isAllowedHost = createIsAllowedHost(config);
  const failures = new WeakMap<IncomingMessage, unknown>();
  /** Senders use one name, mostly. */
  let lastAllowed: string | undefined;

  const isPlain = ({ method, url = '', headers }: IncomingMessage): boolean => {
    if (method !== 'POST' || !(url === WEBHOOK_PATH || url.startsWith(`${WEBHOOK_PATH}?`)) || isStopping())
      return false;
    if (config.trustedProxies > 0 && headers['x-forwarded-host'] !== undefined) return false;
    const { host } = headers;
    if (host === undefined || host.includes(',')) return false;
    if (host !== lastAllowed) {
      if (!isAllowedHost(host)) return false;
      lastAllowed = host;
    }
    return true;
  };

  const succeed = (request: IncomingMessage, response: ServerResponse, receipt: JsonText, startedAt: number) => {
    const requestId = requestIdOf(request);
    // The server may have begun to stop meanwhile.
    if (isStopping()) response.setHeader('Connection', 'close');
    response.writeHead(202, {
      'X-Request-Id': requestId,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': receipt.length,
    });
    response.end(receipt);
    logAnswer(requestId, 'POST', WEBHOOK_PATH, WEBHOOK_PATH, 202, startedAt);
  };

  return {
    inFrontOf: (koa) => (request, response) => {
      if (!isPlain(request)) {
        koa(request, response);
        return;
      }
      const startedAt = performance.now();
      take(request, request.url ?? '').then(
        (receipt) => succeed(request, response, receipt, startedAt),
        (error: unknown) => {
          failures.set(request, error);
          noteStart(request, startedAt);
          koa(request, response);
        },
      );
    },
    async middleware(ctx) {
      nameRoute(ctx, WEBHOOK_PATH);
      if (failures.has(ctx.req)) throw failures.get(ctx.req);
      const receipt = await take(ctx.req, ctx.url);
      ctx.status = 202;
      ctx.type = 'application/json';
      ctx.body = receipt;
    },
  };
}
