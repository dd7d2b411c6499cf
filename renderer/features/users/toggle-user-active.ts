import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type PublicUser, userSchema } from '#backend/contract/user.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { putUser, usersQuery } from './get-users.ts';

/** `PATCH /api/auth/users/{id}/toggle-active`. Throws an ApiError: 409 for oneself and for the last administrator. */
export const toggleUserActive = (id: string): Promise<PublicUser> =>
  apiSend('PATCH', `/api/auth/users/${encodeURIComponent(id)}/toggle-active`, { schema: userSchema });

/** Enables or disables an account and shows what became of it. */
export function useToggleUserActive() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: toggleUserActive,
    onSuccess: (user) => client.setQueryData<PublicUser[]>(usersQuery.queryKey, (users) => putUser(users, user)),
  });
}
