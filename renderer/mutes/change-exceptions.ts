import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { NewException, NotificationException } from '#backend/contract/notification-exception.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { timeZoneHere } from '#renderer/lib/clock.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { refetchSoon } from '#renderer/lib/query-freshness.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { exceptionsQuery } from './exceptions.ts';
import { exceptionLabel } from './level-labels.ts';
import { EXCEPTIONS_KEY, MUTE_KEYS } from './mutes.ts';
import * as texts from './texts.ts';

/** Sets an exception, or removes it: `to` is undefined. */
interface ExceptionChange {
  one: Pick<NotificationException, 'kind' | 'id' | 'name'>;
  to: NotificationException | undefined;
}

/** `PUT /api/notification-exceptions`. Throws an ApiError. */
export const setException = ({ kind, id, level, until }: NotificationException): Promise<undefined> => {
  const body: NewException = { kind, id, level, until, timeZone: kind === 'view' ? timeZoneHere() : undefined };
  return apiSend('PUT', EXCEPTIONS_KEY[0], { body });
};

const send = ({ one: { kind, id }, to }: ExceptionChange): Promise<undefined> =>
  to ? setException(to) : apiSend('DELETE', `${EXCEPTIONS_KEY[0]}?${new URLSearchParams({ kind, id })}`);

const isSame = (one: Pick<NotificationException, 'kind' | 'id'>, other: Pick<NotificationException, 'kind' | 'id'>) =>
  one.kind === other.kind && one.id === other.id;

/** Changes exceptions: on screen at once and with Undo, and as they were where the server does not take it. */
export function useChangeExceptions(): (change: ExceptionChange) => void {
  const client = useQueryClient();
  const { queryKey } = exceptionsQuery;
  const toasts = useToasts();
  const undo = useUndoStack();
  const { mutateAsync } = useMutation({
    mutationFn: send,
    // One after the other: of two changes the later one counts.
    scope: { id: EXCEPTIONS_KEY[0] },
    onMutate: async ({ one, to }) => {
      client.setQueryData(queryKey, (page) => page && { ...page, rows: withChange(page.rows, one, to) });
      // An answer in flight does not include this change.
      await client.cancelQueries({ queryKey });
    },
    // What failed is shown as it is, and mutes are in other lists, too.
    onSettled: () => MUTE_KEYS.forEach((key) => refetchSoon(client, key)),
  });

  return useCallback(
    ({ one, to }) => {
      const before = client.getQueryData(queryKey)?.rows.find((other) => isSame(one, other));
      const name = inertLine(one.name);
      const isRemoved = to === undefined;
      mutateAsync({ one, to }).then(
        () =>
          undo.add({
            kind: `exception ${isRemoved ? 'removed' : 'changed'} ${one.kind} ${one.id}`,
            title: isRemoved ? texts.exceptionRemoved : before ? texts.exceptionChanged : texts.exceptionAdded,
            description: to ? `${name}: ${exceptionLabel(to, new Date())}` : name,
            many: () => ({ title: texts.exceptionChanged, description: name }),
            undo: async () => {
              await mutateAsync({ one, to: before });
            },
            undoFailed: texts.couldNotBringExceptionBack,
          }),
        ({ message }: Error) =>
          toasts.show({ variant: 'destructive', title: texts.couldNotChangeException, description: message }),
      );
    },
    [client, queryKey, mutateAsync, toasts, undo],
  );
}

/** The exceptions with this one changed in its place, added at the end, or without it. */
function withChange(
  rows: NotificationException[],
  one: ExceptionChange['one'],
  to: NotificationException | undefined,
): NotificationException[] {
  if (!to) return rows.filter((other) => !isSame(one, other));
  return rows.some((other) => isSame(one, other))
    ? rows.map((other) => (isSame(one, other) ? to : other))
    : [...rows, to];
}
