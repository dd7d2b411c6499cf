import type { Database } from '#backend/platform/database/database.ts';
import { EntitySchema, type EntityManager } from 'typeorm';
import { type Author, addAudit, authorOf } from '#backend/identity/audit/audit-log.ts';
import { type TokenRule, tokenRuleSchema } from '#backend/contract/api-token.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { nullable } from '#backend/platform/database/columns.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { type Endpoint, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';
import { unacceptable } from '#backend/platform/endpoint/errors.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';

/** The rule's one row. */
const RULE = 1;
const DAY_MS = 24 * 60 * 60 * 1000;

/** For how long API tokens work at most: one row, for the whole installation. */
interface StoredTokenRule {
  id: number;
  /** Null: until they are revoked. */
  maxDays: number | null;
}

export const TokenRuleEntity = new EntitySchema<StoredTokenRule>({
  name: 'TokenRule',
  tableName: 'token_rules',
  columns: {
    id: { type: 'int', name: 'id', primary: true },
    maxDays: nullable({ type: 'int', name: 'max_days' }),
  },
});

async function readRule(manager: EntityManager): Promise<TokenRule> {
  const rule = await manager.getRepository(TokenRuleEntity).findOneBy({ id: RULE });
  return { maxDays: rule?.maxDays ?? null };
}

/** The rule, which nobody changes until the transaction ends: a token that is made meanwhile does not slip by. */
async function lockRule(tx: Transaction): Promise<TokenRule> {
  const sql = `SELECT max_days FROM token_rules WHERE id = ${RULE}${tx.dialect.forUpdate}`;
  const rows: { max_days: number | null }[] = await tx.query(sql);
  return { maxDays: rows[0]?.max_days ?? null };
}

/** @throws {ProblemError} 422 for a token that would work longer than the administrators let it */
export async function requireShortLife(tx: Transaction, expiresInDays: number | null): Promise<void> {
  const { maxDays } = await lockRule(tx);
  if (maxDays === null || (expiresInDays !== null && expiresInDays <= maxDays)) return;
  const message = `API tokens work for at most ${maxDays} days here. Choose a shorter life.`;
  throw unacceptable(message, [{ path: 'expiresInDays', message: `is more than ${maxDays}` }]);
}

const nameOf = ({ maxDays }: TokenRule): string => (maxDays === null ? 'no limit' : `${maxDays} days`);

/**
 * Decides for how long tokens work at most. Those that would work longer end so long after the decision, so that whoever
 * uses one has that time to make another.
 */
async function decideRule(database: Database, author: Author, rule: TokenRule): Promise<TokenRule> {
  await onBehalfOf(database, author).transaction(async (tx) => {
    const before = await lockRule(tx);
    if (before.maxDays === rule.maxDays) return;
    await tx.getRepository(TokenRuleEntity).update({ id: RULE }, { maxDays: rule.maxDays });
    await addAudit(tx, author, 'token_rule_changed', `${nameOf(before)} → ${nameOf(rule)}`);
    announce(tx, { type: 'members_changed' });
    if (rule.maxDays === null) return;
    const end = Date.now() + rule.maxDays * DAY_MS;
    await tx.query('UPDATE api_tokens SET expires_at = ? WHERE expires_at IS NULL OR expires_at > ?', [end, end]);
  });
  return rule;
}

/** For how long API tokens work at most: everybody who makes one sees it, administrators decide it. */
export function tokenRuleRoutes({ database }: { database: Database }): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/auth/token-rule',
      tag: 'API tokens',
      summary: 'Returns for how long API tokens work at most.',
      access: 'member',
      responses: { 200: tokenRuleSchema },
      handle: async () => ok(await readRule(database.reads)),
    }),
    endpoint({
      method: 'PUT',
      path: '/api/auth/token-rule',
      tag: 'API tokens',
      summary:
        'Decides for how long API tokens work at most, those of services too; ones that would work longer end so long after the decision.',
      access: ['admin'],
      proof: 'always',
      body: tokenRuleSchema,
      responses: { 200: tokenRuleSchema },
      handle: async ({ actor, ip, body }) => ok(await decideRule(database, authorOf(actor, ip), body)),
    }),
  ];
}
