import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import {
  type AccountLink,
  type AccountOptions,
  type Invitation,
  type NewAccountLink,
  accountLinkSchema,
  accountOptionsSchema,
  newAccountLinkSchema,
} from '#backend/contract/account-link.ts';
import { apiGet, apiGetAll, apiSend } from '#renderer/lib/api-client.ts';

const linkListSchema = z.array(accountLinkSchema);

/** How often the list is read again while a mail is on its way, in milliseconds. */
const WATCH_MS = 2_000;

/** `GET /api/auth/links`: invitations and reset links that were not used yet. */
export const linksQuery = queryOptions<AccountLink[]>({
  queryKey: ['/api/auth/links'],
  queryFn: ({ signal }) => apiGetAll('/api/auth/links', linkListSchema, { signal }),
  refetchOnMount: 'always',
  refetchInterval: ({ state }) => (state.data?.some(({ mail }) => mail === 'queued') ? WATCH_MS : false),
});

/** `GET /api/auth/options`: whether links can be mailed, and whether members sign in with passwords. */
export const optionsQuery = queryOptions<AccountOptions>({
  queryKey: ['/api/auth/options'],
  queryFn: ({ signal }) => apiGet('/api/auth/options', accountOptionsSchema, { signal }),
});

/** False on a server whose members sign in with a provider alone. */
export const useHasPasswords = (): boolean => useQuery(optionsQuery).data?.hasPasswords !== false;

/** A link that is to be made: for somebody new, for a member, or again. */
export type LinkRequest =
  | { to: 'invite'; invitation: Invitation }
  | { to: 'reset'; userId: string; isMailed: boolean }
  | { to: 'renew'; id: string; isMailed: boolean };

const pathOf = (request: LinkRequest): string => {
  if (request.to === 'invite') return '/api/auth/invitations';
  return request.to === 'reset'
    ? `/api/auth/users/${encodeURIComponent(request.userId)}/reset-link`
    : `/api/auth/links/${encodeURIComponent(request.id)}/renew`;
};

/** Makes a link, which is shown once and not kept. Throws an ApiError: 409 for who has an account or an invitation. */
export function useMakeLink() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (request: LinkRequest): Promise<NewAccountLink> =>
      apiSend('POST', pathOf(request), {
        body: request.to === 'invite' ? request.invitation : { isMailed: request.isMailed },
        schema: newAccountLinkSchema,
      }),
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: linksQuery.queryKey }),
  });
}

/** `DELETE /api/auth/links/{id}`. */
export function useRevokeLink() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => apiSend('DELETE', `/api/auth/links/${encodeURIComponent(id)}`),
    onSettled: () => client.invalidateQueries({ queryKey: linksQuery.queryKey }),
  });
}
