import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { HttpConfig } from './http-config.ts';
import { withPatience } from '#backend/platform/database/patience.ts';
import type { IngestAnswer } from '#backend/intake/write/ingest-answers.ts';
import type { TakeRequest } from '#backend/intake/webhooks/webhook-route.ts';
import { readAddress } from '#backend/intake/sources/credentials.ts';
import { maskSegments } from '#backend/intake/delivery-log/mask-request.ts';
import { NO_TRACING, type Tracing } from '#backend/platform/tracing/tracing.ts';
import { errorBody, rateHeaders } from '#backend/intake/opsgenie/answers.ts';
import { type LogAnswer, requestIdOf } from './log-requests.ts';
import { clientAddress, foreignHost } from './origin.ts';
import type { AnswerError } from './problems.ts';
import { headersOfAll } from './security-headers.ts';

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
 * Answers everything that is sent to addresses of sources on node:http itself, errors included: Koa's middleware costs as
 * much as all else of taking an alert.
 *
 * @param koa answers every other request
 */
export function answerWebhooks(
  {
    take,
    config,
    isAllowedHost,
    answerError,
    isStopping,
    logAnswer,
    tracing = NO_TRACING,
  }: {
    take: TakeRequest;
    config: Pick<HttpConfig, 'publicUrl' | 'trustedProxies'>;
    isAllowedHost: (request: IncomingMessage) => boolean;
    answerError: AnswerError;
    isStopping: () => boolean;
    logAnswer: LogAnswer;
    tracing?: Tracing;
  },
  koa: RequestListener,
): RequestListener {
  const everywhere = headersOfAll(config);

  return (request, response) => {
    const url = targetOf(request.url ?? '');
    const address = readAddress(url);
    if (!address) {
      answerPatiently(koa, request, response);
      return;
    }
    const startedAt = performance.now();
    const requestId = requestIdOf(request);
    const remoteAddress = clientAddress(request, config.trustedProxies);
    const isCall = address.route === '/v2/alerts';
    const writeError = isCall
      ? (message: string) => errorBody(message, requestId, performance.now() - startedAt)
      : undefined;
    const isHere = isAllowedHost(request);
    const span = tracing.request(request, startedAt);

    const send = ({ status, headers, body }: IngestAnswer) => {
      // The server may have begun to stop meanwhile.
      if (isStopping()) response.setHeader('Connection', 'close');
      response.writeHead(status, {
        'X-Request-Id': requestId,
        ...everywhere,
        ...(isCall && rateHeaders(status)),
        ...headers,
        'Content-Length': Buffer.byteLength(body),
      });
      response.end(body);
      const { method = '' } = request;
      // Whatever is asked under a foreign host name has no route yet.
      const route = isHere ? address.route : 'other';
      // The secret of a heartbeat stands in its path, and is in no log.
      const isKept = status < 400 || address.route === '/ping/:token';
      const path = isKept ? route : maskSegments(url.split('?', 1)[0] ?? '');
      logAnswer({ requestId, method, path, route, status, startedAt, address: remoteAddress });
      span?.answered(method, route, status);
    };
    void tracing
      .inside(span, () => (isHere ? take({ request, url, address, remoteAddress }) : Promise.reject(foreignHost())))
      .then(send, (error: unknown) => send(answerError(error, request, requestId, writeError)))
      .catch((error: unknown) => {
        // The answer itself failed: it is logged as any error of ours, and the sender sees its connection end.
        answerError(error, request, requestId);
        response.destroy();
      });
  };
}

/** Path and query of a request, also where it names its target as proxies are sent it (RFC 9112 section 3.2.2). */
const targetOf = (url: string): string =>
  url.startsWith('/') && !url.includes('#')
    ? url
    : url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
