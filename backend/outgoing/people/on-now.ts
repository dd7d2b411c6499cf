import type { User } from '#backend/identity/users/user.ts';
import { quotePattern } from '#backend/platform/database/dialect.ts';
import type { Override } from '#backend/contract/ladder.ts';
import type { CalendarSpan } from './read-calendar.ts';

/** A member by whom names of events are read. */
export type NamedMember = Pick<User, 'id' | 'displayName' | 'email' | 'isActive'>;

/** A time in which the same members are on. */
export interface OnSpan {
  from: number;
  to: number;
  memberIds: string[];
  isOverride: boolean;
}

/** Who is on in a span of time, without gaps: nobody is on where nobody is named. */
export interface OnCall {
  spans: OnSpan[];
  /** Names that no member has. */
  unknown: string[];
}

const fold = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/**
 * The members that an event names: by the emails of its attendees, or by their names; where neither is a member's, by the
 * summary, which holds a member's email or whole name ("Night: Nora Night").
 */
export function membersNamed({ emails, texts }: CalendarSpan['names'], members: readonly NamedMember[]): string[] {
  const byEmail = members.filter(({ email }) => emails.includes(email.toLowerCase()));
  if (byEmail.length > 0) return byEmail.map(({ id }) => id);
  const folded = texts.map(fold);
  const whole = members.filter(({ displayName }) => folded.includes(fold(displayName)));
  if (whole.length > 0) return whole.map(({ id }) => id);
  return members
    .filter(({ email, displayName }) =>
      folded.some((text) => hasWhole(text, fold(email), EMAIL_ENDS) || hasWhole(text, fold(displayName), NAME_ENDS)),
    )
    .map(({ id }) => id);
}

/** What before and behind a word makes it a part of a longer one. */
type Ends = readonly [before: string, behind: string];

const NAME_ENDS: Ends = ['[\\p{L}\\p{N}]', '[\\p{L}\\p{N}]'];
const EMAIL_ENDS: Ends = ["[\\p{L}\\p{N}_][.%+'-]*", '[\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}]'];

/** Whether a text has a name or an email in it somewhere, and not as a part of longer words. */
const hasWhole = (text: string, word: string, [before, behind]: Ends): boolean =>
  word !== '' &&
  // Most texts do not have it at all: an expression is made for the others only.
  text.includes(word) &&
  new RegExp(`(?<!${before})${quotePattern(word)}(?!${behind})`, 'u').test(text);

/**
 * Who is on between two moments. Who is disabled is not on. An override counts in the place of what the calendar says, but
 * for one of somebody who is disabled; of several at once all count.
 */
export function onBetween(
  spans: readonly CalendarSpan[],
  overrides: readonly Override[],
  members: readonly NamedMember[],
  from: number,
  to: number,
): OnCall {
  const unknown = new Set<string>();
  const active = new Set(members.filter(({ isActive }) => isActive).map(({ id }) => id));
  // What is known of a calendar goes beyond the time that is asked for.
  const asked = spans.filter((span) => span.to > from && span.from < to);
  const named = asked.map((span) => {
    const memberIds = membersNamed(span.names, members);
    if (memberIds.length === 0)
      unknown.add(span.names.emails[0] ?? span.names.texts.at(-1) ?? 'an event without a name');
    return { from: span.from, to: span.to, memberIds };
  });
  const instead = overrides
    .filter(({ memberId }) => active.has(memberId))
    .map((one) => ({ from: Date.parse(one.from), to: Date.parse(one.to), memberIds: [one.memberId] }));
  const edges = [...named, ...instead].flatMap((one) => [one.from, one.to]).filter((at) => at > from && at < to);
  const times = [...new Set([from, ...edges, to])].toSorted((one, other) => one - other);
  const found: OnSpan[] = [];
  for (const [index, begin] of times.slice(0, -1).entries()) {
    const covering = (one: { from: number; to: number }): boolean => one.from <= begin && one.to > begin;
    const overriding = instead.filter(covering);
    const isOverride = overriding.length > 0;
    const memberIds = [...new Set((isOverride ? overriding : named.filter(covering)).flatMap((one) => one.memberIds))]
      .filter((id) => active.has(id))
      .toSorted();
    const end = times[index + 1] ?? to;
    const last = found.at(-1);
    if (last && last.isOverride === isOverride && last.memberIds.join() === memberIds.join()) last.to = end;
    else found.push({ from: begin, to: end, memberIds, isOverride });
  }
  return { spans: found, unknown: [...unknown] };
}
