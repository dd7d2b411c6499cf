import { useMutation } from '@tanstack/react-query';
import { type PublicUser, userSchema } from '#backend/contract/user.ts';
import { apiSend } from '#renderer/lib/api-client.ts';

/** `POST /api/auth/users/{id}/reset-password`. Throws an ApiError: 422 when the password is not acceptable. */
export const resetPassword = ({ id, newPassword }: { id: string; newPassword: string }): Promise<PublicUser> =>
  apiSend('POST', `/api/auth/users/${encodeURIComponent(id)}/reset-password`, {
    body: { newPassword },
    schema: userSchema,
  });

/** Gives an account another password, which is not kept among the mutations. */
export const useResetPassword = () => useMutation({ mutationFn: resetPassword, gcTime: 0 });
