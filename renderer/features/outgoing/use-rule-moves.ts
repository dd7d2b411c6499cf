import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Rule } from '#backend/contract/rule.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { incomingRulesQuery, useIncomingRuleCommands } from './incoming-rules-data.ts';
import * as texts from './incoming-rules-texts.ts';
import * as outgoingTexts from './texts.ts';

/** So many places down, or to the place of another rule. */
type Move = { by: number } | { over: string };

/**
 * Moves rules of the list, which can be undone.
 *
 * @param hidden rules that the list does not show
 */
export function useRuleMoves(hidden: ReadonlySet<string>): {
  move: (rule: Rule, where: Move) => Promise<void>;
  /** Where the rule is that was moved last, for screen readers. */
  announced: string;
} {
  const client = useQueryClient();
  const commands = useIncomingRuleCommands();
  const undo = useUndoStack();
  const toasts = useToasts();
  const [announced, setAnnounced] = useState('');
  const move = async ({ id, name }: Rule, where: Move): Promise<void> => {
    // By now: what is drawn can be older than a move that was made just before.
    const before = (client.getQueryData(incomingRulesQuery.queryKey) ?? []).map((rule) => rule.id);
    const shown = before.filter((one) => !hidden.has(one));
    const from = shown.indexOf(id);
    const to = 'by' in where ? from + where.by : shown.indexOf(where.over);
    const target = shown[to];
    if (from < 0 || target === undefined || to === from) return;
    const ids = before.filter((one) => one !== id);
    ids.splice(ids.indexOf(target) + (to > from ? 1 : 0), 0, id);
    try {
      await commands.reorder(ids);
      setAnnounced(texts.movedTo(inertLine(name), to + 1));
      undo.add({
        kind: 'rule moved',
        title: texts.moved,
        description: inertLine(name),
        many: (count) => ({ title: texts.moved, description: outgoingTexts.times(count) }),
        undo: () => commands.reorder(before),
        undoFailed: outgoingTexts.notChanged,
      });
    } catch (error) {
      const description = error instanceof Error ? error.message : String(error);
      toasts.show({ variant: 'destructive', title: outgoingTexts.notChanged, description });
    }
  };
  return { move, announced };
}
