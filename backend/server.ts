import { randomBytes } from 'node:crypto';
import { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Middleware } from 'koa';
import { type FirstAdmin, ensureFirstAdmin, findDefaultCredentials } from './accounts/first-admin.ts';
import { userRoutes } from './accounts/user-routes.ts';
import { createPasswords } from './accounts/passwords.ts';
import { alertRoutes } from './alerts/alert-routes.ts';
import { firstRunRoutes } from './alerts/first-run.ts';
import { assignmentRoutes } from './alerts/assignment-routes.ts';
import { serveDocsAssets, documentRoutes } from './api-document/document-routes.ts';
import { apiKeyRoutes } from './sources/api-key-routes.ts';
import { createDenialLog } from './audit/denial-log.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import { startBackgroundJobs } from './background-jobs.ts';
import { type Config, isLoopbackUrl } from './config.ts';
import type { AppContext } from './context.ts';
import { PRODUCT_VERSION } from './contract/product.ts';
import { lockDataDir } from './database/data-dir-lock.ts';
import { SQLITE_FILE, openDatabase, prepareDataDir } from './database/open-database.ts';
import type { Database } from './database/database.ts';
import { isFullDisk } from './database/dialect.ts';
import type { Endpoint } from './endpoint/endpoint.ts';
import { alertTypeRoutes, customerRoutes, sourceMuteRoutes } from './mutes/mute-routes.ts';
import { muteEndRoutes } from './mutes/mute-ends.ts';
import { noteRoutes } from './notes/note-routes.ts';
import { folderRoutes } from './folders/folder-routes.ts';
import { createAnswerQueue } from './http/answer-limits.ts';
import { createWebhookAnswers } from './http/answer-webhooks.ts';
import { createApp } from './http/create-app.ts';
import { healthRoutes, metricsRoutes, productRoutes } from './http/server-routes.ts';
import { createIsAllowedHost, createIsSecure, createOriginOf, requestHost } from './http/origin.ts';
import { HTTP_LIMITS, type HttpLimits } from './http/http-server.ts';
import { createLogAnswer } from './http/log-requests.ts';
import { listen, stopListening } from './http/listen.ts';
import { serveWebBuild } from './http/web-build.ts';
import { type AlertWriter, createAlertWriter } from './ingest/alert-writer.ts';
import { testAlertRoutes } from './ingest/test-alert-route.ts';
import { createTakeRequest } from './ingest/webhook-route.ts';
import { createBatchWriter } from './ingest/write-batch.ts';
import { type EventBus, createEventBus } from './live/event-bus.ts';
import { createSocketHub } from './live/socket-hub.ts';
import { createSocketServer } from './live/socket-server.ts';
import { createMetrics } from './metrics/metrics.ts';
import type { Logger } from './logger.ts';
import { createMemberNotices } from './notifications/member-notices.ts';
import { notificationSettingsRoutes } from './notifications/notification-settings-routes.ts';
import { type PushParts, openPush } from './notifications/push/open-push.ts';
import { type SearchIndex, openSearchIndex } from './search/search-index.ts';
import { openSegmentIndex } from './search/segment-index.ts';
import { createFileSecretStore, createTableSecretStore } from './secrets/secret-store.ts';
import { StartError } from './start-error.ts';
import { sessionRoutes } from './sessions/session-routes.ts';
import { createSessionStore } from './sessions/session-store.ts';
import { createSignInThrottle } from './sessions/sign-in-throttle.ts';
import { deliveryRoutes } from './sources/delivery-routes.ts';
import { NO_DELIVERY_LOG, createDeliveryLog } from './sources/delivery-log.ts';
import { type SnsParts, openSnsClient } from './sources/sns-client.ts';
import { sourceRoutes } from './sources/source-routes.ts';
import { createSealing, newSealingKey } from './sources/sealing.ts';
import { openSourceRegistry } from './sources/source-registry.ts';

/** Where `npm run build` puts the web app. */
export const WEB_BUILD_DIR = fileURLToPath(new URL('../dist/web', import.meta.url));

