import type { IncomingMessage } from 'node:http';
import type { HttpConfig } from './http-config.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { Tracing } from '#backend/platform/tracing/tracing.ts';
import { Router } from '@koa/router';
import Koa, { type Middleware } from 'koa';
import websockify from 'koa-websocket';
import type { Endpoint } from '#backend/platform/endpoint/endpoint.ts';
import { type DispatchDeps, dispatch } from './dispatch.ts';
import { allowHosts } from './origin.ts';
import { type LogAnswer, logRequests, nameRoute } from './log-requests.ts';
import { type AnswerError, answerProblems, answerUnknownCall } from './problems.ts';
import { headersOfAll, securityHeaders } from './security-headers.ts';
import { sendBody } from './send-body.ts';

/** What the app is put together from. */
export interface AppDeps extends DispatchDeps {
  config: HttpConfig;
  logger: Logger;
  isAllowedHost: (request: IncomingMessage) => boolean;
  answerError: AnswerError;
  isStopping: () => boolean;
  tracing: Tracing;

  logAnswer: LogAnswer;
  endpoints: Endpoint[];
  docsAssets: Middleware;
  webApp: Middleware;
}

/** The Koa app: the API by its declared endpoints, then the web app for every other path. Webhooks do not reach it. */
export function createApp(deps: AppDeps): websockify.App {
  const { config, logger } = deps;
  const koa = new Koa();
  koa.proxy = config.trustedProxies > 0;
  koa.maxIpsCount = config.trustedProxies;
  // A client that hangs up in the middle is no news; everything else passed `answerProblems` already.
  koa.on('error', (error: unknown) => logger.debug({ err: error }, 'a connection failed'));
  const app = websockify(koa);

  const router = new Router();
  for (const endpoint of deps.endpoints) router.register(endpoint.path, [endpoint.method], dispatch(endpoint, deps));

  const everywhere = headersOfAll(config);
  app.use(logRequests(deps.logAnswer, deps.tracing));
  app.use((ctx, next) => {
    ctx.set(everywhere);
    // Clients that keep their connection would hold up the stop: each takes its answer and comes again elsewhere.
    if (deps.isStopping()) ctx.set('Connection', 'close');
    return next();
  });
  app.use(answerProblems(deps.answerError));
  app.use(allowHosts(deps.isAllowedHost));
  app.use(securityHeaders());
  app.use(sendBody);
  app.use(router.routes());
  app.use(deps.docsAssets);
  app.use((ctx, next) => (isCall(ctx.path) ? answerUnknownCall(ctx, next) : next()));
  app.use((ctx, next) => {
    nameRoute(ctx, 'web app');
    return deps.webApp(ctx, next);
  });
  return app;
}

const isCall = (path: string): boolean => path === '/api' || path.startsWith('/api/');
