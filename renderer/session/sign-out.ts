import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { useSetAtom } from 'jotai';
import * as z from 'zod/mini';
import { oidcAddressSchema } from '#backend/contract/oidc.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { settleWork } from '#renderer/lib/long-work.ts';
import { toastOwnerAtom, useToasts } from '#renderer/toasts/toast.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { describeLost } from './lost-changes.ts';
import { nullWhenSignedOut, sessionQuery, signedOutByHandAtom } from './session.ts';
import * as texts from './sign-out-texts.ts';

/**
 * Signs out: first sends what could still be undone and waits for what is in flight, then reports
 * `Logged out` and empties the session, upon which the guard leaves for /login and clears what was read. A session that
 * has ended already counts as signed out.
 */
export function useSignOut() {
  const client = useQueryClient();
  const toasts = useToasts();
  const undo = useUndoStack();
  const setSignedOutByHand = useSetAtom(signedOutByHandAtom);
  const setToastOwner = useSetAtom(toastOwnerAtom);
  return useMutation({
    mutationKey: LOGOUT,
    mutationFn: async () => {
      const settled = Promise.all([undo.commitAll(), othersSettled(client)]);
      const late = new Promise<undefined>((resolve) => setTimeout(resolve, SETTLE_MS));
      const [ended, unfinished] = await Promise.all([Promise.race([settled, late]), settleWork(late)]);
      const [failures = []] = ended ?? [];
      const description = describeLost(failures, unfinished, undo.unanswered());
      const there = await apiSend('POST', '/api/auth/logout', { schema: THERE }).catch(nullWhenSignedOut);
      return { description, there };
    },
    onSuccess: ({ description, there }) => {
      setSignedOutByHand(true);
      // Drafts and the like, which are theirs; the device's own choices are in the local storage.
      sessionStorage.clear();
      setToastOwner(null);
      client.setQueryData(sessionQuery.queryKey, null);
      toasts.show({ intent: 'done', title: texts.loggedOut, description });
      // Some providers are signed out of, too; in the desktop app the system's browser goes there.
      if (there) window.location.assign(there.address);
    },
    onError: (error) => {
      toasts.show({ variant: 'destructive', title: texts.couldNotLogOut, description: error.message });
    },
  });
}

const LOGOUT = ['logout'];

/** Where to sign out of the provider, if anywhere. */
const THERE = z.optional(oidcAddressSchema);

/** How long signing out waits for other calls, in milliseconds. */
const SETTLE_MS = 5000;

/** Resolves when every change in flight is answered: sent after the sign-out it would be refused. */
function othersSettled(client: QueryClient): Promise<void> {
  const cache = client.getMutationCache();
  const isBusy = (): boolean =>
    cache.findAll({ status: 'pending' }).some(({ options }) => options.mutationKey !== LOGOUT);
  if (!isBusy()) return Promise.resolve();
  return new Promise((resolve) => {
    const unsubscribe = cache.subscribe(() => {
      if (isBusy()) return;
      unsubscribe();
      resolve();
    });
  });
}
