import { queryOptions } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { type PublicUser, userSchema } from '#backend/contract/user.ts';
import { apiGetAll } from '#renderer/lib/api-client.ts';

const userListSchema = z.array(userSchema);

/** `GET /api/auth/users`: all members, newest first. Read anew whenever the page opens; others may administer, too. */
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
