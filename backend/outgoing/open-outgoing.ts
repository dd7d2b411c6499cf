import type { SecurityMails } from '#backend/identity/users/security-mails.ts';
import type { SessionRules } from '#backend/identity/sessions/session-rules.ts';
import { createMailTransport } from '#backend/platform/mail/mail-transport.ts';
import type { MailSettings } from '#backend/platform/mail/mail-config.ts';
import type { AlertWriter } from '#backend/intake/write/alert-writer.ts';
import type { SourceRegistry } from '#backend/intake/sources/source-registry.ts';
import type { Feed } from '#backend/platform/feed/feed.ts';
import type { Beginning } from '#backend/platform/cluster/leadership.ts';
import type { SharedCounts } from '#backend/platform/cluster/limiter.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Repeating } from '#backend/platform/database/repeat.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { EventBus } from '#backend/platform/live/event-bus.ts';
import type { Endpoint } from '#backend/platform/endpoint/endpoint.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { OutgoingObserver } from '#backend/platform/metrics/observers.ts';
import type { SearchIndex } from '#backend/platform/search/search-index.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import type { Network } from './destinations/address-rule.ts';
import type { DestinationDeps } from './destinations/destination-commands.ts';
import { createDeliver } from './destinations/deliver.ts';
import { type PostParts, createPost, silentPost } from './destinations/post.ts';
import { createChatPresses } from './chat/chat-presses.ts';
import { chatRoutes } from './chat/chat-routes.ts';
import { followPresses } from './chat/follow-presses.ts';
import { catchUp } from './messages/catch-up.ts';
import { createCodeLimit } from './messages/channel-codes.ts';
import { destinationRoutes } from './messages/destination-routes.ts';
import { ownChannelRoutes } from './messages/own-channel-routes.ts';
import { messageRoutes } from './messages/message-routes.ts';
import { makeDue } from './messages/record-results.ts';
import { createReportHealth, createReportSilencing } from './messages/report-health.ts';
import { type OutgoingWorkDeps, startOutgoing } from './messages/start-outgoing.ts';
import { GATHER_MS } from './ladders/gather-calls.ts';
import { ladderRoutes } from './ladders/ladder-routes.ts';
import { createLadders } from './ladders/run-ladders.ts';
import { createCalendarThread } from './people/calendar-thread.ts';
import { createGetCalendar, silentCalendars } from './people/get-calendar.ts';
import { refreshCalendars } from './people/refresh-calendars.ts';
import { whoIsOnNow } from './people/who-is-on-now.ts';
import { createOnCallReader } from './people/who-is-on.ts';
import type { OnNow } from './wallboard/wallboard-figures.ts';
import { calendarRoutes } from './rules/calendar-routes.ts';
import { groupRoutes } from './rules/group-routes.ts';
import { silenceRoutes } from './silences/silence-routes.ts';
import { startAskingTickets } from './tickets/ask-tickets.ts';
import { leaveDestination } from './rules/rule-commands.ts';
import { ruleRoutes } from './rules/rule-routes.ts';

/** What the configuration says about sending alerts out. */
export interface OutgoingConfig extends MailSettings, SessionRules {
  /** False for a copy of an installation, which is to reach nobody: neither people nor services. */
  isSending: boolean;
  /** Networks that destinations may be in, beside the public internet. */
  outgoingNetworks: readonly Network[];
}

/** Dependencies of outgoing alerts. */
export interface OutgoingDeps {
  config: OutgoingConfig;
  /** Where servers count together. */
  counts: SharedCounts | undefined;
  database: Database;
  events: Pick<EventBus, 'subscribe'>;
  feed: Pick<Feed, 'writer' | 'ownPosition'>;
  logger: Logger;
  observe: OutgoingObserver;
  /** Who has a page open on any server. */
  onlineMembers: () => ReadonlySet<string>;
  search: SearchIndex;
  sealing: Sealing;
  securityMails: SecurityMails;
  sources: Pick<SourceRegistry, 'load'>;
  writer: Pick<AlertWriter, 'write'>;
}

/** Sending alerts out, at work. */
export interface Outgoing {
  endpoints: Endpoint[];
  /** For whoever changes destinations. */
  destinations: Omit<DestinationDeps, 'database'>;
  /** Starts to make messages and to send them, on the server that leads. @param database holds the lease */
  lead(database: Database, steadyNow: () => Promise<number>, beginning: Beginning): Repeating;
  /** Who is on by calendars. */
  onNow: OnNow;
  /** Lets presses of buttons end, then closes what is open. */
  stop(): Promise<void>;
}

