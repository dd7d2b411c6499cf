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
import { publishedAlert } from './alerts/present-alert.ts';
import { serveDocsAssets } from './api-document/docs-assets.ts';
import { documentRoutes } from './api-document/document-routes.ts';
import { startRetention } from './alerts/retention.ts';
import { apiKeyRoutes } from './api-keys/api-key-routes.ts';
import { openApiKeyStore } from './api-keys/api-key-store.ts';
import { AUDIT_PRUNE_MS, pruneAudit } from './audit/prune-audit.ts';
import { REFUSAL_FLUSH_MS, createRefusalLog } from './audit/refusal-log.ts';
import { auditRoutes } from './audit/audit-routes.ts';
import { type Config, isLoopbackUrl } from './config.ts';
import { PRODUCT_VERSION } from './contract/product.ts';
import { lockDataDir } from './database/data-dir-lock.ts';
import { SQLITE_FILE, openDatabase, prepareDataDir } from './database/open-database.ts';
import type { Database } from './database/database.ts';
import { isFullDisk } from './database/dialect.ts';
import { startRepeating } from './database/repeat.ts';
import type { Endpoint } from './endpoint/endpoint.ts';
import { alertTypeRoutes } from './alert-types/alert-type-routes.ts';
import { customerRoutes } from './customers/customer-routes.ts';
import { folderRoutes } from './folders/folder-routes.ts';
import { createAnswerQueue } from './http/answer-limits.ts';
import { createWebhookAnswers } from './http/answer-webhooks.ts';
import { createApp } from './http/create-app.ts';
import { healthRoutes } from './http/health-routes.ts';
import { createIsAllowedHost, createIsSecure, createOriginOf, requestHost } from './http/origin.ts';
import { HTTP_LIMITS, type HttpLimits } from './http/http-server.ts';
import { createLogAnswer } from './http/log-requests.ts';
import { metricsRoutes } from './http/metrics-routes.ts';
import { productRoutes } from './http/product-routes.ts';
import { listen, stopListening } from './http/listen.ts';
import { serveWebBuild } from './http/web-build.ts';
import { type AlertWriter, type IncomingAlert, createAlertWriter } from './ingest/alert-writer.ts';
import { testAlertRoutes } from './ingest/test-alert-route.ts';
import { createTakeAlert } from './ingest/webhook-route.ts';
import { DELIVERY_CLEANUP_MS, forgetDeliveries } from './ingest/forget-deliveries.ts';
import { createBatchWriter } from './ingest/write-batch.ts';
import { createEventBus } from './live/event-bus.ts';
import { createSocketHub } from './live/socket-hub.ts';
import { createSocketServer } from './live/socket-server.ts';
import { type Metrics, createMetrics } from './metrics/metrics.ts';
import type { Logger } from './logger.ts';
import { startNameExpiry } from './names/expire-names.ts';
import { notificationSettingsRoutes } from './notification-settings/notification-settings-routes.ts';
import { type PushParts, openPush } from './push/open-push.ts';
import { type SearchIndex, openSearchIndex } from './search/search-index.ts';
import { createFileSecretStore, createTableSecretStore } from './secrets/secret-store.ts';
import { StartError } from './start-error.ts';
import { sessionRoutes } from './sessions/session-routes.ts';
import { createSessionStore } from './sessions/session-store.ts';
import { createSignInThrottle } from './sessions/sign-in-throttle.ts';

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
  /** The embedded database's search index; MySQL has none. */
  search: SearchIndex | undefined;
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
  createWriter?: (database: Database, onStored: (alert: IncomingAlert, id: string) => void) => AlertWriter;
  /** How long clients may take; default: as in production. */
  httpLimits?: HttpLimits;
  /** What stands for the internet in web push. */
  push?: PushParts;
}

