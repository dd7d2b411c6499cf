import { oidcAddressSchema } from '#backend/contract/oidc.ts';
import { apiSend } from '#renderer/lib/api-client.ts';

/** Where this tab goes after a sign-in at a provider: the address has no part in it, so that nobody else decides. */
const GO_TO = 'alertdesk.goTo';

/** Remembers the page that was asked for while the tab is at the provider. */
export function rememberPage(path: string): void {
  sessionStorage.setItem(GO_TO, path);
}

/** The page that was asked for, once; the inbox without one. Only pages of this app, as the router goes to no others. */
export function takePage(): string {
  const path = sessionStorage.getItem(GO_TO) ?? '/';
  sessionStorage.removeItem(GO_TO);
  return /^\/(?![/\\])/.test(path) ? path : '/';
}

/** Sends this tab to a provider to sign in. It comes back to the provider's page here. */
export async function goToProvider(id: string, body: { app?: string; invitation?: string } = {}): Promise<void> {
  const { address } = await apiSend('POST', `/api/auth/oidc/${id}/start`, { body, schema: oidcAddressSchema });
  window.location.assign(address);
}

/**
 * Sends a signed-in member to a provider to prove who they are, in a tab of its own; in this one where there is none, which
 * then loses what was typed.
 */
export async function proveAtProvider(id: string, tab: Window | null): Promise<void> {
  const path = `/api/auth/identities/${id}/proof`;
  const { address } = await apiSend('POST', path, { schema: oidcAddressSchema }).catch((error: unknown) => {
    tab?.close();
    throw error;
  });
  if (tab) {
    tab.location.assign(address);
    return;
  }
  rememberPage(window.location.pathname + window.location.search);
  window.location.assign(address);
}
