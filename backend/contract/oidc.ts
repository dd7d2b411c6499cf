import * as z from 'zod/mini';
import { secondStepDueSchema } from './second-step.ts';
import { sessionSchema } from './session.ts';

/** Id of a provider in the configuration; part of its redirect address. */
export const providerIdSchema = z.string().check(z.regex(/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/));

/** An OpenID provider by which members sign in: its id in addresses, and what people call it. */
export const providerSchema = z.object({ id: z.string(), name: z.string() });
export type Provider = z.infer<typeof providerSchema>;

/** Path parameter of the calls about one provider. */
export const providerParamsSchema = z.object({ provider: providerIdSchema });

/** Below the sign-in page: the page of one provider, which begins a sign-in there and ends it. */
export const providerPath = (id: string): string => `/login/${id}`;

/** Where a provider sends the browser back to: one address for each provider (RFC 9700, section 4.4). */
export const redirectPath = (id: string): string => `${providerPath(id)}/callback`;

/** The link by which a browser hands a sign-in over to the desktop app. */
export const signInLink = (code: string): string => `alertdesk://sign-in/${code}`;

/** Bytes in base64url: 256 bits. */
const bits256 = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/));

/**
 * Body of the call that begins a sign-in at a provider. `app` is for a sign-in that the desktop app asked the browser for:
 * the SHA-256, in base64url, of a secret that the app keeps (as `code_challenge` in RFC 7636).
 */
export const oidcStartSchema = z.object({
  app: z.optional(bits256),
  /** Token of an invitation: the account is made of it. */
  invitation: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
});
export type OidcStart = z.infer<typeof oidcStartSchema>;

/** Form that a provider posts when somebody signed out there (OpenID Connect Back-Channel Logout 1.0, section 2.5). */
export const logoutFormSchema = z.object({ logout_token: z.string().check(z.minLength(1), z.maxLength(20_000)) });

/** Where the browser goes next: the provider's own page. */
export const oidcAddressSchema = z.object({ address: z.string() });

/** Body of the call that ends it: the query of the address that the provider sent the browser back to. */
export const oidcCallbackSchema = z.object({ query: z.string().check(z.minLength(1), z.maxLength(8192)) });

/** A code with which the desktop app, and nobody else, ends the sign-in within two minutes. */
export const appCodeSchema = z.object({ appCode: z.string(), email: z.string() });

/** What else a return from the provider does: an account is linked to it, or the member has proved who they are. */
export const oidcDoneSchema = z.object({ done: z.enum(['linked', 'proved']) });

/** How a return from the provider ends. */
export const oidcAnswerSchema = z.union([sessionSchema, secondStepDueSchema, appCodeSchema, oidcDoneSchema]);
export type OidcAnswer = z.infer<typeof oidcAnswerSchema>;

/** Body of `POST /api/auth/oidc/app`: the code from the link, and the app's secret. */
export const appSignInSchema = z.object({ code: bits256, verifier: bits256 });

/** A provider by which a member signs in. `providerName` is null when the provider is configured no more. */
export const identitySchema = z.object({
  id: z.string(),
  provider: z.string(),
  providerName: z.nullable(z.string()),
  /** As the provider said when it was linked. */
  email: z.nullable(z.string()),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.nullable(z.iso.datetime()),
});
export type Identity = z.infer<typeof identitySchema>;

/** Answer of `GET /api/auth/identities`: the member's, and the providers that could be linked. */
export const identitiesSchema = z.object({
  identities: z.array(identitySchema),
  linkable: z.array(providerSchema),
});
export type Identities = z.infer<typeof identitiesSchema>;

/** Path parameter of the call on one identity. */
export const identityParamsSchema = z.object({ id: z.uuid() });