/**
 * Puts the rooms together and starts to listen.
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
  const search = config.databaseUrl ? undefined : startSearch(config, logger, database);
  try {
    const server = await compose(config, logger, parts, { database, metrics, search });
    return { ...server, stop: () => server.stop().finally(release) };
  } catch (error) {
    await search?.close();
    await database.close();
    release();
    throw error;
  }
}

function startSearch({ dataDir }: Config, logger: Logger, { reads }: Database): SearchIndex {
  return openSearchIndex({ databaseFile: join(dataDir, SQLITE_FILE), dataDir, reads }, (error) =>
    logger.error({ err: error }, 'the search index is behind; searches are slower and look at fewer alerts'),
  );
}

async function compose(
  config: Config,
  logger: Logger,
  parts: ServerParts,
  { database, metrics, search }: { database: Database; metrics: Metrics; search: SearchIndex | undefined },
): Promise<RunningServer> {
  const secrets = config.databaseUrl ? createTableSecretStore(database) : createFileSecretStore(config.dataDir);
  const sessionSecret =
    config.sessionSecret ?? (await secrets.getOrCreate('SESSION_SECRET', () => randomBytes(32).toString('base64url')));
  const passwords = createPasswords(parts.passwordCost);
  const firstAdmin = await ensureFirstAdmin({ database, secrets, passwords }, config);
  const offered = await findDefaultCredentials(database, secrets, config);

  const events = createEventBus((error) => logger.error({ err: error }, 'an event subscriber failed'));
  const sessions = createSessionStore(database, logger);
  const apiKeys = await openApiKeyStore(database, logger);
  const push = await openPush(
    {
      database,
      secrets,
      events,
      logger,
      config,
      onOutcome: metrics.push,
      isListening: (sessionId) => hub.isListening(sessionId),
    },
    parts.push,
  );
  const publishStored = (alert: IncomingAlert, id: string) => {
    search?.look();
    events.publish({
      type: 'new_alert',
      alert: publishedAlert({ ...alert, id, status: 'pending', ownerId: null, folderId: null }, null),
    });
  };
  const writer =
    parts.createWriter?.(database, publishStored) ??
    createAlertWriter(
      { writeBatch: createBatchWriter(database), dialect: database.dialect, logger, observer: metrics.ingest },
      publishStored,
    );

  const isSecure = createIsSecure(config);
  const isAllowedHost = createIsAllowedHost(config);
  const hub = createSocketHub(events, sessions.stillGood, metrics.live);
  metrics.watch({
    ingestQueue: writer.queued,
    liveSockets: () => ({ open: hub.size, bufferedBytes: hub.bufferedBytes() }),
    pendingPushes: push.pending,
    waitingTransactions: database.waiting,
  });
  const socketServer = createSocketServer({
    database,
    sessions,
    hub,
    isSecure,
    isAllowedHost: (ctx) => isAllowedHost(requestHost(ctx)),
    originOf: createOriginOf(config),
    contextOf: (request) => app.createContext(request, new ServerResponse(request)),
  });
  let isStopping = false;
  const endpoints: Endpoint[] = [
    ...healthRoutes({ database, isStopping: () => isStopping }),
    ...productRoutes(config),
    ...metricsRoutes({ metrics, config }),
    ...sessionRoutes({
      database,
      secrets,
      passwords,
      sessions,
      throttle: createSignInThrottle(),
      events,
      sessionSecret,
      config,
      observe: metrics.signIn,
    }),
    ...userRoutes({ database, passwords, events }),
    ...apiKeyRoutes({ apiKeys }),
    ...testAlertRoutes({ writer }),
    ...auditRoutes({ database }),
    ...alertRoutes({ database, events, search }),
    ...folderRoutes({ database, events }),
    ...customerRoutes({ database, events }),
    ...alertTypeRoutes({ database, events }),
    ...notificationSettingsRoutes({ database, events }),
    ...push.endpoints,
    ...documentRoutes(() => endpoints),
  ];
  const logAnswer = createLogAnswer(logger, metrics.answer);
  const webhook = createWebhookAnswers({
    take: createTakeAlert({ apiKeys, writer, observer: metrics.ingest }),
    config,
    isStopping: () => isStopping,
    logAnswer,
  });
  const refusals = createRefusalLog(database);
  const app = createApp({
    config,
    logger,
    dialect: database.dialect,
    sessions,
    sessionSecret,
    isSecure,
    isStopping: () => isStopping,
    answers: createAnswerQueue(),
    onRefused: refusals.add,
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
  const repeating = [
    startRepeating((stopping) => forgetDeliveries(database, stopping), {
      intervalMs: DELIVERY_CLEANUP_MS,
      onError: (error) =>
        logger.error({ err: error }, 'old idempotency keys could not be deleted; the next attempt follows'),
    }),
    startRepeating((stopping) => pruneAudit(database, config.auditRetentionDays, stopping), {
      intervalMs: AUDIT_PRUNE_MS,
      onError: (error) => logger.error({ err: error }, 'the audit trail could not be pruned; the next attempt follows'),
    }),
    startRepeating(refusals.flush, {
      intervalMs: REFUSAL_FLUSH_MS,
      onError: (error) => logger.error({ err: error }, 'refusals could not be counted; the next attempt follows'),
    }),
    startNameExpiry({ database, logger, days: config.nameRetentionDays }),
  ];
  if (config.retentionDays !== undefined) {
    repeating.push(startRetention({ database, events, logger, days: config.retentionDays, observe: metrics.deleted }));
  }
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
      // Whoever sends requests here learns by `/readyz` to send them elsewhere, before they are refused.
      const drainMs = config.drainSeconds * 1000;
      await delay(drainMs);
      hub.close();
      await Promise.all([...repeating.map((work) => work.stop()), stopListening(app, server, drainMs)]);
      await writer.stop();
      await refusals
        .flush()
        .catch((error: unknown) => logger.error({ err: error }, 'refusals could not be counted before the stop'));
      await push.stop();
      await search?.close();
      await database.close();
    },
  };
}
