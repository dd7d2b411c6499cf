import * as z from 'zod/mini';
import { nameSchema } from './name.ts';
import { roleSchema } from './session.ts';

/** How every API token begins, so that scanners of leaked secrets and people know it. */
export const API_TOKEN_PREFIX = 'adt_';

/** What a token may do, from least to most; each scope includes those before it. */
export const TOKEN_SCOPES = ['wallboard', 'read', 'triage', 'admin'] as const;

/**
 * `wallboard` reads the figures of the wallboard and nothing else, `read` reads what its member may read, `triage` also works on alerts, folders and views, `admin` does everything that the
 * member's role allows. No token reaches accounts' own credentials, such as sessions and other tokens.
 */
export const tokenScopeSchema = z.enum(TOKEN_SCOPES);
export type TokenScope = z.infer<typeof tokenScopeSchema>;

/** Tokens of one member, and service tokens of an installation, at most. */
export const MAX_TOKENS = 50;

/** Longest life of a token, in days. */
export const MAX_TOKEN_DAYS = 366;

/** Body and answer of the calls about `/api/auth/token-rule`: how many days a token works at most; null for no limit. */
export const tokenRuleSchema = z.object({
  maxDays: z.nullable(z.int().check(z.minimum(1), z.maximum(MAX_TOKEN_DAYS))),
});
export type TokenRule = z.infer<typeof tokenRuleSchema>;

/** A token as listed. The token itself is shown once, when it is created. */
export const apiTokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  scope: tokenScopeSchema,
  createdAt: z.iso.datetime(),
  /** Null for a token that works until it is revoked. */
  expiresAt: z.nullable(z.iso.datetime()),
  /** When it was used last, within five minutes; null when it never was. */
  lastUsedAt: z.nullable(z.iso.datetime()),
});
export type ApiToken = z.infer<typeof apiTokenSchema>;

/** Answer of the calls that create a token, the only ones that show it. */
export const createdApiTokenSchema = z.extend(apiTokenSchema, { plainToken: z.string() });
export type CreatedApiToken = z.infer<typeof createdApiTokenSchema>;

/** Body of `POST /api/auth/tokens`: a name, a scope, and how many days it works (null: until it is revoked). */
export const newApiTokenSchema = z.object({
  name: nameSchema,
  scope: tokenScopeSchema,
  expiresInDays: z.nullable(z.int().check(z.minimum(1), z.maximum(MAX_TOKEN_DAYS))),
});
export type NewApiToken = z.infer<typeof newApiTokenSchema>;

/** A service token: it belongs to nobody, and acts under its own name. */
export const serviceTokenSchema = z.extend(apiTokenSchema, { role: roleSchema });
export type ServiceToken = z.infer<typeof serviceTokenSchema>;

/** Answer of `POST /api/service-tokens`, the only one that shows it. */
export const createdServiceTokenSchema = z.extend(serviceTokenSchema, { plainToken: z.string() });
export type CreatedServiceToken = z.infer<typeof createdServiceTokenSchema>;

/**
 * Body of `POST /api/service-tokens`. `role` is what it sees: a `super_user` reads every alert, an `admin` manages as well;
 * the scope `admin` takes the role `admin`, the scope `wallboard` the role `super_user`.
 */
export const newServiceTokenSchema = z.extend(newApiTokenSchema, { role: roleSchema }).check(
  z.refine(({ scope, role }) => scope !== 'admin' || role === 'admin', {
    message: 'The scope admin takes the role admin',
    path: ['role'],
  }),
  z.refine(({ scope, role }) => scope !== 'wallboard' || role !== 'user', {
    message: 'The scope wallboard takes the role super_user',
    path: ['role'],
  }),
);
export type NewServiceToken = z.infer<typeof newServiceTokenSchema>;

/** Path parameter of the calls on one token. */
export const apiTokenParamsSchema = z.object({ id: z.uuid() });
