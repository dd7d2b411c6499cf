import * as z from 'zod/mini';
import { nameSchema } from './name.ts';
import { roleSchema } from './session.ts';

/** Shortest password in characters and longest in bytes: bcrypt reads no further than 72 bytes. */
export const MIN_PASSWORD_LENGTH = 6;
export const MAX_PASSWORD_BYTES = 72;

/** A password that may be set. A longer one is rejected, never cut: a cut password would accept wrong ones. */
export const passwordSchema = z.string().check(
  z.minLength(MIN_PASSWORD_LENGTH, `Password must be at least ${MIN_PASSWORD_LENGTH} characters`),
  z.refine(
    (password) => new TextEncoder().encode(password).length <= MAX_PASSWORD_BYTES,
    `Password must be at most ${MAX_PASSWORD_BYTES} bytes`,
  ),
);

/** A member as administrators see them. */
export const userSchema = z.object({
  id: z.string(),
  email: z.string(),
  displayName: z.string(),
  role: roleSchema,
  isActive: z.boolean(),
  hasSecondStep: z.boolean(),
  createdAt: z.iso.datetime(),
});
export type PublicUser = z.infer<typeof userSchema>;

/** Body of `POST /api/auth/users`; super users are created on the command line only. */
export const newUserSchema = z.object({
  email: z.pipe(z.string().check(z.trim()), z.email().check(z.maxLength(254))),
  displayName: nameSchema,
  password: passwordSchema,
  role: z._default(z.enum(['user', 'admin']), 'user'),
});
export type NewUser = z.infer<typeof newUserSchema>;

/** Body of `POST /api/auth/users/{id}/reset-password`. */
export const resetPasswordSchema = z.object({ newPassword: passwordSchema });

/** Path parameter of the calls on one member. */
export const userIdParamsSchema = z.object({ id: z.uuid() });
