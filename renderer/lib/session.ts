import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { createContext, useContext } from 'react';
import { type Login, type Session, sessionSchema } from '#backend/contract/session.ts';
import { ApiError, apiGet, apiSend } from './api-client.ts';
import { forgetSentPush } from './notifications/sent-push.ts';
import { useToasts } from './toast.ts';

/** Who is signed in; `null` when nobody is (401). Any other failure is an error of the query (spec.md section 7). */
export const sessionQuery = queryOptions<Session | null>({
  queryKey: ['/api/auth/session'],
  queryFn: ({ signal }) => apiGet('/api/auth/session', sessionSchema, { signal }).catch(nullWhenSignedOut),
});

function nullWhenSignedOut(error: unknown): null {
  if (error instanceof ApiError && error.status === 401) return null;
  throw error;
}

/** The session of the screens behind the guard, which provides it. */
export const SessionContext = createContext<Session | null>(null);

/** Who is signed in. Only for components behind the guard, where somebody always is. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession is for the screens behind the sign-in guard.');
  return session;
}

const signedOutByHandAtom = atom(false);

/** Whether the last session ended by Logout, not by time: then nobody wants to return to where they were. */
export function useSignedOutByHand(): boolean {
  return useAtomValue(signedOutByHandAtom);
}

/** Signs in: the mutation takes e-mail and password, and its error is an {@link ApiError} with the server's sentence. */
export function useSignIn() {
  const client = useQueryClient();
  const setSignedOutByHand = useSetAtom(signedOutByHandAtom);
  return useMutation({
    mutationFn: (login: Login) => apiSend('POST', '/api/auth/login', { body: login, schema: sessionSchema }),
    onSuccess: (session) => {
      setSignedOutByHand(false);
      forgetSentPush();
      client.setQueryData(sessionQuery.queryKey, session);
    },
  });
}

/**
 * Signs out (spec.md section 7): says `Logged out` and empties the session, upon which the guard leaves for /login and
 * clears what was read. A session that has ended already counts as signed out.
 */
export function useSignOut() {
  const client = useQueryClient();
  const toasts = useToasts();
  const setSignedOutByHand = useSetAtom(signedOutByHandAtom);
  return useMutation({
    mutationFn: () => apiSend('POST', '/api/auth/logout').catch(nullWhenSignedOut),
    onSuccess: () => {
      setSignedOutByHand(true);
      client.setQueryData(sessionQuery.queryKey, null);
      toasts.show({ intent: 'done', title: 'Logged out' });
    },
    onError: (error) => {
      toasts.show({ variant: 'destructive', title: 'Could not log out', description: error.message });
    },
  });
}
