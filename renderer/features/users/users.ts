import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import * as z from 'zod/mini';
import { bulkResultSchema } from '#backend/contract/bulk.ts';
import { type NewUser, type PublicUser, type UserActivity, userSchema } from '#backend/contract/user.ts';
import { peopleQuery } from '#renderer/alerts/assign/people.tsx';
import { apiGetAll, apiSend } from '#renderer/lib/api-client.ts';
import { type LongWork, followWork } from '#renderer/lib/long-work.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { readNow, writeAnswer } from '#renderer/lib/query-answers.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import * as texts from './texts.tsx';

const userListSchema = z.array(userSchema);

/** `GET /api/auth/users`: all members, newest first. Read again whenever the page opens; others may administer, too. */
export const usersQuery = queryOptions<PublicUser[]>({
  queryKey: ['/api/auth/users'],
  queryFn: ({ signal }) => apiGetAll('/api/auth/users', userListSchema, { signal }),
  refetchOnMount: 'always',
});

/** The list with a member in the place of their older self, or on top when they are new. */
export function putUser(users: readonly PublicUser[] | undefined, user: PublicUser): PublicUser[] | undefined {
  if (!users) return undefined;
  return users.some(({ id }) => id === user.id)
    ? users.map((other) => (other.id === user.id ? user : other))
    : [user, ...users];
}

/** The members whose name or email contains `text`. */
export function matching(users: readonly PublicUser[], text: string): readonly PublicUser[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return users;
  return users.filter(({ displayName, email }) =>
    [displayName, email].some((known) => known.toLowerCase().includes(wanted)),
  );
}

/** `POST /api/auth/users`. Throws an ApiError: 409 when the e-mail is taken, 422 when a field is not acceptable. */
const createUser = (input: NewUser): Promise<PublicUser> =>
  apiSend('POST', '/api/auth/users', { body: input, schema: userSchema });

/** Makes an account and puts it on top of the list. */
export function useCreateUser() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: createUser,
    // What was sent holds a password, and is not kept.
    gcTime: 0,
    onSuccess: (user) => writeAnswer<PublicUser[]>(client, usersQuery, (users) => putUser(users, user)),
  });
}

/** `POST /api/auth/users/{id}/reset-password`. Throws an ApiError: 422 when the password is not acceptable. */
const resetPassword = ({ id, newPassword }: { id: string; newPassword: string }): Promise<PublicUser> =>
  apiSend('POST', `/api/auth/users/${encodeURIComponent(id)}/reset-password`, {
    body: { newPassword },
    schema: userSchema,
  });

/** Gives an account another password, which is not kept among the mutations. */
export const useResetPassword = () => useMutation({ mutationFn: resetPassword, gcTime: 0 });

/** `POST /api/auth/users/{id}/reset-second-step`, after a proof of who asks. */
const resetSecondStep = (id: string): Promise<PublicUser> =>
  apiSend('POST', `/api/auth/users/${encodeURIComponent(id)}/reset-second-step`, { schema: userSchema });

/** Removes the second steps of a member and shows it in the list. */
export function useResetSecondStep() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: resetSecondStep,
    onSuccess: (user) => writeAnswer<PublicUser[]>(client, usersQuery, (users) => putUser(users, user)),
  });
}

/** Asks how many open alerts a member has; undefined when that could not be found out, which is reported. */
export function useOpenAlerts(): (user: PublicUser) => Promise<number | undefined> {
  const client = useQueryClient();
  const toasts = useToasts();
  return useCallback(
    async ({ id }) => {
      try {
        const people = await readNow(client, peopleQuery);
        return people.find((person) => person.id === id)?.openAlerts ?? 0;
      } catch (error) {
        toasts.show({ variant: 'destructive', title: texts.failedToUpdateUserStatus, description: messageOf(error) });
        return undefined;
      }
    },
    [client, toasts],
  );
}

/** The open alerts of a member, and who gets them. */
interface HandOver {
  from: PublicUser;
  /** How many there are. */
  openAlerts: number;
  userId: string;
}

/**
 * `POST /api/auth/users/{id}/hand-over`, batch by batch: gives all open alerts of a member to another. When `stop` is
 * aborted, it ends after the batch that is in flight, which the server completes in any case. Until then the browser asks
 * before the page is left.
 *
 * @returns how many were given
 * @throws {ApiError} when a batch failed; what was given before stays given
 */
export function handOverAll(handOver: HandOver, stop: AbortController): Promise<number> {
  const work: LongWork = { left: handOver.openAlerts, stop: () => stop.abort() };
  const done = sendBatches(handOver, stop.signal, work);
  followWork(
    work,
    done.catch((error: Error) => (work.error = error)),
  );
  return done;
}

async function sendBatches(
  { from, openAlerts, userId }: HandOver,
  signal: AbortSignal,
  work: LongWork,
): Promise<number> {
  let given = 0;
  for (let before: string | undefined; ;) {
    const body = { userId, ...(before !== undefined && { before }) };
    const path = `/api/auth/users/${encodeURIComponent(from.id)}/hand-over`;
    const { changed, next } = await apiSend('POST', path, { body, schema: bulkResultSchema });
    given += changed.length;
    // There may be more by now.
    work.left = next === undefined || signal.aborted ? 0 : Math.max(1, openAlerts - given);
    if (next === undefined || signal.aborted) return given;
    before = next;
  }
}

/**
 * `PATCH /api/auth/users/{id}/toggle-active` with the state that is wanted: sent twice, or by two, it stays so. Throws an
 * ApiError: 409 for oneself and for the last administrator.
 */
const setUserActive = ({ id, ...body }: { id: string } & UserActivity): Promise<PublicUser> =>
  apiSend('PATCH', `/api/auth/users/${encodeURIComponent(id)}/toggle-active`, { body, schema: userSchema });

/** Enables or disables an account and shows what became of it. */
function useSetUserActive() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: setUserActive,
    onSuccess: (user) => writeAnswer<PublicUser[]>(client, usersQuery, (users) => putUser(users, user)),
  });
}

/**
 * Enables or disables an account, reports it, and offers to undo it: the sessions that a disabled member had are gone,
 * but they can sign in again at once. `busyId` is the account whose change is in flight.
 */
export function useToggleWithUndo(): { toggle: (user: PublicUser) => Promise<void>; busyId: string | undefined } {
  const { mutateAsync, isPending, variables } = useSetUserActive();
  const toasts = useToasts();
  const undo = useUndoStack();

  const toggle = useCallback(
    async (user: PublicUser): Promise<void> => {
      try {
        const { displayName, isActive } = await mutateAsync({ id: user.id, active: !user.isActive });
        undo.add({
          kind: `user ${isActive}`,
          title: texts.userStatusUpdated,
          description: texts.stateChanged(inertLine(displayName), isActive),
          many: (count) => ({ title: texts.usersChanged(count, isActive) }),
          undo: async () => {
            await mutateAsync({ id: user.id, active: !isActive });
          },
          undoFailed: texts.failedToUpdateUserStatus,
        });
      } catch (error) {
        toasts.show({ variant: 'destructive', title: texts.failedToUpdateUserStatus, description: messageOf(error) });
      }
    },
    [mutateAsync, toasts, undo],
  );
  return { toggle, busyId: isPending ? variables.id : undefined };
}
