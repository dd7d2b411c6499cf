import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { type MemberAccess, type UserChange, memberAccessSchema } from '#backend/contract/member-access.ts';
import { type PublicUser, userSchema } from '#backend/contract/user.ts';
import { apiGet, apiSend } from '#renderer/lib/api-client.ts';
import { deleteAt } from '#renderer/lib/delete-at.ts';
import { writeAnswer } from '#renderer/lib/query-answers.ts';
import { putUser, usersQuery } from './users.ts';

const pathOf = (id: string): string => `/api/auth/users/${encodeURIComponent(id)}`;

/** `GET /api/auth/users/{id}/access`: a member's sessions and API tokens. Read again whenever the dialog opens. */
export const memberAccessQuery = (id: string) =>
  queryOptions<MemberAccess>({
    queryKey: [`${pathOf(id)}/access`],
    queryFn: ({ signal }) => apiGet(`${pathOf(id)}/access`, memberAccessSchema, { signal }),
    refetchOnMount: 'always',
  });

/** `PATCH /api/auth/users/{id}`, shown in the list. Throws an ApiError: 409 for an e-mail that is taken, and for one's own role. */
export function useChangeUser(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: UserChange) => apiSend('PATCH', pathOf(id), { body, schema: userSchema }),
    onSuccess: (user) => {
      writeAnswer<PublicUser[]>(client, usersQuery, (users) => putUser(users, user));
      // Another role has ended it all.
      return client.invalidateQueries({ queryKey: memberAccessQuery(id).queryKey });
    },
  });
}

/**
 * Ends what lies below the member: `sessions`, `sessions/{id}`, `tokens/{id}`. What has ended already has ended. Throws an
 * ApiError.
 */
export function useEndAccess(id: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (what: string): Promise<void> => deleteAt(`${pathOf(id)}/${what}`),
    onSettled: () => client.invalidateQueries({ queryKey: memberAccessQuery(id).queryKey }),
  });
}
