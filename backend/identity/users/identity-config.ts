import type { OidcProvider } from './oidc-config.ts';

/** What the configuration says about accounts and how people sign in to them. */
export interface IdentityConfig {
  adminEmail: string;
  adminPassword: string | undefined;
  /** The origin that people use, when set. */
  publicUrl: URL | undefined;
  /** Sessions end so many milliseconds after their sign-in, however much they are used. */
  sessionMaxMs: number;
  /** OpenID providers that members sign in with. */
  oidcProviders: OidcProvider[];
  /** The e-mail, in lower case, of the one administrator who signs in by password; undefined when everybody may. */
  passwordOnlyFor: string | undefined;
  /** The e-mail, in lower case, of the administrator who is changed on the server alone; undefined for nobody. */
  breakGlass: string | undefined;
}

/** True for an address of this machine; a server with another PUBLIC_URL is used from elsewhere. */
export const isLoopbackUrl = (url: URL | undefined): boolean =>
  url === undefined || ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
