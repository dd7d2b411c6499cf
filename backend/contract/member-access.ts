import * as z from 'zod/mini';
import { ownSessionSchema } from './account.ts';
import { apiTokenSchema } from './api-token.ts';
import { nameSchema } from './name.ts';

/** Answer of `GET /api/auth/users/{id}/access`: where a member is signed in, and what acts for them. */
export const memberAccessSchema = z.object({
  /** Those used last first. `isCurrent` is the administrator's own, where they look at themselves. */
  sessions: z.array(ownSessionSchema),
  tokens: z.array(apiTokenSchema),
});
export type MemberAccess = z.infer<typeof memberAccessSchema>;

/** Path parameters of the calls that end one session, and one API token, of a member. */
export const memberSessionParamsSchema = z.object({
  id: z.uuid(),
  sessionId: z.string().check(z.minLength(1), z.maxLength(64)),
});
export const memberTokenParamsSchema = z.object({ id: z.uuid(), tokenId: z.uuid() });

/**
 * Body of `PATCH /api/auth/users/{id}`: what is absent stays. Another role ends the member's sessions and API tokens. Super
 * users are made on the command line only, but may become something else here.
 */
export const userChangeSchema = z.object({
  email: z.optional(z.pipe(z.string().check(z.trim()), z.email().check(z.maxLength(254)))),
  displayName: z.optional(nameSchema),
  role: z.optional(z.enum(['user', 'admin'])),
});
export type UserChange = z.infer<typeof userChangeSchema>;
