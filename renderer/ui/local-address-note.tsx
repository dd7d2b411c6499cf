import { Callout } from '@blueprintjs/core';
import { WarningSignIcon } from '@blueprintjs/icons';
import { use } from 'react';
import { LocalAddressAdvice } from './local-address-advice.ts';

/** Whether a host name leads to the computer itself, so that no other machine reaches it. */
export const isLocalHost = (hostname: string): boolean =>
  /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname);

/** Says that other machines cannot reach an address that is shown here, and what to do; nothing where they can. */
export function LocalAddressNote() {
  const { hostname, host } = window.location;
  const advice = use(LocalAddressAdvice) ?? <ServerAdvice />;
  if (!isLocalHost(hostname)) return null;
  return (
    <Callout compact role="note" intent="warning" icon={<WarningSignIcon />}>
      Other machines cannot reach <code className="ad-code">{host}</code>. {advice}
    </Callout>
  );
}

/** Which settings of the server make it reachable. */
export const ServerAdvice = () => (
  <>
    To receive alerts from them, set <code className="ad-code">HOST</code> and{' '}
    <code className="ad-code">PUBLIC_URL</code> on the server and open Alertdesk at its public address.
  </>
);
