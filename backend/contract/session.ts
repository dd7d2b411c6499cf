import { z } from 'zod';

/** Roles, from least to most: spec.md section 6. `super_user` sees every alert but manages nothing. */
export const roleSchema = z.enum(['user', 'admin', 'super_user']);
export type Role = z.infer<typeof roleSchema>;

/** Answer of `GET /api/auth/session` and of a sign-in (spec.md section 3). */
export const sessionSchema = z.object({
  id: z.string(),
  email: z.string(),
  displayName: z.string(),
  role: roleSchema,
});
export type Session = z.infer<typeof sessionSchema>;

/** Body of `POST /api/auth/login`. What is not acceptable as a password is simply wrong, so no length is told here. */
export const loginSchema = z.object({
  email: z.string().trim().min(1).max(254),
  password: z.string().min(1).max(1024),
});
export type Login = z.infer<typeof loginSchema>;

/** Answer of `GET /api/auth/default-credentials`, while contract.md section 4 lets them be shown. */
export const defaultCredentialsSchema = z.object({ email: z.string(), password: z.string() });
export type DefaultCredentials = z.infer<typeof defaultCredentialsSchema>;

/** Name of the readable cookie that holds the CSRF token, and of the header that must repeat it (contract.md section 2). */
export const CSRF_COOKIE = 'csrf-token';
export const CSRF_HEADER = 'X-CSRF-Token';
