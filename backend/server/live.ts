import { canSee } from '#backend/alerts/alert/alert.ts';
import { countAlerts } from '#backend/alerts/alert/alert-counts.ts';
import { findAccess } from '#backend/alerts/alert/alert-store.ts';
import { AUDIENCE } from '#backend/alerts/alert/audience.ts';
import { createOriginOf } from '#backend/http/origin.ts';
import { headersOfAll } from '#backend/http/security-headers.ts';
import { sessionCookieName } from '#backend/identity/sessions/session-cookies.ts';
import type { Cluster } from '#backend/platform/cluster/cluster.ts';
import type { Feed } from '#backend/platform/feed/feed.ts';
import { createLooking } from '#backend/platform/live/looking.ts';
import { type SocketHub, type SocketHubDeps, createSocketHub } from '#backend/platform/live/socket-hub.ts';
import { type SocketServer, type SocketServerDeps, createSocketServer } from '#backend/platform/live/socket-server.ts';
import type { AppContext } from './context.ts';

/** What live clients are sent beside the context. */
interface LiveParts
  extends Required<Pick<SocketHubDeps, 'eventsBefore'>>, Pick<SocketServerDeps, 'isAllowedHost' | 'contextOf'> {
  feed: Feed;
  cluster: Cluster;
  serverId: string;
}

/** The live clients: their sockets, what these are sent, and who looks at what. */
export function openLive(
  context: AppContext,
  { feed, cluster, serverId, eventsBefore, isAllowedHost, contextOf }: LiveParts,
): { hub: SocketHub; socketServer: SocketServer; closeSockets: () => void } {
  const { config, database, events, metrics, sessions } = context;
  const hub = createSocketHub({
    ...context,
    audience: AUDIENCE,
    filterActive: sessions.filterActive,
    place: feed.place,
    eventsBefore,
    observer: metrics.live,
  });
  const looking = createLooking({
    events,
    canSee,
    serverId,
    hasOtherServers: () => cluster.levels().servers > 1,
    findAccess: (ids) => findAccess(database.reads, ids),
  });
  const socketServer = createSocketServer({
    ...context,
    hub,
    looking,
    tokenOf: (ctx) => ctx.cookies.get(sessionCookieName(context.isSecure(ctx))),
    findMember: (token) => sessions.find(token, null),
    countInbox: () => countAlerts(database.reads, { list: 'inbox' }),
    place: feed.place,
    isDelayed: cluster.isDelayed,
    isAllowedHost,
    originOf: createOriginOf(config),
    headers: headersOfAll(config),
    contextOf,
  });
  return {
    hub,
    socketServer,
    closeSockets() {
      looking.close();
      hub.close();
    },
  };
}