/** What tests put in the place of the internet and of long times. */
export type OutgoingParts = PostParts &
  Pick<OutgoingWorkDeps, 'settleMs'> & { ticketSettleMs?: number; gatherMs?: number };

/** Forgets what a service calls the messages and tickets of a destination. */
const forgetRemotes = (tx: Transaction, id: string): Promise<unknown> =>
  tx.query('DELETE FROM outgoing_live WHERE destination_id = ?', [id]);

/** Puts destinations, rules and messages together. */
export function openOutgoing(deps: OutgoingDeps, parts: OutgoingParts = {}): Outgoing {
  const { config, database, events, feed, logger, observe, onlineMembers, search, sealing, sources, writer } = deps;
  const post = config.isSending ? createPost(config.outgoingNetworks, parts) : silentPost;
  if (!config.isSending) logger.warn('nothing is sent out: OUTGOING is off');
  const mail = config.mail && createMailTransport(config.mail);
  const deliver = createDeliver({ post, mail, ticketSettleMs: parts.ticketSettleMs });
  const presses = createChatPresses({ database, sealing, publicUrl: config.publicUrl, config, post, logger });
  const { publicUrl } = config;
  const destinationDeps = {
    database,
    sealing,
    deliver,
    publicUrl,
    networks: config.outgoingNetworks,
    isMailConfigured: mail !== undefined,
    messages: {
      makeDue,
      catchUp: (tx: Transaction, id: string, pausedAt: number) => catchUp({ publicUrl, logger }, tx, id, pausedAt),
      forget: async (...[tx, id, by]: Parameters<typeof leaveDestination>) => {
        await leaveDestination(tx, id, by);
        await tx.query('DELETE FROM outgoing_messages WHERE destination_id = ?', [id]);
        await forgetRemotes(tx, id);
      },
      forgetRemotes,
    },
  };
  const calendars = config.isSending ? createGetCalendar(config.outgoingNetworks, parts) : silentCalendars;
  const thread = createCalendarThread(logger);
  const onCall = createOnCallReader(database, thread);
  const resolving = { config, database, logger, onlineMembers, whoIsOn: onCall.whoIsOn };
  const calendarDeps = { database, logger, sealing, calendars, thread, onCall, networks: config.outgoingNetworks };
  return {
    destinations: destinationDeps,
    endpoints: [
      ...destinationRoutes(destinationDeps),
      ...ruleRoutes({ database, search }),
      ...messageRoutes({ database }),
      ...ownChannelRoutes({
        ...destinationDeps,
        codeLimit: createCodeLimit(deps.counts),
        securityMails: deps.securityMails,
      }),
      ...groupRoutes({ database }),
      ...calendarRoutes(calendarDeps),
      ...ladderRoutes(resolving),
      ...chatRoutes({ database, sealing, presses, securityMails: deps.securityMails }),
      ...silenceRoutes({ database, sealing, networks: config.outgoingNetworks, post }),
    ],
    onNow: () => whoIsOnNow({ database, onCall }, Date.now()),
    lead(leading, steadyNow, beginning) {
      if (!config.isSending) return { stop: async () => undefined };
      const following = followPresses({ database: leading, logger, post, presses });
      const sending = startOutgoing({
        beginning,
        database: leading,
        deliver,
        events,
        refresh: (stopping) => refreshCalendars({ ...calendarDeps, database: leading }, stopping),
        ladders: createLadders({
          ...resolving,
          database: leading,
          publicUrl,
          gatherMs: parts.gatherMs ?? GATHER_MS,
        }),
        logger,
        observe,
        own: { writer: feed.writer, position: feed.ownPosition },
        publicUrl,
        report: createReportHealth(writer),
        reportSilencing: createReportSilencing(writer),
        post,
        sealing,
        settleMs: parts.settleMs,
        sources,
        steadyNow,
        writer,
      });
      const asking = startAskingTickets({ database: leading, logger, post, sealing });
      return { stop: async () => void (await Promise.all([following.stop(), sending.stop(), asking.stop()])) };
    },
    async stop() {
      await presses.settle();
      post.close();
      calendars.close();
      void thread.stop();
    },
  };
}
