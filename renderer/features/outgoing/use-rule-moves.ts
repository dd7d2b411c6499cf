import { useQueryClient } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useState } from 'react';
import type { Rule } from '#backend/contract/rule.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { readNow } from '#renderer/lib/query-answers.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { incomingRulesQuery, pendingRulesAtom, useIncomingRuleCommands } from './incoming-rules-data.ts';
import * as texts from './incoming-rules-texts.ts';
import * as outgoingTexts from './texts.ts';

/** So many places down, or to the place of another rule. */
type Move = { by: number } | { over: string };

/** Moves rules of the list, which can be undone. */
export function useRuleMoves(): {
  move: (rule: Rule, where: Move) => Promise<void>;
  /** Where the rule is that was moved last, for screen readers. */
  announced: string;
} {
  const client = useQueryClient();
  const commands = useIncomingRuleCommands();
  const undo = useUndoStack();
  const toasts = useToasts();
  const pending = useAtomValue(pendingRulesAtom);
  const [announced, setAnnounced] = useState('');
  const idsNow = () => (client.getQueryData(incomingRulesQuery.queryKey) ?? []).map((rule) => rule.id);
  const move = async ({ id, name }: Rule, where: Move): Promise<void> => {
    // By now: what is drawn can be older than a move that was made just before.
    const before = idsNow();
    const shown = before.filter((one) => !pending.has(one));
    const from = shown.indexOf(id);
    const to = 'by' in where ? from + where.by : shown.indexOf(where.over);
    const target = shown[to];
    if (from < 0 || target === undefined || to === from) return;
    const isDown = to > from;
    const ids = before.filter((one) => one !== id);
    ids.splice(ids.indexOf(target) + (isDown ? 1 : 0), 0, id);
    const [was, is] = [before.indexOf(id), ids.indexOf(id)];
    const passed = isDown ? before.slice(was + 1, is + 1) : before.slice(is, was).toReversed();
    try {
      await commands.reorder(ids);
      setAnnounced(texts.movedTo(inertLine(name), to + 1));
      undo.add({
        kind: 'rule moved',
        title: texts.moved,
        description: inertLine(name),
        many: (count) => ({ title: texts.moved, description: outgoingTexts.times(count) }),
        undo: async () => {
          // What others have moved since stays: nothing here need have read it.
          await readNow(client, incomingRulesQuery);
          await commands.reorder(movedBack(idsNow(), id, passed, isDown));
        },
        undoFailed: outgoingTexts.notChanged,
      });
    } catch (error) {
      const description = messageOf(error);
      toasts.show({ variant: 'destructive', title: outgoingTexts.notChanged, description });
    }
  };
  return { move, announced };
}

/**
 * The order of now with one rule where it was among those that it passed: before the nearest of them that is still there, where
 * it had moved down, else after it.
 *
 * @param passed the nearest first
 */
function movedBack(now: readonly string[], id: string, passed: readonly string[], wasBefore: boolean): string[] {
  if (!now.includes(id)) throw new Error(texts.wasDeleted);
  const neighbor = passed.find((one) => now.includes(one));
  if (neighbor === undefined || now.indexOf(id) < now.indexOf(neighbor) === wasBefore) return [...now];
  const ids = now.filter((one) => one !== id);
  ids.splice(ids.indexOf(neighbor) + (wasBefore ? 0 : 1), 0, id);
  return ids;
}
