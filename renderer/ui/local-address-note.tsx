import { Callout } from '@blueprintjs/core';
import { WarningSignIcon } from '@blueprintjs/icons';

/** Whether a host name leads to the computer itself, so that no other machine reaches it. */
export const isLocalHost = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname);

/** Says that other machines cannot reach an address that is shown here, and what to set; nothing where they can. */
export function LocalAddressNote() {
  const { hostname, host } = window.location;
  if (!isLocalHost(hostname)) return null;
  return (
    <Callout compact role="note" intent="warning" icon={<WarningSignIcon />}>
      Other machines cannot reach <code className="ad-code">{host}</code>. To receive alerts from them, set{' '}
      <code className="ad-code">HOST</code> and <code className="ad-code">PUBLIC_URL</code> on the server and open
      Alertdesk at its public address.
    </Callout>
  );
}
