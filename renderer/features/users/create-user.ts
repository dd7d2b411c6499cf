import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type NewUser, type PublicUser, userSchema } from '#backend/contract/user.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { putUser, usersQuery } from './get-users.ts';

/** `POST /api/auth/users`. Throws an ApiError: 409 when the e-mail is taken, 422 when a field is not acceptable. */
export const createUser = (input: NewUser): Promise<PublicUser> =>
  apiSend('POST', '/api/auth/users', { body: input, schema: userSchema });

/** Makes an account and puts it on top of the list. */
export function useCreateUser() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: createUser,
    // What was sent holds a password, and is not kept.
    gcTime: 0,
    onSuccess: (user) => client.setQueryData<PublicUser[]>(usersQuery.queryKey, (users) => putUser(users, user)),
  });
}
