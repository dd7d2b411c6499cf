import { Router } from '@koa/router';
import Koa, { type Middleware } from 'koa';
import websockify from 'koa-websocket';
import type { Config } from '#backend/config.ts';
import { WEBHOOK_PATH } from '#backend/contract/webhook.ts';
import type { Dialect } from '#backend/database/dialect.ts';
import type { Endpoint } from '#backend/endpoint/endpoint.ts';
import type { Logger } from '#backend/logger.ts';
import type { SessionStore } from '#backend/sessions/session-store.ts';
import { type DispatchNeeds, dispatch } from './dispatch.ts';
import { allowHosts } from './origin.ts';
import { type LogAnswer, logRequests, nameRoute } from './log-requests.ts';
import { answerProblems, answerUnknownCall } from './problems.ts';
import { sendBody } from './send-body.ts';
import { securityHeaders } from './security-headers.ts';
import type { HttpContext } from '#backend/endpoint/http-context.ts';

/** What the app is put together from. */
export interface AppNeeds {
  config: Config;
  logger: Logger;
  dialect: Dialect;
  sessions: SessionStore;
  sessionSecret: string;
  isSecure: (ctx: HttpContext) => boolean;
  isStopping: () => boolean;
  answers: DispatchNeeds['answers'];
  onRefused: DispatchNeeds['onRefused'];
  logAnswer: LogAnswer;
  endpoints: Endpoint[];
  webhook: Middleware;
  docsAssets: Middleware;
  webApp: Middleware;
}

/** The Koa app: the webhook first, then the API by its declared endpoints, then the web app for every other path. */
export function createApp(needs: AppNeeds): websockify.App {
  const { config, logger } = needs;
  const koa = new Koa();
  koa.proxy = config.trustedProxies > 0;
  koa.maxIpsCount = config.trustedProxies;
  // A client that hangs up in the middle is no news; everything else passed `answerProblems` already.
  koa.on('error', (error: unknown) => logger.debug({ err: error }, 'a connection failed'));
  const app = websockify(koa);

  const router = new Router();
  for (const endpoint of needs.endpoints) router.register(endpoint.path, [endpoint.method], dispatch(endpoint, needs));

  app.use(logRequests(needs.logAnswer));
  app.use((ctx, next) => {
    // Clients that keep their connection would hold up the stop: each takes its answer and comes again elsewhere.
    if (needs.isStopping()) ctx.set('Connection', 'close');
    return next();
  });
  app.use(answerProblems(needs));
  app.use(allowHosts(config));
  app.use((ctx, next) => (ctx.path === WEBHOOK_PATH && ctx.method === 'POST' ? needs.webhook(ctx, next) : next()));
  app.use(securityHeaders(config.publicUrl?.protocol === 'https:'));
  app.use(sendBody);
  app.use(router.routes());
  app.use(needs.docsAssets);
  app.use((ctx, next) => (isCall(ctx.path) ? answerUnknownCall(ctx, next) : next()));
  app.use((ctx, next) => {
    nameRoute(ctx, 'web app');
    return needs.webApp(ctx, next);
  });
  return app;
}

const isCall = (path: string): boolean => path === '/api' || path.startsWith('/api/') || path === WEBHOOK_PATH;
