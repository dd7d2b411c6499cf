import { queryOptions } from '@tanstack/react-query';
import { type AccountOptions, accountOptionsSchema } from '#backend/contract/account-link.ts';
import { providerPath } from '#backend/contract/oidc.ts';
import { apiGet } from '#renderer/lib/api-client.ts';

/** `GET /api/auth/options`: what the sign-in page offers. */
export const optionsQuery = queryOptions<AccountOptions>({
  queryKey: ['/api/auth/options'],
  queryFn: ({ signal }) => apiGet('/api/auth/options', accountOptionsSchema, { signal }),
});

/** The secret of a sign-in that the desktop app has begun, and at which provider. */
const APP_SECRET = 'alertdesk.appSignIn';

const inBase64url = (bytes: Uint8Array): string =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/**
 * Opens the sign-in at a provider in the system's browser. The app keeps a secret, whose hash the browser's sign-in has: a
 * link that somebody else made does not match it (RFC 7636, RFC 8252).
 */
export async function openInBrowser(id: string): Promise<void> {
  const verifier = inBase64url(crypto.getRandomValues(new Uint8Array(32)));
  sessionStorage.setItem(APP_SECRET, verifier);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  // A new window of the app's is the system's browser.
  window.open(`${providerPath(id)}#${inBase64url(new Uint8Array(digest))}`, '_blank', 'noopener');
}

/** The secret of the sign-in that this app has begun; null when it has begun none, and every link is a stray one. */
export const appSecret = (): string | null => sessionStorage.getItem(APP_SECRET);

/** The sign-in has ended, or is given up. */
export const forgetAppSecret = (): void => sessionStorage.removeItem(APP_SECRET);
