import * as z from 'zod/mini';
import { nameSchema } from './name.ts';
import { roleSchema } from './session.ts';

/**
 * Shortest new password in characters and longest in bytes: bcrypt reads no further than 72 bytes. Passwords of 6 and 7
 * characters that earlier releases took go on working.
 */
export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_BYTES = 72;

/** Below this length a password is refused in words that are the product's since its beginning. */
const SHORT_PASSWORD_LENGTH = 6;

/** Why a new password is too short, as one sentence; undefined when it is long enough. */
export function shortnessOf({ length }: string): string | undefined {
  if (length >= MIN_PASSWORD_LENGTH) return undefined;
  const limit = length < SHORT_PASSWORD_LENGTH ? SHORT_PASSWORD_LENGTH : MIN_PASSWORD_LENGTH;
  return `Password must be at least ${limit} characters`;
}

/** A password that may be set. A longer one is rejected, never cut: a cut password would accept wrong ones. */
export const passwordSchema = z.string().check(
  // It is asked about arrays, too, whose text may be nested deeper than the stack.
  z.minLength(MIN_PASSWORD_LENGTH, {
    error: ({ input }) => (typeof input === 'string' ? shortnessOf(input) : undefined),
  }),
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
  /** Whether it is changed on the server alone. */
  isBreakGlass: z.boolean(),
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

/** Body of `PATCH /api/auth/users/{id}/toggle-active`: the state that is wanted. Without a body it is the other one. */
export const userActivitySchema = z.optional(z.object({ active: z.boolean() }));
export type UserActivity = NonNullable<z.infer<typeof userActivitySchema>>;

/** Path parameter of the calls on one member. */
export const userIdParamsSchema = z.object({ id: z.uuid() });
