import { In } from 'typeorm';
import { type AnnouncedAlert, type Verdict, judgeAt, noticeAbout } from '#backend/contract/announcement.ts';
import type { LadderPerson, LadderRecipient } from '#backend/contract/ladder.ts';
import { sortByName } from '#backend/contract/name.ts';
import { type User, UserEntity } from '#backend/identity/users/user.ts';
import { DestinationEntity, type StoredDestination } from '#backend/outgoing/destinations/destination-entity.ts';
import {
  type AlertRow,
  type Decided,
  type JudgeDeps,
  announcedAlert,
  readDecided,
} from '#backend/outgoing/notifications/judged-alerts.ts';
import { PushSubscriptionEntity } from '#backend/outgoing/push/push-subscriptions.ts';
import { GroupEntity, membersOfGroup } from './group-entity.ts';

/** Whom a step notifies at one moment. */
export interface ResolvedStep {
  to: string[];
  people: LadderPerson[];
  faults: string[];
  /** Destinations that it sends to, and own channels of the people who are notified. */
  destinationIds: string[];
}

/** Dependencies of resolving recipients. */
export interface ResolveDeps extends JudgeDeps {
  /** Who has a page open on any server. */
  onlineMembers: () => ReadonlySet<string>;
  /** Who is on by a calendar at a moment; undefined where there is no such calendar. */
  whoIsOn: (calendarId: string, at: number) => Promise<{ name: string; memberIds: string[] } | undefined>;
}

/** Of whom a ladder is, and whether it counts in quiet hours. */
interface Asked {
  /** The alert that people are asked to take; undefined in a dry run. */
  alert: AlertRow | undefined;
  isUrgent: boolean;
}

/** Recipients of steps by name, for one call: what was read once is used for every step. */
export interface RecipientResolver {
  /**
   * @param recipients null: every administrator
   * @param at the moment of the step, in milliseconds since the epoch
   */
  resolve(recipients: readonly LadderRecipient[] | null, at: number): Promise<ResolvedStep>;
}

type Member = Pick<User, 'id' | 'displayName' | 'email' | 'role' | 'isActive'>;

/** What is known of a member. */
interface Known {
  decided: Decided;
  hasPush: boolean;
  channels: Pick<StoredDestination, 'id' | 'name' | 'pausedAt'>[];
}

export function createResolver(deps: ResolveDeps, { alert, isUrgent }: Asked): RecipientResolver {
  const { reads } = deps.database;
  const online = deps.onlineMembers();
  const known = new Map<string, Promise<Known>>();

  const learn = async (member: Member, at: number): Promise<Known> => ({
    decided: await readDecided(deps, member, at),
    hasPush: (await reads.getRepository(PushSubscriptionEntity).countBy({ userId: member.id })) > 0,
    channels: await reads
      .getRepository(DestinationEntity)
      .find({ select: { id: true, name: true, pausedAt: true }, where: { ownerId: member.id }, order: { id: 'ASC' } }),
  });

  const present = async (member: Member, at: number): Promise<{ person: LadderPerson; channelIds: string[] }> => {
    const of = known.get(member.id) ?? learn(member, at);
    known.set(member.id, of);
    const { decided, hasPush, channels } = await of;
    const verdict = verdictOf(decided, alert, isUrgent, at);
    const active = channels.filter(({ pausedAt }) => pausedAt === null);
    return {
      person: {
        id: member.id,
        displayName: member.displayName,
        by: [
          ...(online.has(member.id) ? ['open page'] : []),
          ...(hasPush ? ['push'] : []),
          ...active.map(({ name }) => name),
        ],
        ...(verdict !== 'yes' && { without: verdict }),
      },
      channelIds: verdict === 'yes' ? active.map(({ id }) => id) : [],
    };
  };

  const find = (ids: readonly string[]): Promise<Member[]> =>
    ids.length === 0
      ? Promise.resolve([])
      : reads.getRepository(UserEntity).find({ where: { id: In([...new Set(ids)]), isService: false } });

  return {
    async resolve(recipients, at) {
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
            const on = await deps.whoIsOn(recipient.id, at);
            to.push(on?.name ?? 'A deleted calendar');
            if (!on || on.memberIds.length === 0) faults.push(`Nobody is on by ${on?.name ?? 'it'}.`);
            memberIds.push(...(on?.memberIds ?? []));
            break;
          }
          case 'destination': {
            const destination = await reads.getRepository(DestinationEntity).findOneBy({ id: recipient.id });
            to.push(destination?.name ?? 'A deleted destination');
            if (destination && destination.pausedAt === null) destinationIds.push(destination.id);
            else faults.push(`${destination?.name ?? 'It'} is ${destination ? 'paused' : 'deleted'}.`);
          }
        }
      }
      // Who is disabled is not notified, and is again once they are enabled.
      const members = (await find(memberIds)).filter(({ isActive }) => isActive);
      const people: LadderPerson[] = [];
      for (const member of sortByName(members, ({ displayName }) => displayName)) {
        const { person, channelIds } = await present(member, at);
        people.push(person);
        destinationIds.push(...channelIds);
      }
      return { to, people, faults, destinationIds: [...new Set(destinationIds)] };
    },
  };
}

/** Whether a member is notified. Urgent passes quiet hours and pauses, never a mute or "Nothing". */
function verdictOf(decided: Decided, alert: AlertRow | undefined, isUrgent: boolean, at: number): Verdict {
  const announced: AnnouncedAlert = alert
    ? { ...announcedAlert(alert, decided, null).alert, isMine: true }
    : noticeAbout(true);
  const { verdict } = judgeAt(decided.settings, at)(announced);
  return isUrgent && verdict !== 'unwanted' ? 'yes' : verdict;
}
