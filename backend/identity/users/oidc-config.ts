import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { StartError } from '#backend/platform/logger/start-error.ts';

/** Which values of a claim give which role. */
export interface RoleRules {
  /** Name of the claim; dots lead into objects where no claim has the whole name. */
  claim: string;
  admin: string[];
  superUser: string[];
  /** Undefined: everybody else is a user. Otherwise who has none of these values is refused. */
  user?: string[] | undefined;
}

/** An OpenID provider that members sign in with. */
export interface OidcProvider {
  /** Part of the redirect address, which is registered at the provider. */
  id: string;
  /** What people call it. */
  name: string;
  issuer: URL;
  clientId: string;
  /** Undefined for a public client, which PKCE alone protects. */
  clientSecret?: string | undefined;
  /** How the secret is sent (OpenID Connect Core 1.0, section 9). */
  clientAuth: 'client_secret_basic' | 'client_secret_post';
  scopes: string[];
  /** Undefined: roles are given by administrators here. */
  roles?: RoleRules | undefined;
  /** An account is linked at its first sign-in by an e-mail that the provider has verified. */
  linkByEmail: boolean;
  /** Who has no account gets one at their first sign-in. */
  createAccounts: boolean;
  /** The second step of this server is asked for, too. */
  secondStep: boolean;
  /** Signing out here signs out at the provider. */
  signOut: boolean;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** An issuer is https (OpenID Connect Core 1.0, section 2); on this machine it may be http, for trials. */
const isIssuer = (value: string): boolean => {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, search, hash, username, password } = new URL(value);
  const isPlain = search === '' && hash === '' && username === '' && password === '';
  return isPlain && (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname)));
};

const values = z.array(z.string().min(1).max(200)).max(200);

const providerSchema = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/, 'up to 32 small letters, digits and hyphens')
    .refine((id) => id !== 'app', 'any id but "app"'),
  name: z.string().trim().min(1).max(60),
  issuer: z
    .string()
    .refine(isIssuer, 'an https:// address, or http:// on this machine')
    .transform((value) => new URL(value)),
  clientId: z.string().min(1).max(500),
  clientSecret: z.string().min(1).max(2000).optional(),
  clientAuth: z.enum(['client_secret_basic', 'client_secret_post']).default('client_secret_basic'),
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/))
    .max(50)
    .default(['openid', 'email', 'profile'])
    .refine((scopes) => scopes.includes('openid'), 'a list with "openid"'),
  roles: z
    .strictObject({
      claim: z.string().min(1).max(200),
      admin: values.default([]),
      superUser: values.default([]),
      user: values.optional(),
    })
    .optional(),
  linkByEmail: z.boolean().default(false),
  createAccounts: z.boolean().default(false),
  secondStep: z.boolean().default(false),
  signOut: z.boolean().default(false),
});

const fileSchema = z.strictObject({
  providers: z
    .array(providerSchema)
    .min(1)
    .max(10)
    .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'another id for each provider')
    .refine(
      (all) => new Set(all.map(({ issuer, clientId }) => `${issuer.href} ${clientId}`)).size === all.length,
      'each client of an issuer once',
    ),
});

/** Settings with what is allowed, for `readConfig`. */
export const oidcVariables = {
  OIDC_FILE: [z.string().min(1), 'a path', undefined],
  PASSWORD_SIGN_IN: [z.enum(['on', 'off']), 'on or off', 'on'],
  BREAK_GLASS_ADMIN: [z.email().max(254), 'an e-mail address', undefined],
} as const;

/**
 * The providers of the file that OIDC_FILE names; none without it.
 *
 * @throws {StartError} naming what is wrong in the file, without its values: one of them is a secret
 */
export function readOidcProviders(file: string | undefined, publicUrl: URL | undefined): OidcProvider[] {
  if (file === undefined) return [];
  if (!publicUrl) {
    throw new StartError(
      'The environment variable OIDC_FILE is set, but providers send people back to an address that is registered there: set PUBLIC_URL, too, or leave out OIDC_FILE.',
    );
  }
  const named = `The file ${file} that OIDC_FILE names`;
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    // A parser's message quotes what it stumbles over.
    const why = error instanceof SyntaxError ? 'is not valid JSON' : `cannot be read (${(error as Error).message})`;
    throw new StartError(`${named} ${why}.`, { cause: error });
  }
  const parsed = fileSchema.safeParse(content);
  if (!parsed.success) {
    const found = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`);
    throw new StartError(`${named} is not valid. ${found.join('; ')}. See docs/configuration.md.`);
  }
  return parsed.data.providers;
}

/**
 * Who signs in by password: `passwordOnlyFor` is the e-mail of the one administrator who does, undefined when everybody may;
 * `breakGlass` that of the administrator who is changed on the server alone. Both in lower case.
 *
 * @throws {StartError} when nobody could sign in any more
 */
export function readPasswordRule(
  rule: 'on' | 'off',
  breakGlassAdmin: string | undefined,
  providers: readonly OidcProvider[],
): { passwordOnlyFor: string | undefined; breakGlass: string | undefined } {
  const breakGlass = breakGlassAdmin?.trim().toLowerCase();
  if (rule === 'on') return { passwordOnlyFor: undefined, breakGlass };
  const missing = [
    ...(providers.length === 0 ? ['OIDC_FILE'] : []),
    ...(breakGlassAdmin === undefined ? ['BREAK_GLASS_ADMIN'] : []),
  ];
  if (missing.length > 0) {
    throw new StartError(
      `The environment variable PASSWORD_SIGN_IN has the value "off", but members sign in by a provider then, and one administrator by password when it is away: set ${missing.join(' and ')}, too, or leave out PASSWORD_SIGN_IN.`,
    );
  }
  return { passwordOnlyFor: breakGlass, breakGlass };
}
