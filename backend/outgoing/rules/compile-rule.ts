import type { Ladder } from '#backend/contract/ladder.ts';
import type { OutgoingEvent } from '#backend/contract/outgoing.ts';
import { isTimeKey, parseSearch } from '#backend/contract/search.ts';
import { type MatchedAlert, compileList } from '#backend/alerts/alert/match-list.ts';
import { narrowStored } from '#backend/alerts/lists/stored-search.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { unacceptable } from '#backend/platform/endpoint/errors.ts';
import { type StoredOutgoingRule, destinationsOfRule, eventsOfRule, ladderOfRule } from './rule-entity.ts';

/** A rule that is decided without the database. */
export interface CompiledRule {
  id: string;
  name: string;
  events: ReadonlySet<OutgoingEvent>;
  /** What happened before this moment is not sent, in milliseconds since the epoch. */
  activeSince: number;
  destinationIds: readonly string[];
  /** What happens until somebody takes an alert; null for nothing more. */
  ladder: Ladder | null;
  /** Whether an alert may be meant, by all but its texts. */
  mayMatch: (alert: MatchedAlert) => boolean;
  matches: (alert: MatchedAlert) => boolean;
}

/**
 * What of the search language a rule cannot have: folders are one member's, "me" is whoever reads a list, and an alert is
 * judged at the moment at which it changes.
 *
 * @throws {ProblemError} 422 for a search that no rule can have
 */
export function requireRuleSearch(search: string): void {
  const { hints, tokens } = parseSearch(search, { now: Date.now(), timeZone: 'UTC' });
  const messages = hints.map(({ message }) => message);
  for (const { key, value } of tokens) {
    if (key === 'folder') messages.push('folder: cannot be used in a rule, because folders belong to one member.');
    if (isTimeKey(key)) messages.push(`${key}: cannot be used in a rule, which is about alerts as they change.`);
    if (key === 'owner' && value.trim().toLowerCase() === 'me')
      messages.push('owner:me cannot be used in a rule. Name the member.');
  }
  if (messages.length === 0) return;
  throw unacceptable(
    messages.join(' '),
    messages.map((message) => ({ path: 'search', message })),
  );
}

/**
 * Compiles a rule with names as they are now.
 *
 * @throws {ProblemError} where it names too many members or customers by now
 */
export async function compileRule(
  database: Pick<Database, 'reads' | 'dialect'>,
  rule: StoredOutgoingRule,
): Promise<CompiledRule> {
  const list = await narrowStored(database, rule.search);
  return {
    id: rule.id,
    name: rule.name,
    events: new Set(eventsOfRule(rule)),
    activeSince: rule.activeSince,
    destinationIds: destinationsOfRule(rule),
    ladder: ladderOfRule(rule),
    mayMatch: compileList({ ...list, texts: [] }),
    matches: compileList(list),
  };
}

/** Whether a rule sends the beginning of alerts to a destination. */
export const sendsNewTo = ({ events, destinationIds }: CompiledRule, id: string): boolean =>
  events.has('new') && destinationIds.includes(id);
