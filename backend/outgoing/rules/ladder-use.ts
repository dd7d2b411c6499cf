import { In, IsNull } from 'typeorm';
import type { Ladder, LadderRecipient } from '#backend/contract/ladder.ts';
import { UserEntity } from '#backend/identity/users/user.ts';
import { DestinationEntity } from '#backend/outgoing/destinations/destination-entity.ts';
import { CalendarEntity } from '#backend/outgoing/people/calendar-entity.ts';
import { GroupEntity } from '#backend/outgoing/people/group-entity.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { conflict, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { OutgoingRuleEntity, type StoredOutgoingRule, ladderOfRule } from './rule-entity.ts';

type NamedKind = Exclude<LadderRecipient['kind'], 'online'>;

const idsOf = ({ steps }: Ladder, kind: NamedKind): string[] => [
  ...new Set(
    steps.flatMap(({ recipients }) => recipients.flatMap((one) => (one.kind === kind && 'id' in one ? one.id : []))),
  ),
];

/** What people call each kind of recipient in a sentence. */
const NAMES: Record<NamedKind, string> = {
  member: 'members',
  group: 'groups',
  calendar: 'calendars',
  destination: 'destinations',
};

/** How many of these ids there are. */
const COUNTS: Record<NamedKind, (tx: Transaction, ids: string[]) => Promise<number>> = {
  member: (tx, ids) => tx.getRepository(UserEntity).countBy({ id: In(ids), isService: false }),
  group: (tx, ids) => tx.getRepository(GroupEntity).countBy({ id: In(ids) }),
  calendar: (tx, ids) => tx.getRepository(CalendarEntity).countBy({ id: In(ids) }),
  destination: (tx, ids) => tx.getRepository(DestinationEntity).countBy({ id: In(ids), ownerId: IsNull() }),
};

/** @throws {ProblemError} 422 when a recipient of a ladder is not there any more */
export async function requireRecipients(tx: Transaction, ladder: Ladder): Promise<void> {
  for (const kind of Object.keys(NAMES) as NamedKind[]) {
    const ids = idsOf(ladder, kind);
    if (ids.length === 0 || (await COUNTS[kind](tx, ids)) === ids.length) continue;
    const message = `One of the ${NAMES[kind]} was deleted in the meantime. Choose another one.`;
    throw unacceptable(message, [{ path: 'ladder', message }]);
  }
}

/** A ladder without a recipient: steps that notify nobody else are left out; null when none is left. */
export function withoutRecipient(ladder: Ladder, kind: NamedKind, id: string): Ladder | null {
  const steps = ladder.steps
    .map((step) => ({
      ...step,
      recipients: step.recipients.filter((one) => !(one.kind === kind && 'id' in one && one.id === id)),
    }))
    .filter(({ recipients }) => recipients.length > 0);
  return steps.length === 0 ? null : { ...ladder, steps };
}

/** Rules whose ladders notify a recipient, by name. */
export const rulesNotifying = (
  rules: readonly StoredOutgoingRule[],
  kind: NamedKind,
  id: string,
): { id: string; name: string }[] =>
  rules
    .filter((rule) => {
      const ladder = ladderOfRule(rule);
      return ladder !== null && idsOf(ladder, kind).includes(id);
    })
    .map((rule) => ({ id: rule.id, name: rule.name }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));

/** @throws {ProblemError} 409 while the ladder of a rule notifies it: deleting it would leave steps that notify nobody */
export async function requireUnused(tx: Transaction, kind: 'group' | 'calendar', id: string): Promise<void> {
  // Rules are locked, so that none begins to use it meanwhile.
  const using = rulesNotifying(await tx.lockRows(OutgoingRuleEntity, {}), kind, id);
  if (using.length === 0) return;
  const names = using.map(({ name }) => `"${name}"`).join(', ');
  throw conflict(
    `The ${kind} is notified by ${using.length === 1 ? 'the rule' : 'the rules'} ${names}. Change that first.`,
  );
}