/** A server that listens. */
export interface RunningServer {
  /** Where it is reached, e.g. `http://127.0.0.1:4400`. */
  url: string;
  /** Who was created as first administrator at this start, if anybody. */
  firstAdmin: FirstAdmin | undefined;
  /** Opens the sign-in page's panel with the generated password, while that may be offered. */
  setupToken: string | undefined;
  database: Database;
  search: SearchIndex;
  /** Every call of the API, as declared: what the policy tests enumerate. */
  endpoints: readonly Endpoint[];
  /** Stops taking alerts, commits what was taken, says goodbye to live clients, closes the database. */
  stop(): Promise<void>;
}

/** What a caller may put in the place of the product's own parts: development, benches and tests do. */
export interface ServerParts {
  /** Serves the web app; default: the build. */
  webApp?: Middleware;
  /** bcrypt's work factor. */
  passwordCost?: number;
  /** Stores alerts; default: group commit. */
  createWriter?: (database: Database, events: EventBus) => AlertWriter;
  /** Keeps no delivery log. Only for measuring what it costs. */
  hasNoDeliveryLog?: boolean;
  /** How old alerts on MySQL are before they are indexed for search; default: as in production. */
  indexedAfterMs?: number;
  /** How long clients may take; default: as in production. */
  httpLimits?: HttpLimits;
  /** What stands for the internet in web push. */
  push?: PushParts;
  /** What stands for the internet where subscriptions of AWS SNS are confirmed. */
  sns?: SnsParts;
}

/**
 * Puts the modules together and starts to listen.
 *
 * @throws {StartError} when the data folder, the database or the port cannot be used.
 */
export async function startServer(config: Config, logger: Logger, parts: ServerParts = {}): Promise<RunningServer> {
  try {
    return await start(config, logger, parts);
  } catch (error) {
    if (!isFullDisk(error)) throw error;
    throw new StartError(`The disk of the data folder ${config.dataDir} is full; free some space, then start again.`, {
      cause: error,
    });
  }
}

async function start(config: Config, logger: Logger, parts: ServerParts): Promise<RunningServer> {
  await prepareDataDir(config.dataDir);
  const release = config.databaseUrl ? () => undefined : lockDataDir(config.dataDir);
  const metrics = createMetrics(PRODUCT_VERSION);
  const database = await openDatabase(config, metrics.database).catch((error: unknown) => {
    release();
    throw error;
  });
  const events = createEventBus((error) => logger.error({ err: error }, 'an event subscriber failed'));
  const search = startSearch({ config, logger, database, events }, parts);
  try {
    const server = await compose({ config, logger, database, events, metrics, search }, parts);
    return { ...server, stop: () => server.stop().finally(release) };
  } catch (error) {
    await search.close();
    await database.close();
    release();
    throw error;
  }
}

function startSearch(
  {
    config: { dataDir, databaseUrl },
    logger,
    database: { reads },
    events,
  }: Pick<AppContext, 'config' | 'logger' | 'database' | 'events'>,
  { indexedAfterMs }: ServerParts,
): SearchIndex {
  const onFailure = (error: Error) =>
    logger.error({ err: error }, 'the search index is behind; searches are slower and look at fewer alerts');
  return databaseUrl === undefined
    ? openSearchIndex({ databaseFile: join(dataDir, SQLITE_FILE), dataDir, reads, events }, onFailure)
    : openSegmentIndex({ databaseUrl, reads, events }, onFailure, indexedAfterMs);
}

