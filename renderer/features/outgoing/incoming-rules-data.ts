import { type QueryClient, keepPreviousData, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useAtomValue, useStore } from 'jotai';
import { useMemo } from 'react';
import {
  type NewRule,
  type Rule,
  type RuleChange,
  type RuleDryRunQuery,
  ruleDryRunSchema,
  ruleListSchema,
  ruleSchema,
} from '#backend/contract/rule.ts';
import { ApiError, apiGet, apiSend } from '#renderer/lib/api-client.ts';
import { deleteAt } from '#renderer/lib/delete-at.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { createPendingDeletions, sendPastDeletions } from '#renderer/toasts/undoable-deletion.ts';
import * as texts from './incoming-rules-texts.ts';

const RULES = '/api/rules';
const DRY_RUN = `${RULES}/dry-run`;

/** Where too many dry runs wait, one is asked for again, so often and after so many milliseconds. */
const RETRIES = 2;
const RETRY_MS = 2_000;

/** An order of rules that the server does not have yet, and the call that sends it. */
interface Ordering {
  ids: readonly string[];
  sending: Promise<void>;
}

/** What was ordered last in each app, until it is sent. */
const orderings = new WeakMap<QueryClient, Ordering>();

/** The rules as they were ordered last; of an order that does not know some of them, these are the last ones. */
function inOrder(client: QueryClient, rules: Rule[]): Rule[] {
  const ids = orderings.get(client)?.ids;
  const placeOf = ({ id }: Rule): number => (ids?.includes(id) ? ids.indexOf(id) : rules.length);
  return ids ? rules.toSorted((one, other) => placeOf(one) - placeOf(other)) : rules;
}

/** `GET /api/rules`. Read again whenever a page opens: hits come without an event. */
export const incomingRulesQuery = queryOptions({
  queryKey: [RULES],
  queryFn: async ({ client, signal }) => inOrder(client, await apiGet(RULES, ruleListSchema, { signal })),
  refetchOnMount: 'always',
});

const deletions = createPendingDeletions<Rule>();

/** Rules that were deleted here but can still be brought back. */
export const pendingRulesAtom = deletions.pendingAtom;
export const markRuleAtom = deletions.markAtom;

/** The rules in their order, without those that are being deleted here. */
export function useIncomingRules() {
  const { data: rules, error, refetch } = useQuery(incomingRulesQuery);
  const pending = useAtomValue(pendingRulesAtom);
  const data = useMemo(() => rules?.filter(({ id }) => !pending.has(id)), [rules, pending]);
  return { data, error, refetch };
}

/** `POST /api/rules/dry-run`: what would change; the last one stays while another is made. */
export const dryRunQuery = (query: RuleDryRunQuery) =>
  queryOptions({
    queryKey: [DRY_RUN, query],
    queryFn: () => apiSend('POST', DRY_RUN, { body: query, schema: ruleDryRunSchema }),
    placeholderData: keepPreviousData,
    // What it compares with may be another rule by now.
    staleTime: 0,
    refetchOnMount: 'always',
    retry: (failures, error) => failures < RETRIES && error instanceof ApiError && error.status === 503,
    retryDelay: RETRY_MS,
  });

const pathOf = (id: string): string => `${RULES}/${encodeURIComponent(id)}`;

/** `DELETE /api/rules/{id}`. `keepalive` sends it even though the page is going away. Throws an ApiError. */
export const deleteRule = (id: string, { keepalive = false } = {}): Promise<undefined> =>
  apiSend('DELETE', pathOf(id), { keepalive });

async function sendAfter(earlier: Ordering | undefined, ids: readonly string[]): Promise<void> {
  await earlier?.sending;
  await apiSend('PUT', `${RULES}/order`, { body: { ids } });
}

/** Changes of rules, each of which reads the list again. They throw an ApiError. */
export function useIncomingRuleCommands() {
  const client = useQueryClient();
  const store = useStore();
  const undo = useUndoStack();
  const pending = { kind: texts.deletedInText, areAny: () => store.get(pendingRulesAtom).size > 0 };
  const readAgain = () => client.invalidateQueries({ queryKey: [RULES] });
  const after = async <T>(call: Promise<T>): Promise<T> => {
    const result = await call;
    await readAgain();
    return result;
  };
  return {
    readAgain,
    create: (body: NewRule) =>
      after(sendPastDeletions(undo, pending, () => apiSend('POST', RULES, { body, schema: ruleSchema }))),
    change({ id, version }: Pick<Rule, 'id' | 'version'>, body: RuleChange) {
      const send = () => apiSend('PATCH', `${pathOf(id)}?ifVersion=${version}`, { body, schema: ruleSchema });
      return after(body.name === undefined ? send() : sendPastDeletions(undo, pending, send));
    },
    switchOne: (id: string, isOn: boolean) =>
      after(apiSend('PATCH', pathOf(id), { body: { isOn }, schema: ruleSchema })),
    remove: (id: string) => after(deleteAt(pathOf(id))),
    /**
     * Orders the rules at once, and sends that after the orders before it: an older one never comes last. Where one fails,
     * those that wait for it fail, too, because they contain it; the rules are read again after the last one.
     */
    async reorder(ids: readonly string[]): Promise<void> {
      const ordering = { ids, sending: sendAfter(orderings.get(client), ids) };
      orderings.set(client, ordering);
      client.setQueryData(incomingRulesQuery.queryKey, (rules) => rules && inOrder(client, rules));
      try {
        await ordering.sending;
      } finally {
        if (orderings.get(client) === ordering) {
          orderings.delete(client);
          await readAgain();
        }
      }
    },
  };
}
