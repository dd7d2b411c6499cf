import type { WebSocket } from 'ws';
import type { AlertsChanged, Looker } from '#backend/contract/live-event.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { jsonArray } from '#backend/platform/endpoint/json-text.ts';
import type { AlertAccess, DomainEvent, EventBus, Look } from './event-bus.ts';
import { type LookingPage, createLookingPage } from './looking-page.ts';
import { type Recipient, eventText } from './live-frames.ts';

/** What happens within so many milliseconds is decided together. */
const GATHER_MS = 20;

/** How often pages that look are asked whether they are there, and other servers are sent who looks here, in milliseconds. */
const ROUND_MS = 750;

/** What another server sent is true for so long, in milliseconds: two rounds and a message that is late. */
const TRUE_FOR_MS = 1_900;

/** What the board is made of. */
interface LookingDeps {
  events: EventBus;
  canSee: (member: Pick<Actor, 'id' | 'role'>, access: AlertAccess) => boolean;
  serverId: string;
  /** Whether there are other servers. */
  hasOtherServers: () => boolean;
  /** What decides who may see these alerts; one that is missing no longer exists. */
  findAccess: (alertIds: string[]) => Promise<ReadonlyMap<string, AlertAccess>>;
}

/** Who has which alert open, on pages of all servers. In memory alone ([0101](../../../docs/decisions/0101-who-is-looking.md)). */
export interface Looking {
  /** Takes in a page that was greeted: it is sent what others look at, and may say what its member looks at. */
  add(socket: WebSocket, recipient: Recipient): void;
  close(): void;
}

/** Who looks at one alert, by their ids. */
type People = Map<string, Pick<Actor, 'id' | 'displayName' | 'role'>>;

/** What pages were sent last of an alert. */
interface Shown {
  access: AlertAccess;
  people: readonly Looker[];
  /** A page that came since was not sent it. */
  isStale?: boolean;
}

/**
 * Publishes `looking_changed` when other people look at an alert than before: to those who may see it, of those who may see
 * it. While nobody looks there is no timer, message or query; while nobody else is there, no message and no query.
 */
export function createLooking({ events, canSee, serverId, hasOtherServers, findAccess }: LookingDeps): Looking {
  const pages = new Set<LookingPage>();
  const servers = new Map<string, { looks: readonly Look[]; expiry: NodeJS.Timeout }>();
  /** Of alerts that somebody looks at, as far as it is known; null of one that no longer exists. */
  const accesses = new Map<string, AlertAccess | null>();
  const shown = new Map<string, Shown>();
  /** Of these alerts it is being read. */
  let reading: Set<string> | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let rounds: NodeJS.Timeout | undefined;
  let sent = '[]';

  const ownLooks = (): Look[] =>
    Array.from(pages).flatMap((page): Look[] => {
      const alertId = page.lookingAt();
      const { id, displayName, role } = page.recipient.actor;
      return alertId === undefined ? [] : [[alertId, id, displayName, role]];
    });
  const peopleByAlert = (): Map<string, People> => {
    const all = new Map<string, People>();
    for (const looks of [...Array.from(servers.values(), (server) => server.looks), ownLooks()]) {
      for (const [alertId, id, displayName, role] of looks) {
        const people: People = all.get(alertId) ?? new Map();
        all.set(alertId, people.set(id, { id, displayName, role }));
      }
    }
    return all;
  };
  const membersHere = (): Set<string> => new Set(Array.from(pages, ({ recipient }) => recipient.actor.id));

  /** Reads who may see alerts of which that is not known, all together and one query at a time. */
  const readAccesses = async (alertIds: string[]): Promise<void> => {
    reading = new Set(alertIds);
    try {
      const found = await findAccess(alertIds);
      // What happened to an alert meanwhile may be newer.
      for (const id of reading) accesses.set(id, found.get(id) ?? null);
      gather();
    } catch {
      // The next round asks again.
    } finally {
      reading = undefined;
    }
  };

  /** Only members who may see the alert look at it, whatever their pages say. */
  const lookersOf = (access: AlertAccess, people: People): Looker[] =>
    Array.from(people.values())
      .filter((member) => canSee(member, access))
      .map(({ id, displayName }) => ({ id, displayName }));

  const show = (alertId: string, access: AlertAccess, people: readonly Looker[]): void => {
    const before = shown.get(alertId);
    const isSame = before !== undefined && isSameAccess(before.access, access);
    if (isSame && !before.isStale && isSamePeople(before.people, people)) return;
    if (!before && people.length === 0) return;
    // Who may no longer see the alert is left with nobody.
    if (before && !isSame) events.publish(changed(alertId, before.access, []));
    shown.delete(alertId);
    if (people.length > 0) shown.set(alertId, { access, people });
    if (people.length > 0 || isSame) events.publish(changed(alertId, access, people));
  };

  const decide = (): void => {
    gathering = undefined;
    const all = peopleByAlert();
    const members = membersHere();
    const unknown: string[] = [];
    for (const [alertId, people] of all) {
      if (!shown.has(alertId) && !isWatched(people, members)) continue;
      const access = accesses.get(alertId);
      if (access === undefined) unknown.push(alertId);
      else if (access === null) leave(alertId);
      else show(alertId, access, lookersOf(access, people));
    }
    for (const alertId of shown.keys()) if (!all.has(alertId)) leave(alertId);
    for (const alertId of accesses.keys()) if (!all.has(alertId)) accesses.delete(alertId);
    if (unknown.length > 0 && !reading) void readAccesses(unknown);
    sendLooks(false);
    if (all.size > 0) rounds ??= setInterval(round, ROUND_MS).unref();
    else {
      clearInterval(rounds);
      rounds = undefined;
    }
  };
  const leave = (alertId: string): void => {
    const before = shown.get(alertId);
    if (before) show(alertId, before.access, []);
  };
  const gather = (): void => void (gathering ??= setTimeout(decide, GATHER_MS));

  /** Other servers know for a moment who looks here, so it is sent again and again; that nobody does is sent once. */
  const sendLooks = (isRound: boolean): void => {
    const looks = ownLooks();
    const text = JSON.stringify(looks);
    if (text === sent && !(isRound && looks.length > 0)) return;
    sent = text;
    if (hasOtherServers()) events.publish({ type: 'server_looking', serverId, looks });
  };

  const round = (): void => {
    if (hasOtherServers() || membersHere().size > 1) for (const page of pages) page.ask();
    clearTimeout(gathering);
    sendLooks(true);
    decide();
  };

  const receive = (other: string, looks: readonly Look[]): void => {
    const forget = (): void => {
      clearTimeout(servers.get(other)?.expiry);
      servers.delete(other);
      gather();
    };
    forget();
    if (looks.length > 0) servers.set(other, { looks, expiry: setTimeout(forget, TRUE_FOR_MS).unref() });
  };

  const unsubscribe = events.subscribe((event) => {
    if (event.type === 'server_looking') {
      if (event.serverId !== serverId) receive(event.serverId, event.looks);
      return;
    }
    if ((accesses.size > 0 || reading) && learn(event, accesses, reading)) gather();
  });

  return {
    add(socket, recipient) {
      if (socket.readyState !== socket.OPEN) return;
      const page = createLookingPage(socket, recipient, gather);
      pages.add(page);
      socket.on('close', () => {
        pages.delete(page);
        page.stop();
        if (shown.size > 0 || page.hasLooked()) gather();
      });
      const texts = Array.from(shown).flatMap(([alertId, one]) => {
        // Who may see it is being read.
        one.isStale ||= !accesses.has(alertId);
        if (one.isStale || !canSee(recipient.actor, one.access)) return [];
        return eventText(changed(alertId, one.access, one.people)) ?? [];
      });
      const frames = recipient.isBatched && texts.length > 0 ? [jsonArray(texts)] : texts;
      for (const frame of frames) socket.send(frame);
      // Who was alone with what they look at is seen from now on.
      if (rounds) gather();
    },
    close() {
      unsubscribe();
      clearTimeout(gathering);
      clearInterval(rounds);
      if (sent !== '[]') events.publish({ type: 'server_looking', serverId, looks: [] });
      sent = '[]';
      for (const page of pages) page.stop();
      for (const { expiry } of servers.values()) clearTimeout(expiry);
      for (const known of [pages, servers, shown, accesses]) known.clear();
    },
  };
}

