import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import {
  JSON_LINES,
  type OwnSession,
  type PasswordChange,
  type ProfileChange,
  ownSessionSchema,
} from '#backend/contract/account.ts';
import { type Session, sessionSchema } from '#backend/contract/session.ts';
import { apiGet, apiGetText, apiSend } from '#renderer/lib/api-client.ts';
import { deleteAt } from '#renderer/lib/delete-at.ts';
import { setClock } from '#renderer/lib/clock.ts';
import { sentPush } from '#renderer/push/sent-push.ts';
import { sessionQuery } from '#renderer/session/session.ts';
import { tokensQuery } from '#renderer/tokens/tokens.ts';
import * as texts from './texts.tsx';

const ownSessionListSchema = z.array(ownSessionSchema);

/** `GET /api/auth/sessions`: where the member is signed in. Read again whenever the page opens. */
export const ownSessionsQuery = queryOptions<OwnSession[]>({
  queryKey: ['/api/auth/sessions'],
  queryFn: ({ signal }) => apiGet('/api/auth/sessions', ownSessionListSchema, { signal }),
  refetchOnMount: 'always',
});

/** `PATCH /api/auth/profile`, which shows at once wherever the member is named. Throws an ApiError. */
export function useChangeProfile() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: ProfileChange) =>
      apiSend<Session>('PATCH', '/api/auth/profile', { body: change, schema: sessionSchema }).then(setClock),
    onSuccess: (session) => client.setQueryData(sessionQuery.queryKey, session),
  });
}

/**
 * `POST /api/auth/password`. Throws an ApiError: 422 for a wrong current password or one that is not acceptable, 429 after
 * too many wrong ones. Nothing of it is kept.
 */
export function useChangePassword() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: PasswordChange) =>
      apiSend('POST', '/api/auth/password', { body: { ...change, pushEndpoint: sentPush() ?? undefined } }),
    gcTime: 0,
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ownSessionsQuery.queryKey });
      await client.invalidateQueries({ queryKey: tokensQuery('own').queryKey });
    },
  });
}

/** Ends one of the member's sessions, or all others when it is `others`. Throws an ApiError. */
export function useEndSessions() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (which: OwnSession | 'others') =>
      deleteAt(which === 'others' ? '/api/auth/sessions' : `/api/auth/sessions/${which.id}`),
    onSettled: () => client.invalidateQueries({ queryKey: ownSessionsQuery.queryKey }),
  });
}

/** The last line of a whole export. */
const WHOLE = /\n\{"type":"end",[^\n]*\}\n$/;

/**
 * `GET /api/auth/export`: what is stored of the member, as a file. Throws an ApiError, or an Error when not all of it came.
 */
export function useDownloadOwnData() {
  return useMutation({
    mutationFn: async () => {
      const text = await apiGetText('/api/auth/export');
      if (!WHOLE.test(text)) throw new Error(texts.downloadWasInterruptedTryAgain);
      return new Blob([text], { type: JSON_LINES });
    },
    gcTime: 0,
  });
}
