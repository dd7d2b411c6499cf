import {
  type FlappingRuleChange,
  flappingRuleChangeSchema,
  flappingRuleSchema,
} from '#backend/contract/flapping-rule.ts';
import { addAudit, authorOf } from '#backend/identity/audit/audit-log.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { lockActiveAdmins } from '#backend/identity/users/user.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type Actor, type Endpoint, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';
import {
  FLAPPING_RULE_ID,
  FlappingRuleEntity,
  type FlappingRules,
  type StoredFlappingRule,
  presentFlappingRule,
} from './flapping-rule.ts';

interface FlappingDeps {
  database: Database;
  flapping: FlappingRules;
  /** How many sources say something else for their own problems. */
  countOwnSources: () => number;
}

/** The rule for problems that open and close again and again, which administrators decide on. */
export function flappingRoutes(deps: FlappingDeps): Endpoint[] {
  const { database, countOwnSources } = deps;
  const answer = (rule: ReturnType<typeof presentFlappingRule>) => ok({ ...rule, ownSources: countOwnSources() });
  return [
    endpoint({
      method: 'GET',
      path: '/api/flapping-rule',
      tag: 'alerts',
      summary: 'How often a problem opens, and in which time, until it counts as flapping.',
      access: ['admin'],
      responses: { 200: flappingRuleSchema },
      handle: async () =>
        answer(
          presentFlappingRule(
            await database.reads.getRepository(FlappingRuleEntity).findOneBy({ id: FLAPPING_RULE_ID }),
          ),
        ),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/flapping-rule',
      tag: 'alerts',
      summary:
        'Changes the rule, or turns it on or off. Turned off, what flaps by it is as its sender reports it within seconds; what flaps by the limit of a source stays.',
      access: ['admin'],
      body: flappingRuleChangeSchema,
      responses: { 200: flappingRuleSchema },
      handle: async ({ actor, ip, body }) => answer(await changeRule(deps, actor, ip, body)),
    }),
  ];
}

const nameOf = ({ isOn, times, withinMinutes }: ReturnType<typeof presentFlappingRule>): string =>
  isOn ? `more than ${times} times in ${withinMinutes} min` : 'off';

/** Changes the rule. This server follows it when this returns, others within 15 seconds. */
async function changeRule(
  { database, flapping }: Pick<FlappingDeps, 'database' | 'flapping'>,
  actor: Actor,
  ip: string,
  change: FlappingRuleChange,
): Promise<ReturnType<typeof presentFlappingRule>> {
  const author = authorOf(actor, ip);
  const after = await onBehalfOf(database, author).transaction(async (tx) => {
    // One administrator after the other.
    await lockActiveAdmins(tx);
    const rules = tx.getRepository(FlappingRuleEntity);
    const before = presentFlappingRule(await rules.findOneBy({ id: FLAPPING_RULE_ID }));
    const next: StoredFlappingRule = {
      id: FLAPPING_RULE_ID,
      isOn: change.isOn ?? before.isOn,
      times: change.times ?? before.times,
      withinMinutes: change.withinMinutes ?? before.withinMinutes,
      changedBy: actor.displayName,
      changedAt: Date.now(),
    };
    const presented = presentFlappingRule(next);
    if (next.isOn === before.isOn && next.times === before.times && next.withinMinutes === before.withinMinutes)
      return before;
    await rules.save(next);
    await addAudit(tx, author, 'flapping_changed', FLAPPING_RULE_ID, {
      detail: `${nameOf(before)} → ${nameOf(presented)}`,
    });
    return presented;
  });
  await flapping.refresh();
  return after;
}