/** Whether a page of this server is another member's than the only one who looks. */
const isWatched = (people: People, members: ReadonlySet<string>): boolean =>
  members.size > 1 || (members.size === 1 && (people.size > 1 || [...people.keys()].some((id) => !members.has(id))));

const changed = (alertId: string, access: AlertAccess, people: readonly Looker[]): DomainEvent => ({
  type: 'looking_changed',
  alertId,
  access,
  people,
});

const isSameAccess = (one: AlertAccess, other: AlertAccess): boolean =>
  one.status === other.status && one.ownerId === other.ownerId;

const isSamePeople = (one: readonly Looker[], other: readonly Looker[]): boolean =>
  one.length === other.length && one.every(({ id }) => other.some((looker) => looker.id === id));

/**
 * Takes from an event who may see alerts now; where it does not say, that is not known any more, nor what is being read.
 * Returns whether anything is another now.
 */
function learn(event: DomainEvent, accesses: Map<string, AlertAccess | null>, reading?: Set<string>): boolean {
  const forget = (id: string): boolean => {
    const isRead = reading?.delete(id) ?? false;
    return accesses.delete(id) || isRead;
  };
  const know = (id: string, accessOf: (known: AlertAccess) => AlertAccess | null): boolean => {
    const known = accesses.get(id);
    if (!forget(id)) return false;
    if (known) accesses.set(id, accessOf(known));
    return true;
  };
  switch (event.type) {
    case 'alert_updated':
    case 'alert_unaccepted':
      return know(event.alert.id, () => ({ status: event.alert.status, ownerId: event.alert.ownerId }));
    case 'alert_accepted':
      return know(event.alertId, () => ({ status: 'accepted', ownerId: event.ownerId }));
    case 'alert_deleted':
      return know(event.alertId, () => null);
    case 'alerts_changed':
      return event.alertIds.filter((id) => know(id, (known) => accessAfter(event, known))).length > 0;
    case 'lists_changed':
    case 'resync':
      return [...accesses.keys(), ...(reading ?? [])].filter(forget).length > 0;
    default:
      return false;
  }
}

function accessAfter({ change, status, ownerId }: AlertsChanged, known: AlertAccess): AlertAccess | null {
  if (change === 'deleted') return null;
  if (change === 'unaccepted') return { status: 'pending', ownerId: null };
  const before = ownerId !== null && known.status === 'pending' ? 'accepted' : known.status;
  return { status: status ?? before, ownerId };
}
