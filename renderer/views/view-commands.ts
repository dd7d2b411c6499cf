import { useQueryClient } from '@tanstack/react-query';
import { useStore } from 'jotai';
import { useMemo } from 'react';
import {
  type NewView,
  type View,
  type ViewChange,
  type ViewNotify,
  type ViewNotifyChange,
  type ViewOrder,
  viewSchema,
} from '#backend/contract/view.ts';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { sendPastDeletions, undoableDeletion } from '#renderer/toasts/undoable-deletion.ts';
import { NOTIFY_LABELS, deletedViewsAtom, markViewDeletionAtom, viewsQuery } from './views.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';

/** What can be done with views. What the screen does not show is reported in a toast; a view is undefined when that failed. */
interface ViewCommands {
  create(view: NewView): Promise<View | undefined>;
  change(view: Pick<View, 'id' | 'version'>, change: Omit<ViewChange, 'version'>): Promise<View | undefined>;
  /** Sets how I am notified of the alerts in a view. */
  notify(view: View, notify: ViewNotify): Promise<void>;
  /** Puts a view before or after its neighbor among `views`, those on screen. What was deleted and can be brought back keeps its place. */
  move(views: readonly View[], view: View, by: -1 | 1): Promise<void>;
  /** Deletes a view so that it can be undone: it is hidden at once, and the call is sent when it can no longer be undone. */
  remove(view: View): void;
}

export function useViewCommands(): ViewCommands {
  const client = useQueryClient();
  const store = useStore();
  const toasts = useToasts();
  const undo = useUndoStack();
  return useMemo(() => {
    const refresh = () => client.invalidateQueries(viewsQuery);
    const changes = new Set<symbol>();
    /** Sends a change of mine. An answer that is still to come would show again what was before it, and is dropped. */
    const sendChange = async (send: () => Promise<unknown>): Promise<void> => {
      const change = Symbol('change');
      changes.add(change);
      try {
        await client.cancelQueries(viewsQuery);
        await send();
      } finally {
        changes.delete(change);
        // Of several the last one's: one before it may be answered with what was before the others.
        if (changes.size === 0) void refresh();
      }
    };
    const put = (view: View): View => {
      client.setQueryData(viewsQuery.queryKey, (views) => {
        const known = views?.find(({ id }) => id === view.id);
        const shown = { ...view, alerts: known?.search === view.search ? known.alerts : null };
        return known ? views?.map((one) => (one.id === view.id ? shown : one)) : views && [...views, shown];
      });
      void refresh();
      return view;
    };
    const report = (title: string, error: unknown): undefined => {
      toasts.show({ variant: 'destructive', title, description: error instanceof Error ? error.message : '' });
      void refresh();
    };
    const pending = { kind: texts.viewDeletedInText, areAny: () => store.get(deletedViewsAtom).size > 0 };
    return {
      async create(view) {
        try {
          const send = () => apiSend('POST', '/api/views', { body: view, schema: viewSchema });
          return put(await sendPastDeletions(undo, pending, send));
        } catch (error) {
          return report(texts.couldNotSaveView, error);
        }
      },
      async change({ id, version }, change) {
        try {
          const body = { ...change, version };
          const send = () => apiSend('PATCH', `/api/views/${id}`, { body, schema: viewSchema });
          return put(await (change.name === undefined ? send() : sendPastDeletions(undo, pending, send)));
        } catch (error) {
          return report(texts.couldNotSaveView, error);
        }
      },
      async notify(view, notify) {
        const set = (value: ViewNotify): void =>
          void client.setQueryData(viewsQuery.queryKey, (views) =>
            views?.map((one) => (one.id === view.id ? Object.assign({}, one, { notify: value }) : one)),
          );
        set(notify);
        try {
          const body: ViewNotifyChange = { notify, timeZone: timeZoneHere() };
          await sendChange(() => apiSend('PUT', `/api/views/${view.id}/notify`, { body }));
          toasts.show({ title: NOTIFY_LABELS[notify], description: texts.alertsIn(inertLine(view.name)) });
        } catch (error) {
          set(view.notify);
          report(pageTexts.couldNotChangeNotifications, error);
        }
      },
      async move(views, view, by) {
        const isOfGroup = ({ isShared }: View): boolean => isShared === view.isShared;
        const shown = views.filter(isOfGroup);
        const neighbor = shown[shown.findIndex(({ id }) => id === view.id) + by];
        const known = client.getQueryData(viewsQuery.queryKey) ?? [];
        const rest = known.filter((one) => isOfGroup(one) && one.id !== view.id);
        const at = rest.findIndex(({ id }) => id === neighbor?.id);
        if (at === -1) return;
        const moved = rest.toSpliced(by < 0 ? at : at + 1, 0, view);
        const others = known.filter((one) => !isOfGroup(one));
        client.setQueryData(viewsQuery.queryKey, view.isShared ? [...others, ...moved] : [...moved, ...others]);
        const body: ViewOrder = { isShared: view.isShared, ids: moved.map(({ id }) => id) };
        await sendChange(() => apiSend('PUT', '/api/views/order', { body })).catch((error: unknown) =>
          report(texts.couldNotMoveView, error),
        );
      },
      remove(view) {
        const name = inertLine(view.name);
        const mark = (isPending: boolean): void => store.set(markViewDeletionAtom, view, isPending);
        mark(true);
        undo.add({
          kind: texts.viewDeletedInText,
          title: texts.oneViewDeleted,
          description: texts.itsAlertsStayWhereThey,
          subject: { text: name },
          many: (count) => ({ title: texts.viewsDeleted(count), description: texts.theirAlertsStayWhereThey }),
          ...undoableDeletion({
            show: () => mark(false),
            send: (keepalive) => apiSend('DELETE', `/api/views/${view.id}`, { keepalive }),
            onSent: refresh,
            onFailed: () => void refresh(),
          }),
          commitFailed: texts.couldNotDeleteView,
        });
      },
    };
  }, [client, store, toasts, undo]);
}
