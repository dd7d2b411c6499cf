import { type AnnouncedAlert, type Verdict, judgeAt, noticeAbout } from '#backend/contract/announcement.ts';
import type { LadderChannel, LadderPerson, LadderRecipient } from '#backend/contract/ladder.ts';
import { sortByName } from '#backend/contract/name.ts';
import type { SessionRules } from '#backend/identity/sessions/session-rules.ts';
import { UserEntity } from '#backend/identity/users/user.ts';
import {
  DestinationEntity,
  type StoredDestination,
  mayHear,
  readSettings,
} from '#backend/outgoing/destinations/destination-entity.ts';
import {
  type AlertRow,
  type Decision,
  type JudgeDeps,
  announcedAlert,
} from '#backend/outgoing/notifications/judged-alerts.ts';
import { CalendarEntity } from './calendar-entity.ts';
import { SlowCalendarError } from './calendar-thread.ts';
import { GroupEntity, membersOfGroup } from './group-entity.ts';
import { type Known, type KnownPeople, type Member, createKnownPeople } from './known-people.ts';

/** Whom a step notifies at one moment. */
export interface ResolvedStep {
  to: string[];
  people: LadderPerson[];
  faults: string[];
  /** Who is notified by a channel of their own alone. */
  withoutNotice: ReadonlySet<string>;
  /** Destinations that it sends to, and own channels of the people who are notified. */
  destinationIds: string[];
}

/** Who is on by a calendar. */
interface OnNow {
  name: string;
  memberIds: string[];
  /** It could not be read. */
  isUnread?: boolean;
}

/** Dependencies of resolving recipients. */
export interface ResolveDeps extends JudgeDeps {
  config: SessionRules;
  /** Who has a page open on any server. */
  onlineMembers: () => ReadonlySet<string>;
  /** Who is on by a calendar at a moment; undefined where there is no such calendar. */
  whoIsOn: (calendarId: string, at: number) => Promise<OnNow | undefined>;
  /** People who are known already, of whom several ladders ask; else each resolver reads them for itself. */
  people?: KnownPeople;
}

/** Of whom a ladder is, and whether it counts in quiet hours. */
interface Asked {
  /** The alert that people are asked to take; undefined in a dry run. */
  alert: AlertRow | undefined;
  isUrgent: boolean;
  /** A calendar that cannot be read names nobody, and is a fault of the step; without it, resolving fails. */
  isUnreadFault: boolean;
}

/** Reads each calendar once for a moment, and remembers those that could not be read: each is waited for once. */
export function waitOnce(
  { whoIsOn }: Pick<ResolveDeps, 'whoIsOn'>,
  unread = new Map<string, SlowCalendarError>(),
): ResolveDeps['whoIsOn'] {
  const read = new Map<string, ReturnType<ResolveDeps['whoIsOn']>>();
  return async (calendarId, at) => {
    const known = unread.get(calendarId);
    if (known) throw known;
    const name = `${calendarId} ${at}`;
    const on = read.get(name) ?? whoIsOn(calendarId, at);
    read.set(name, on);
    return on.catch((error: unknown) => {
      read.delete(name);
      if (error instanceof SlowCalendarError) unread.set(calendarId, error);
      throw error;
    });
  };
}

/** Recipients of steps by name, for one call: what was read once is used for every step. */
export interface RecipientResolver {
  /**
   * @param recipients null: every administrator
   * @param at the moment of the step, in milliseconds since the epoch
   * @param by by what people are notified; by all that they have without
   */
  resolve(recipients: readonly LadderRecipient[] | null, at: number, by?: LadderChannel): Promise<ResolvedStep>;
}

/** Somebody whom a step notifies, and by what. */
interface Presented {
  person: LadderPerson;
  channelIds: string[];
  /** They have no channel of the kind that the step asks for. */
  isMissing: boolean;
  hasNotice: boolean;
}

const CHANNEL_NAMES: Record<LadderChannel, string> = {
  app: 'page, push or desktop app',
  phone: 'phone',
  mail: 'mail',
  ntfy: 'ntfy',
  gotify: 'Gotify',
  telegram: 'Telegram',
  webhook: 'webhook',
};

