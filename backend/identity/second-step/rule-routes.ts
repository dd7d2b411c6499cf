import type { Database } from '#backend/platform/database/database.ts';
import { type Author, addAudit, authorOf } from '#backend/identity/audit/audit-log.ts';
import { type SecondStepRule, secondStepRuleSchema } from '#backend/contract/second-step.ts';
import { type Endpoint, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { readRule, writeRule } from '#backend/identity/factors/second-steps.ts';

/** Decides who has to have a second step, with an entry in the audit trail where that is another decision. */
async function decideRule(database: Database, author: Author, rule: SecondStepRule): Promise<SecondStepRule> {
  await onBehalfOf(database, author).transaction(async (tx) => {
    const before = await readRule(tx);
    if (before.requiredFor === rule.requiredFor) return;
    await writeRule(tx, rule);
    await addAudit(tx, author, 'second_step_rule_changed', `${before.requiredFor} → ${rule.requiredFor}`);
  });
  return rule;
}

/** Who has to have a second step: for administrators. */
export function ruleRoutes({ database }: { database: Database }): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/auth/second-step-rule',
      tag: 'members',
      summary: 'Returns who has to have a second step.',
      access: ['admin'],
      responses: { 200: secondStepRuleSchema },
      handle: async () => ok(await readRule(database.reads)),
    }),
    endpoint({
      method: 'PUT',
      path: '/api/auth/second-step-rule',
      tag: 'members',
      summary:
        'Decides who has to have a second step: who has none sets it up at their next visit, also in sessions that are in use, and their API tokens are refused until then.',
      access: ['admin'],
      proof: 'always',
      body: secondStepRuleSchema,
      responses: { 200: secondStepRuleSchema },
      handle: async ({ actor, ip, body }) => ok(await decideRule(database, authorOf(actor, ip), body)),
    }),
  ];
}
