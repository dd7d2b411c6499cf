import { useSetAtom } from 'jotai';
import { useMemo } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import type { AlertAction } from '#renderer/alerts/actions/action.ts';
import type { AlertChange, ChangeRequest } from '#renderer/alerts/actions/changes.ts';
import { type Actions, useActions } from '#renderer/alerts/actions/change-alert.ts';
import { lossLabels } from '#renderer/alerts/bulk/bulk-labels.ts';
import { useChangeMany } from '#renderer/alerts/bulk/change-many.ts';
import { type BulkOutcome, runBulk } from '#renderer/alerts/bulk/run-bulk.ts';
import { sendBatch } from '#renderer/alerts/bulk/send-batch.ts';
import { alertStoreOf, refetchAlertLists } from '#renderer/alerts/data/list-cache.ts';
import { keyNoticeAtom } from '#renderer/alerts/keys/unused-keys.ts';
import { type GroupList, memberIds, refetchGroups } from './group-data.ts';
import type { GroupInfo } from './group-heads.ts';
import * as texts from './texts.ts';

const loadChoices = async () => (await import('./group-choices.tsx')).GroupChoices;

/** What can be done with the alerts of a group together. */
export interface GroupCommands {
  /** Does it with all, or shows its choices. */
  run: (id: string, action: AlertAction) => void;
  change: (id: string, change: AlertChange) => void;
  /** The same for buttons and menus of an alert that stands for a group. */
  actions: Actions;
  /** Takes these out of their group: one of them, or all, which splits it. */
  takeOut: (id: string, alertIds: readonly string[], isAll: boolean) => void;
  /** Takes all out. */
  split: (id: string) => void;
}

/** Commands of groups of a list. @param infoOf what is known of a group on screen */
export function useGroupCommands(list: GroupList, infoOf: (id: string) => GroupInfo | undefined): GroupCommands {
  const single = useActions();
  const many = useChangeMany();
  const setNotice = useSetAtom(keyNoticeAtom);
  return useMemo(() => {
    const { client, toasts, undo, me, ask } = single.context;
    const failed = (title: string, error: unknown): void => {
      const description = messageOf(error);
      toasts.show({ variant: 'destructive', title, description });
    };
    const idsOf = (id: string): Promise<string[]> => {
      const { loaded = [], count = 0 } = infoOf(id) ?? {};
      return memberIds(client, list, id, loaded, count);
    };
    const change = (id: string, wanted: AlertChange): void => {
      const loaded = infoOf(id)?.loaded ?? [];
      idsOf(id).then(
        (ids) => many.change(wanted, { kind: 'ids', ids }, among(loaded, new Set(ids))),
        (error: unknown) => failed(wanted.failed, error),
      );
    };
    const run = (id: string, action: AlertAction): void => {
      const { loaded = [], count = 0 } = infoOf(id) ?? {};
      const [first] = loaded;
      if (!first || !action.isOffered(first, single.context)) return;
      if (action.many !== 'change') setNotice({ text: texts.notForGroups(action.label) });
      else if (action.change) change(id, action.change(undefined, me));
      else ask(loadChoices, { action, alerts: loaded, count, onChange: (wanted: AlertChange) => change(id, wanted) });
    };
    /** Takes alerts out of their group, or puts them into `groupId`. Never rejects. */
    const send = async (ids: readonly string[], groupId?: string): Promise<BulkOutcome> => {
      const request: ChangeRequest = groupId === undefined ? { action: 'ungroup' } : { action: 'regroup', groupId };
      const known = alertStoreOf(client);
      const chosen = { kind: 'ids', ids } as const;
      const outcome = await runBulk(request, chosen, {
        send: sendBatch,
        onResult: ({ changed }) =>
          known.batch(() => {
            for (const { id, version } of changed) {
              if (version !== undefined) known.confirm(id, version, (alert) => inGroup(alert, groupId));
            }
          }),
      });
      if (outcome.error || outcome.lost.length > 0) refetchAlertLists(client);
      refetchGroups(client);
      return outcome;
    };
    const takeOut = async (id: string, alertIds: readonly string[], isAll: boolean): Promise<void> => {
      const { changed, lost, error } = await send(alertIds);
      const couldNot = isAll ? texts.couldNotSplit : texts.couldNotTakeOut;
      const failure = error ?? errorOf(lost);
      // Somebody else may have taken some out before: Undo leaves these alone.
      const done = changed.map((alert) => alert.id);
      if (done.length === 0) {
        if (failure) failed(couldNot, failure);
        else toasts.show({ title: texts.alreadyOut });
        return;
      }
      const count = texts.countAlerts(done.length);
      const what =
        isAll && !failure ? texts.splitDone(count) : done.length === 1 ? texts.takenOut : texts.severalTakenOut(count);
      const title = [what, ...lossLabels({ lost, missing: 0 })].join(', ');
      undo.add({
        kind: `group ${id} ${done[0]}`,
        title,
        description: error && texts.othersStayed(error.message),
        many: () => ({ title }),
        undo: async () => {
          const undone = await send(done, id);
          const reason = undone.error ?? errorOf(undone.lost);
          if (reason) throw reason;
        },
        undoFailed: texts.notUndone,
      });
    };
    return {
      run,
      change,
      actions: {
        context: single.context,
        run: (action, { id }) => run(id, action),
        change: ({ id }, wanted) => change(id, wanted),
        offers: (action, alert) => action.many === 'change' && single.offers(action, alert),
      },
      takeOut: (id, alertIds, isAll) => void takeOut(id, alertIds, isAll),
      split: (id) =>
        void idsOf(id).then(
          (ids) => takeOut(id, ids, true),
          (error: unknown) => failed(texts.couldNotSplit, error),
        ),
    };
  }, [single, many, setNotice, list, infoOf]);
}

/** Those of the alerts that are wanted: one may have been taken out of its group. */
const among = (alerts: readonly Alert[], wanted: ReadonlySet<string>): Alert[] =>
  alerts.filter(({ id }) => wanted.has(id));

/** The alert as it is in that group, or in none. */
const inGroup = ({ groupId: _group, ...alert }: Alert, groupId: string | undefined): Alert =>
  groupId === undefined ? alert : { ...alert, groupId };

/** What became of alerts that could not be changed, as an error; undefined where there are none. */
const errorOf = (lost: BulkOutcome['lost']): Error | undefined =>
  lost.length === 0 ? undefined : new Error(`${lossLabels({ lost, missing: 0 }).join(', ')}.`);