export function createResolver(deps: ResolveDeps, { alert, isUrgent, isUnreadFault }: Asked): RecipientResolver {
  const { reads } = deps.database;
  const online = deps.onlineMembers();
  const people = deps.people ?? createKnownPeople(deps);
  const { find } = people;

  const present = (
    member: Member,
    { decided, hasPush, channels }: Known,
    at: number,
    by: LadderChannel | undefined,
  ): Presented => {
    const verdict = verdictOf(decided, alert, isUrgent, at);
    const ofKind = by === undefined || by === 'app' ? [] : channels.filter(({ kind }) => kind === by);
    const isMissing = by !== undefined && by !== 'app' && ofKind.length === 0;
    const hasNotice = ofKind.length === 0;
    const active = by === 'app' ? [] : hasNotice ? channels : ofKind;
    return {
      isMissing,
      hasNotice,
      person: {
        id: member.id,
        displayName: member.displayName,
        by: [
          ...(hasNotice && online.has(member.id) ? ['open page'] : []),
          ...(hasNotice && hasPush ? ['push'] : []),
          ...active.map(({ name }) => name),
        ],
        ...(verdict !== 'yes' && { without: verdict }),
      },
      channelIds: verdict === 'yes' ? active.map(({ id }) => id) : [],
    };
  };

  const unreadCalendar = async (id: string) => {
    const calendar = await reads.getRepository(CalendarEntity).findOne({ select: { name: true }, where: { id } });
    return calendar ? { name: calendar.name, memberIds: [], isUnread: true } : undefined;
  };

  return {
    async resolve(recipients, at, by) {
      const to: string[] = [];
      const faults: string[] = [];
      const memberIds: string[] = [];
      const destinationIds: string[] = [];
      if (recipients === null) {
        to.push('Every administrator');
        const admins = await reads
          .getRepository(UserEntity)
          .find({ select: { id: true }, where: { role: 'admin', isActive: true, isService: false } });
        memberIds.push(...admins.map(({ id }) => id));
      }
      for (const recipient of recipients ?? []) {
        switch (recipient.kind) {
          case 'online':
            to.push('Everybody online');
            memberIds.push(...online);
            if (online.size === 0) faults.push('Nobody is online.');
            break;
          case 'member': {
            const [member] = await find([recipient.id]);
            if (member) to.push(member.displayName);
            if (member?.isActive === false) faults.push(`${member.displayName} is disabled.`);
            memberIds.push(recipient.id);
            break;
          }
          case 'group': {
            const group = await reads.getRepository(GroupEntity).findOneBy({ id: recipient.id });
            const ids = group ? membersOfGroup(group) : [];
            to.push(group?.name ?? 'A deleted group');
            if (!(await find(ids)).some(({ isActive }) => isActive))
              faults.push(`Nobody is in ${group?.name ?? 'it'}.`);
            memberIds.push(...ids);
            break;
          }
          case 'calendar': {
            const on = await deps.whoIsOn(recipient.id, at).catch((error: unknown) => {
              if (!isUnreadFault || !(error instanceof SlowCalendarError)) throw error;
              return unreadCalendar(recipient.id);
            });
            to.push(on?.name ?? 'A deleted calendar');
            if (on?.isUnread) faults.push(`${on.name} could not be read.`);
            else if (!on || on.memberIds.length === 0) faults.push(`Nobody is on by ${on?.name ?? 'it'}.`);
            memberIds.push(...(on?.memberIds ?? []));
            break;
          }
          case 'destination': {
            const destination = await reads.getRepository(DestinationEntity).findOneBy({ id: recipient.id });
            to.push(destination?.name ?? 'A deleted destination');
            const fault = faultOfDestination(destination, alert);
            if (fault !== undefined) faults.push(fault);
            if (destination?.pausedAt === null) destinationIds.push(destination.id);
          }
        }
      }
      // Who is disabled is not notified, and is again once they are enabled.
      const members = (await find(memberIds)).filter(({ isActive }) => isActive);
      const learned = await people.learn(members, at);
      const presented: LadderPerson[] = [];
      const withoutNotice = new Set<string>();
      const missing: string[] = [];
      for (const member of sortByName(members, ({ displayName }) => displayName)) {
        const known = learned.get(member.id);
        if (!known) continue;
        const { person, channelIds, isMissing, hasNotice } = present(member, known, at, by);
        presented.push(person);
        if (!hasNotice) withoutNotice.add(member.id);
        if (isMissing) missing.push(member.displayName);
        destinationIds.push(...channelIds);
      }
      if (missing.length > 0 && by !== undefined) faults.push(faultOfMissing(missing, CHANNEL_NAMES[by]));
      return { to, people: presented, faults, withoutNotice, destinationIds: [...new Set(destinationIds)] };
    },
  };
}

/** Names of one sentence; of a large group it has the number of the others. */
const NAMED = 5;

/** Who has no channel of the kind by which a step notifies, in one sentence. */
export function faultOfMissing(names: readonly string[], channel: string): string {
  if (names.length === 1) return `${names[0]} has no ${channel}, and is notified by their own choice.`;
  const rest = names.length - NAMED;
  const named = rest > 1 ? [...names.slice(0, NAMED), `${rest} others`] : names;
  const all = `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
  return `${all} have no ${channel}, and are notified by their own choice.`;
}

/** Why a step sends nothing to a destination, or in a dry run may not; undefined where it does. */
function faultOfDestination(destination: StoredDestination | null, alert: AlertRow | undefined): string | undefined {
  if (!destination) return 'It is deleted.';
  const { name, pausedAt } = destination;
  if (pausedAt !== null) return `${name} is paused.`;
  const settings = readSettings(destination);
  if (!alert) return settings.customers.length === 0 ? undefined : `${name} is sent alerts of some customers only.`;
  return mayHear(settings, alert.customer) ? undefined : `${name} may not be sent alerts of this customer.`;
}

/** Whether a member is notified. Urgent passes quiet hours and pauses, never a mute or "Nothing". */
function verdictOf(decided: Decision, alert: AlertRow | undefined, isUrgent: boolean, at: number): Verdict {
  const announced: AnnouncedAlert = alert
    ? { ...announcedAlert(alert, decided, null).alert, isMine: true }
    : noticeAbout(true);
  const { verdict } = judgeAt(decided.settings, at)(announced);
  return isUrgent && verdict !== 'unwanted' ? 'yes' : verdict;
}
