import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Role } from '#backend/contract/session.ts';
import { nameSchema } from '#backend/contract/name.ts';
import type { OidcProvider, RoleRules } from '#backend/identity/users/oidc-config.ts';

/** Claims of an ID token or of the UserInfo endpoint: names with values of any kind. */
type Claims = Readonly<Record<string, unknown>>;

/** Who somebody is at a provider, as it says. */
export interface ProvidedClaims {
  /** Identifies them for good, with the issuer (OpenID Connect Core 1.0, section 2). */
  issuer: string;
  subject: string;
  /** An e-mail, which the provider need not have verified; undefined without one. */
  email: string | undefined;
  /** True only where the provider says so, with the boolean `true`. */
  isEmailVerified: boolean;
  /** What they are called. */
  name: string | undefined;
  /** Every claim, for roles. */
  all: Claims;
  idToken: string;
}

const emailSchema = z.email().max(254);

/** Whether claims have everything that a sign-in with this provider looks at. */
export const hasClaims = ({ roles }: Pick<OidcProvider, 'roles'>, claims: Claims): boolean =>
  claims['email'] !== undefined && (roles === undefined || claimOf(claims, roles.claim) !== undefined);

/** The claims of an ID token, and of the UserInfo endpoint where that has more. */
export function mergeClaims(
  idToken: Claims & { iss: string; sub: string },
  userInfo: Claims,
  rawIdToken: string,
): ProvidedClaims {
  // An address and whether it is verified are of one source.
  const { email, email_verified: verified } = idToken['email'] === undefined ? userInfo : idToken;
  const all = { ...userInfo, ...idToken };
  const address = typeof email === 'string' && emailSchema.safeParse(email).success ? email : undefined;
  const name = nameSchema.safeParse(all['name']);
  return {
    issuer: idToken.iss,
    subject: idToken.sub,
    email: address,
    isEmailVerified: address !== undefined && verified === true,
    name: name.success ? name.data : undefined,
    all,
    idToken: rawIdToken,
  };
}

/** What is stored of an identity to find it by: subjects are compared as they are, in whatever collation. */
export const subjectHashOf = ({ issuer, subject }: Pick<ProvidedClaims, 'issuer' | 'subject'>): string =>
  hash('sha256', JSON.stringify([issuer, subject]));

/** A claim by its whole name, else by its path through objects, as in `realm_access.roles`. */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  let found: unknown = claims;
  for (const part of name.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Claims)[part];
  }
  return found;
}

/** The highest role that these claims give; undefined when they give none. */
export function roleOf(rules: RoleRules, claims: Claims): Role | undefined {
  const claim = claimOf(claims, rules.claim);
  const given = new Set(Array.isArray(claim) ? claim : [claim]);
  const has = (values: readonly string[]) => values.some((value) => given.has(value));
  if (has(rules.admin)) return 'admin';
  if (has(rules.superUser)) return 'super_user';
  return rules.user === undefined || has(rules.user) ? 'user' : undefined;
}
