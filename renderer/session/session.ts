import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { atom, useAtomValue } from 'jotai';
import { createContext, useContext } from 'react';
import { type Session, sessionSchema } from '#backend/contract/session.ts';
import { ApiError, apiGet } from '#renderer/lib/api-client.ts';
import { setClock } from '#renderer/lib/clock.ts';

/**
 * `GET /api/auth/session`, past the cache: who is signed in, with times written as they read them; `null` when nobody is
 * (401). Throws any other failure.
 */
export const readSession = (signal: AbortSignal): Promise<Session | null> =>
  apiGet('/api/auth/session', sessionSchema, { signal }).then(setClock).catch(nullWhenSignedOut);

/** Who is signed in; `null` when nobody is. Any failure but a 401 is an error of the query. */
export const sessionQuery = queryOptions<Session | null>({
  queryKey: ['/api/auth/session'],
  queryFn: ({ signal }) => readSession(signal),
});

/** Id of the member who is signed in. */
export const memberOf = (client: QueryClient): string | undefined => client.getQueryData(sessionQuery.queryKey)?.id;

/** A call's answer when it failed because nobody is signed in (401). Throws any other error again. */
export function nullWhenSignedOut(error: unknown): null {
  if (error instanceof ApiError && error.status === 401) return null;
  throw error;
}

/** The session of the screens behind the guard, which provides it. */
export const SessionContext = createContext<Session | null>(null);

/** Who is signed in. Only for components behind the guard, where somebody always is. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('There is no session here.');
  return session;
}

/** Who ended the last session, where the member is to know: until they sign in again, in this tab alone. */
export const sessionEndAtom = atom<'administrator' | undefined>(undefined);

/** See {@link useSignedOutByHand}. */
export const signedOutByHandAtom = atom(false);

/** Whether the last session ended by Logout, not by time: then the next sign-in does not return to the last screen. */
export function useSignedOutByHand(): boolean {
  return useAtomValue(signedOutByHandAtom);
}
