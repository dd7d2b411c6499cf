import type { EventBus } from './event-bus.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Middleware as SocketMiddleware } from 'koa-websocket';
import type { VerifyClientCallbackAsync } from 'ws';
import { CLOSE_SESSION_ENDED } from '#backend/contract/live-event.ts';
import { PRODUCT_VERSION } from '#backend/contract/product.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { type JsonText, jsonText } from '#backend/platform/endpoint/json-text.ts';
import { coalesce } from '#backend/platform/database/coalesce.ts';
import type { Looking } from './looking.ts';
import type { SocketHub } from './socket-hub.ts';
import { createSocketQuota } from './socket-quota.ts';
import type { HttpContext } from '#backend/platform/endpoint/read-request.ts';

/** Largest frame that a client may send. */
const MAX_FRAME_BYTES = 16 * 1024;

/** How long after an attempt pages are greeted again, in milliseconds. */
const GREET_AGAIN_MS = 1_000;

/** Of an upgrade that is refused, which is answered by the name of its status. */
const REFUSAL_HEADERS = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
const RETRY_LATER = { 'Retry-After': '5' };

/** How the WebSocket server is set up. */
interface LiveSocketOptions {
  path: string;
  maxPayload: number;
  perMessageDeflate: boolean;
  verifyClient: VerifyClientCallbackAsync;
}

/** What the live endpoint is made of. */
export interface SocketServerDeps {
  events: EventBus;
  logger: Logger;
  hub: SocketHub;
  looking: Looking;
  /** The token of the session that a request is made with. */
  tokenOf: (ctx: HttpContext) => string | undefined;
  /** The member of a session, by its token; undefined when it has ended. */
  findMember: (token: string) => Promise<(Actor & { mustSetUpSecondStep?: boolean | undefined }) | undefined>;
  /** How many alerts are in the inbox. */
  countInbox: () => Promise<number>;
  /** The place in the feed up to which everything was published. */
  place: () => string;
  /** Whether what happens on other servers comes later than usual. */
  isDelayed: () => boolean;
  /** Koa's view of a request that is about to be upgraded. */
  contextOf: (request: IncomingMessage) => HttpContext;
  isAllowedHost: (ctx: HttpContext) => boolean;
  /** The origin that our own pages have. */
  originOf: (ctx: HttpContext) => string;
  /** Headers of every answer. */
  headers: Record<string, string>;
}

/** The live endpoint, to be put into the app. */
export interface SocketServer {
  options: LiveSocketOptions;
  middleware: SocketMiddleware;
}

/**
 * The live endpoint `/ws`: refused at the upgrade with 401 without a session, 403 from
 * a foreign origin, 421 under a foreign host name, 429 when the member has enough connections.
 */
export function createSocketServer(deps: SocketServerDeps): SocketServer {
  const { hub, contextOf, tokenOf, findMember, isAllowedHost, originOf, headers } = deps;
  // Many pages connect at the same moment, and one that connects again and again makes no more of it.
  const countInbox = coalesce(deps.countInbox);
  /** @param userId whose connection it greets; absent for every one */
  const makeHello = async (userId?: string): Promise<JsonText> => {
    const inboxCount = await countInbox();
    const delayed = deps.isDelayed() && { isDelayed: true };
    // At last: what is published from now on comes over the connection.
    const place = deps.place();
    const hello = { type: 'hello', version: PRODUCT_VERSION, inboxCount, place, userId, ...delayed };
    return jsonText(JSON.stringify(hello));
  };
  // Pages that are greeted ask for what they missed, as after a lost connection.
  const quota = createSocketQuota();
  let isGreeting = false;
  let isAsked = false;
  const greetAgain = async () => {
    if (isGreeting || !isAsked || hub.size === 0) return;
    isGreeting = true;
    isAsked = false;
    try {
      hub.greetAgain(await makeHello());
    } catch (error) {
      // What pages lack they lack until they are greeted: the database may be away for longer than one attempt.
      deps.logger.warn({ err: error }, 'pages could not be greeted; the next attempt follows');
      isAsked = true;
    }
    // Each greeting has every page ask for what it missed.
    setTimeout(() => {
      isGreeting = false;
      void greetAgain();
    }, GREET_AGAIN_MS).unref();
  };
  deps.events.subscribe(({ type }) => {
    if (type !== 'resync' && type !== 'live_delayed') return;
    isAsked = true;
    void greetAgain();
  });

  const upgraded = new WeakMap<IncomingMessage, { actor: Actor; token: string }>();

  const verifyClient: VerifyClientCallbackAsync = ({ req, origin }, answer) => {
    const refuse = (status: number, more?: Record<string, string>) =>
      answer(false, status, STATUS_CODES[status], { ...headers, ...REFUSAL_HEADERS, ...more });
    const ctx = contextOf(req);
    if (!isAllowedHost(ctx)) return refuse(421);
    if (origin && origin !== originOf(ctx)) return refuse(403);
    const token = tokenOf(ctx);
    if (!token) return refuse(401);
    findMember(token)
      .then((actor) => {
        if (!actor || actor.mustSetUpSecondStep) return refuse(401);
        const giveBack = quota.reserve(actor.id);
        if (!giveBack) return refuse(429, RETRY_LATER);
        // However the connection ends, also before it is a WebSocket, its place is free again.
        if (req.socket.destroyed) giveBack();
        else req.socket.once('close', giveBack);
        upgraded.set(req, { actor, token });
        return answer(true);
      })
      .catch(() => refuse(503, RETRY_LATER));
  };

  const middleware: SocketMiddleware = async (ctx) => {
    const client = upgraded.get(ctx.req);
    if (!client) return ctx.websocket.close(CLOSE_SESSION_ENDED, 'no session');
    try {
      const recipient = {
        actor: client.actor,
        isBatched: ctx.query['batch'] === '1',
        isPlaced: ctx.query['places'] === '1',
      };
      hub.add(ctx.websocket, ctx.req.socket, recipient, await makeHello(client.actor.id));
      deps.looking.add(ctx.websocket, recipient);
      // The session may have ended between the upgrade and this client's place among the listeners.
      if (!(await findMember(client.token))) ctx.websocket.close(CLOSE_SESSION_ENDED, 'session ended');
    } catch {
      ctx.websocket.close(1011, 'database not available');
    }
  };

  return {
    // The hub writes frames that all clients share to the connections: a compressed one belongs to one socket.
    options: { path: '/ws', maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false, verifyClient },
    middleware,
  };
}
