import { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { WEB_BUILD_DIR } from '#backend/build-paths.ts';
import { streamAudit } from '#backend/identity/audit/audit-log.ts';
import { endClosedSessions } from '#backend/identity/sessions/end-closed-sessions.ts';
import { ensureFirstAdmin, findDefaultCredentials, warnOfBreakGlass } from '#backend/identity/users/first-admin.ts';
import { createPasswords } from '#backend/identity/users/passwords.ts';
import { serveDocsAssets } from '#backend/http/api-document/document-routes.ts';
import { prepareArchiveDir } from '#backend/transfer/retention/archive.ts';
import { startBackgroundJobs } from './background-jobs.ts';
import type { Config } from './config.ts';
import { isLoopbackUrl } from '#backend/identity/users/identity-config.ts';
import { type Membership, joinServers } from '#backend/platform/cluster/servers.ts';
import { type AppContext, createContext } from './context.ts';
import { openLive } from './live.ts';
import { createEndedServers } from '#backend/platform/cluster/ended-servers.ts';
import { openCluster } from '#backend/platform/cluster/open-cluster.ts';
import { followNotices, notifyBeforeStop } from '#backend/alerts/commands/member-notices.ts';
import { createFeedConsumers } from '#backend/platform/feed/feed-consumers.ts';
import { type Feed, openFeed } from '#backend/platform/feed/feed.ts';
import { createLoadPublished } from '#backend/alerts/lists/published-alerts.ts';
import { type Cluster } from '#backend/platform/cluster/cluster.ts';
import { PRODUCT_VERSION } from '#backend/contract/product.ts';
import { lockDataDir } from '#backend/platform/database/data-dir-lock.ts';
import { STORED } from './entities.ts';
import { SQLITE_FILE, openDatabase } from '#backend/platform/database/open-database.ts';
import { prepareDataDir } from '#backend/platform/database/private-files.ts';
import { isFullDisk } from '#backend/platform/database/driver-errors.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { asStartError, explainByNewer } from '#backend/platform/database/migrate.ts';
import { createEndpoints } from './endpoints.ts';
import { createAnswerQueue } from '#backend/http/answer-limits.ts';
import { answerWebhooks } from '#backend/http/answer-webhooks.ts';
import { createApp } from '#backend/http/create-app.ts';
import { createLinkOriginOf, createIsAllowedHost, createOwnOriginOf } from '#backend/http/origin.ts';
import { HTTP_LIMITS } from '#backend/http/http-server.ts';
import { createLogAnswer } from '#backend/http/log-requests.ts';
import { LEAST_DRAIN_MS, createRequestGate, listen, stopListening } from '#backend/http/listen.ts';
import { serveWebBuild } from '#backend/http/web-build.ts';
import { openInsight } from '#backend/alerts/insight/insight.ts';
import { createAnswerError } from '#backend/http/problems.ts';
import { createIntake } from '#backend/intake/opsgenie/api.ts';
import { createEventBus } from '#backend/platform/live/event-bus.ts';
import { keepHeapSmall } from '#backend/platform/database/memory.ts';
import { createMetrics } from '#backend/platform/metrics/metrics.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { levelsOf } from './levels.ts';
import { openOutgoing } from '#backend/outgoing/open-outgoing.ts';
import { openPush } from '#backend/outgoing/push/open-push.ts';
import { openSearch } from '#backend/platform/search/open-search.ts';
import { type Keyring, createSealedStore, openKeyring } from '#backend/platform/secrets/keyring.ts';
import { openStore } from '#backend/platform/secrets/secret-store.ts';
import { openMailIn } from './mail-in.ts';
import type { RunningServer, ServerParts } from './server-parts.ts';
import { type StopStep, stopInOrder, stopTogether } from './stop-in-order.ts';
import { StartError } from '#backend/platform/logger/start-error.ts';
import { openViews } from '#backend/alerts/views/view-routes.ts';
import { openTracing } from '#backend/platform/tracing/open-tracing.ts';
import { publishSourceNews } from '#backend/intake/sources/source-news.ts';

/**
 * Puts the modules together and starts to listen.
 *
 * @throws {StartError} when the data folder, the database or the port cannot be used.
 */
export async function startServer(config: Config, logger: Logger, parts: ServerParts = {}): Promise<RunningServer> {
  keepHeapSmall();
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
  if (config.archiveDir !== undefined) await prepareArchiveDir(config.archiveDir);
  const release = config.databaseUrl ? () => undefined : lockDataDir(config.dataDir);
  const metrics = createMetrics(PRODUCT_VERSION);
  const serverId = newId();
  const tracing = await openTracing(config.tracing, serverId, metrics.spans, logger);
  const events = createEventBus((error) => logger.error({ err: error }, 'an event subscriber failed'));
  const database = await openDatabase(config, STORED, metrics.database, {
    isPatient: parts.isDatabasePatient,
    onMigrated: parts.onMigrated,
    tracing,
    onCommitted: config.auditStream === 'stdout' ? streamAudit : undefined,
  }).catch((error: unknown) => {
    release();
    throw error;
  });
  const search = openSearch(
    { ...config, databaseFile: join(config.dataDir, SQLITE_FILE), database, events },
    (error) => logger.error({ err: error }, 'the search index is behind; searches are slower and look at fewer alerts'),
    parts.indexedAfterMs,
  );
  const store = openStore(config, database);
  let membership: Membership | undefined;
  let cluster: Cluster | undefined;
  let feed: Feed | undefined;
  let sealing: Keyring | undefined;
  try {
    sealing = await openKeyring({ config, database, store, logger });
    const secrets = config.databaseUrl ? createSealedStore(store, sealing) : store;
    const isShared = parts.isOneOfSeveral ?? config.redisUrl !== undefined;
    membership = await joinServers({ database, logger, serverId, dataDir: config.dataDir, isShared });
    feed = await openFeed({ database, events, logger, serverId, load: createLoadPublished(database.reads) });
    cluster = await openCluster({ config, database, events, feed, secrets, logger, metrics, serverId });
    const opened = {
      config,
      logger,
      database,
      events,
      metrics,
      tracing,
      search,
      secrets,
      sealing,
      serverId,
      membership,
      cluster,
      feed,
    };
    const server = await compose(opened, parts);
    return { ...server, stop: (options) => server.stop(options).finally(release) };
  } catch (thrown) {
    const error = await explainByNewer(database.reads, database.dialect, thrown);
    await cluster?.stop();
    await feed?.stop();
    await membership?.leave();
    await sealing?.stop();
    await search.close();
    await database.close();
    release();
    throw asStartError(database.dialect, error);
  }
}

async function compose(
  {
    serverId,
    membership,
    cluster,
    feed,
    ...opened
  }: Pick<AppContext, 'config' | 'logger' | 'database' | 'events' | 'metrics' | 'tracing' | 'search' | 'secrets'> & {
    sealing: Keyring;
    serverId: string;
    membership: Membership;
    cluster: Cluster;
    feed: Feed;
  },
  parts: ServerParts,
): Promise<RunningServer> {
  const { config, logger, database, events, metrics, tracing, search, secrets, sealing } = opened;
  const passwords = createPasswords(parts.passwordCost);
  const firstAdmin = await ensureFirstAdmin({ database, secrets, passwords }, config);
  await warnOfBreakGlass({ config, database, logger });
  await endClosedSessions({ config, database });
  const offered = await findDefaultCredentials(database, secrets, config);
  let stopping: { isReplaced?: boolean } | undefined;
  const context = await createContext(
    { ...opened, cluster, passwords, isStopping: () => stopping !== undefined },
    parts,
  );
  const consumers = createFeedConsumers({ database, feed, logger, load: createLoadPublished(database.reads) });
  followNotices(context.notices, consumers, events);
  const insight = openInsight(context);
  const views = await openViews(context, () => onlineMembers(), parts.alertsPerStretch);
  const isAllowedHost = createIsAllowedHost(config);
  const { hub, socketServer, closeSockets } = openLive(context, {
    feed,
    cluster,
    serverId,
    eventsBefore: views.eventsBefore,
    isAllowedHost: (ctx) => isAllowedHost(ctx.req),
    contextOf: (request) => app.createContext(request, new ServerResponse(request)),
  });
  const sourceNews = publishSourceNews(context, () => hub.size > 0);
  const isListening = (sessionId: string) => hub.isListening(sessionId) || cluster.isListening(sessionId);
  const onlineMembers = () => hub.onlineMembers().union(cluster.onlineMembers());
  const push = await openPush(
    { ...context, consumers, isListening, counts: cluster.counts, choicesFor: views.choicesFor },
    parts.push,
  );
  const outgoing = openOutgoing(
    { ...context, counts: cluster.counts, feed, observe: metrics.outgoing, onlineMembers },
    parts.outgoing,
  );
  metrics.watch({ ...levelsOf({ ...context, hub, cluster }), pendingPushes: push.pending });
  const endpoints = createEndpoints({
    ...context,
    isLeaving: () => stopping !== undefined && !stopping.isReplaced,
    scrape: parts.scrape ?? metrics.text,
    counts: cluster.counts,
    servers: () => cluster.levels().servers,
    isKeyInDatabase: sealing.isInDatabase,
    onlineMembers,
    insight,
    feed,
    destinations: outgoing.destinations,
    onNow: outgoing.onNow,
    ofParts: [views, push, context.heartbeats, outgoing].flatMap((part) => part.endpoints),
  });
  const logAnswer = createLogAnswer(logger, metrics.answer);
  const answerError = createAnswerError(logger, database.dialect);
  const app = createApp({
    ...context,
    answers: createAnswerQueue(parts.answerLimits),
    ownOriginOf: createOwnOriginOf(config),
    logAnswer,
    endpoints,
    isAllowedHost,
    answerError,
    docsAssets: serveDocsAssets(),
    webApp: parts.webApp ?? serveWebBuild(WEB_BUILD_DIR),
  });
  app.ws.use(socketServer.middleware);
  const callback = app.callback();
  const answer = answerWebhooks(
    {
      take: createIntake({ ...context, linkOriginOf: createLinkOriginOf(config), observer: metrics.ingest }),
      config,
      isAllowedHost,
      answerError,
      isStopping: context.isStopping,
      logAnswer,
      tracing,
    },
    (request, response) => void callback(request, response),
  );
  const gate = createRequestGate(answer);
  const listening = await listen(app, gate.listener, config, socketServer.options, parts.httpLimits ?? HTTP_LIMITS);
  const mailListener = await openMailIn(context, cluster, parts).catch(async (error: unknown) => {
    await stopListening(app, listening, gate, 0);
    throw error;
  });
  cluster.begin(hub.listening);
  const jobs = await startBackgroundJobs({
    ...context,
    insight,
    consumers,
    outgoing,
    writer: feed.writer,
    serverId,
    leaseMs: parts.leaseMs,
    ended: createEndedServers(cluster.isPresent, membership.foundDead),
  });
  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${(listening.server.address() as AddressInfo).port}`,
    firstAdmin,
    setupToken: isLoopbackUrl(config.publicUrl) ? offered?.setupToken : undefined,
    database,
    search,
    insight,
    endpoints,
    metrics,
    mailPort: mailListener?.port,
    async stop(options = {}) {
      stopping = options;
      const beganAt = performance.now();
      // Load balancers learn by `/readyz` to send requests elsewhere, before any is refused.
      await delay(Math.max(config.drainSeconds * 1000, LEAST_DRAIN_MS));
      const notified = await notifyBeforeStop(context.notices);
      sourceNews.stop();
      closeSockets();
      const drainedMs = performance.now() - beganAt;
      await stopTogether(logger, [
        ...jobs.map((job): StopStep => ['background work', () => job.stop()]),
        ['mails that come in', () => mailListener?.stop()],
        ['last notices', () => notified.last],
        ['connections', () => stopListening(app, listening, gate, drainedMs, () => context.readings.stop())],
      ]);
      await stopInOrder(logger, [
        ['alerts that were taken', () => context.writer.stop()],
        ['maintenance windows', () => context.windows.stop()],
        ['rules', () => Promise.all([context.rules.stop(), context.grouping.stop(), context.flapping.stop()])],
        ['delivery log', () => context.deliveryLog.flush()],
        ['sources', () => Promise.all([context.sns.close(), context.sources.stop(), context.mappings.stop()])],
        ['long reads', () => context.readings.stop()],
        ['counted audit', () => context.countedAudit.flush(true)],
        ['outgoing', () => outgoing.stop()],
        ['push', () => push.stop()],
        ['views', () => views.stop()],
        ['feed', () => feed.stop()],
        ['feed consumers', () => consumers.stop()],
        ['cluster', () => cluster.stop()],
        ['search', () => Promise.all([search.close(), insight.close()])],
        ['membership', () => membership.leave().then(() => sealing.stop())],
        ['database', () => database.close()],
        ['traces', () => tracing.stop()],
      ]);
    },
  };
}
