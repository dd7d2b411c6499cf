import { LINK_SCHEME } from '#electron/contract.ts';

const ALERT_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * The alert that a link of ours opens, `alertdesk://alerts/{id}`; undefined for any other. Anybody can make such a link:
 * it shows something, and never does anything.
 */
export function readAppLink(link: string): { alertId: string } | undefined {
  if (!URL.canParse(link)) return undefined;
  const { protocol, host, pathname } = new URL(link);
  if (protocol !== `${LINK_SCHEME}:` || host !== 'alerts') return undefined;
  const alertId = pathname.slice(1).replace(/\/$/, '');
  return ALERT_ID.test(alertId) ? { alertId } : undefined;
}

/** The link among a program's arguments, as Windows and Linux hand it over. */
export const appLinkAmong = (argv: readonly string[]): { alertId: string } | undefined =>
  argv.map(readAppLink).find((link) => link !== undefined);
