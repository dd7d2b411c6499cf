import { useQueryClient } from '@tanstack/react-query';
import { useSetAtom } from 'jotai';
import type { Rule } from '#backend/contract/rule.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { undoableDeletion } from '#renderer/toasts/undoable-deletion.ts';
import { deleteRule, incomingRulesQuery, markRuleAtom } from './incoming-rules-data.ts';
import * as texts from './incoming-rules-texts.ts';
import * as outgoingTexts from './texts.ts';

/**
 * Deletes a rule on what arrives so that it can be undone: no page shows it any more, and the call is sent when it can no
 * longer be undone (docs/decisions/0010-undo.md).
 */
export function useRuleDeletion(): (rule: Rule) => void {
  const client = useQueryClient();
  const undo = useUndoStack();
  const mark = useSetAtom(markRuleAtom);
  const readAgain = (): Promise<void> => client.invalidateQueries(incomingRulesQuery);
  return (rule) => {
    const { id, name } = rule;
    mark(rule, true);
    undo.add({
      kind: texts.deletedInText,
      title: texts.deleted,
      description: inertLine(name),
      many: (count) => ({ title: texts.deleted, description: outgoingTexts.times(count) }),
      ...undoableDeletion({
        show: () => mark(rule, false),
        send: (keepalive) => deleteRule(id, { keepalive }),
        onSent: () => {
          // A page that is opened later begins with what is known.
          client.setQueryData(incomingRulesQuery.queryKey, (rules) => rules?.filter((one) => one.id !== id));
          return readAgain();
        },
        onFailed: () => void readAgain(),
      }),
      commitFailed: texts.notDeleted,
    });
  };
}