async function compose(
  opened: Pick<AppContext, 'config' | 'logger' | 'database' | 'events' | 'metrics' | 'search'>,
  parts: ServerParts,
): Promise<RunningServer> {
  const { config, logger, database, events, metrics, search } = opened;
  const secrets = config.databaseUrl ? createTableSecretStore(database) : createFileSecretStore(config.dataDir);
  const passwords = createPasswords(parts.passwordCost);
  const firstAdmin = await ensureFirstAdmin({ database, secrets, passwords }, config);
  const offered = await findDefaultCredentials(database, secrets, config);
  let isStopping = false;
  const context: AppContext = {
    ...opened,
    notices: createMemberNotices(events),
    secrets,
    passwords,
    sessions: createSessionStore(database, logger),
    sessionSecret:
      config.sessionSecret ??
      (await secrets.getOrCreate('SESSION_SECRET', () => randomBytes(32).toString('base64url'))),
    sources: await openSourceRegistry({ database, logger }),
    sealing: createSealing(await secrets.getOrCreate('SOURCE_SECRETS_KEY', newSealingKey)),
    deliveryLog: parts.hasNoDeliveryLog
      ? NO_DELIVERY_LOG
      : createDeliveryLog({ database, events, logger, observe: metrics.droppedDeliveries }),
    sns: openSnsClient(parts.sns),
    writer:
      parts.createWriter?.(database, events) ??
      createAlertWriter({
        writeBatch: createBatchWriter(database),
        dialect: database.dialect,
        events,
        logger,
        observer: metrics.ingest,
      }),
    isSecure: createIsSecure(config),
    isStopping: () => isStopping,
  };
  const { sessions, writer } = context;

  const hub = createSocketHub(events, sessions.filterActive, metrics.live);
  const push = await openPush({ ...context, isListening: hub.isListening }, parts.push);
  metrics.watch({
    ingestQueue: writer.queued,
    liveSockets: () => ({ open: hub.size, bufferedBytes: hub.bufferedBytes() }),
    pendingPushes: push.pending,
    queuedDeliveries: context.deliveryLog.queued,
    waitingTransactions: database.waiting,
  });
  const isAllowedHost = createIsAllowedHost(config);
  const socketServer = createSocketServer({
    ...context,
    hub,
    isAllowedHost: (ctx) => isAllowedHost(requestHost(ctx)),
    originOf: createOriginOf(config),
    contextOf: (request) => app.createContext(request, new ServerResponse(request)),
  });
  const endpoints: Endpoint[] = [
    ...healthRoutes(context),
    ...productRoutes(context),
    ...metricsRoutes(context),
    ...sessionRoutes(context, createSignInThrottle()),
    ...userRoutes(context),
    ...apiKeyRoutes(context),
    ...sourceRoutes(context),
    ...deliveryRoutes(context),
    ...testAlertRoutes(context),
    ...auditRoutes(context),
    ...assignmentRoutes({ ...context, onlineMembers: hub.onlineMembers }),
    ...alertRoutes(context),
    ...firstRunRoutes(context),
    ...noteRoutes(context),
    ...folderRoutes(context),
    ...customerRoutes(context),
    ...alertTypeRoutes(context),
    ...sourceMuteRoutes(context),
    ...muteEndRoutes(context),
    ...notificationSettingsRoutes(context),
    ...push.endpoints,
    ...documentRoutes(() => endpoints),
  ];
  const logAnswer = createLogAnswer(logger, metrics.answer);
  const webhook = createWebhookAnswers({
    take: createTakeRequest({ ...context, observer: metrics.ingest }),
    config,
    isStopping: context.isStopping,
    logAnswer,
  });
  const denials = createDenialLog(database);
  const app = createApp({
    ...context,
    answers: createAnswerQueue(),
    onDenied: denials.add,
    logAnswer,
    endpoints,
    webhook: webhook.middleware,
    docsAssets: serveDocsAssets(),
    webApp: parts.webApp ?? serveWebBuild(WEB_BUILD_DIR),
  });
  app.ws.use(socketServer.middleware);

  const callback = app.callback();
  const listener = webhook.inFrontOf((request, response) => void callback(request, response));
  const server = await listen(app, listener, config, socketServer.options, parts.httpLimits ?? HTTP_LIMITS);
  const jobs = startBackgroundJobs(context, denials);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    firstAdmin,
    setupToken: isLoopbackUrl(config.publicUrl) ? offered?.setupToken : undefined,
    database,
    search,
    endpoints,
    async stop() {
      isStopping = true;
      // Load balancers learn by `/readyz` to send requests elsewhere, before any is refused.
      const drainMs = config.drainSeconds * 1000;
      await delay(drainMs);
      context.notices.flush();
      hub.close();
      await Promise.all([...jobs.map((job) => job.stop()), stopListening(app, server, drainMs)]);
      await writer.stop();
      await context.deliveryLog.flush();
      context.sns.close();
      await denials
        .flush()
        .catch((error: unknown) => logger.error({ err: error }, 'denials could not be counted before the stop'));
      await push.stop();
      await search.close();
      await database.close();
    },
  };
}
