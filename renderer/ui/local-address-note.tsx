import { Callout } from '@blueprintjs/core';
import { WarningSignIcon } from '@blueprintjs/icons';
import { use } from 'react';
import { LocalAddressAdvice } from './local-address-advice.ts';
import * as texts from './local-address-texts.tsx';

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
      {texts.otherMachinesCannotReach(<code className="ad-code">{host}</code>, advice)}
    </Callout>
  );
}

/** Which settings of the server make it reachable. */
export const ServerAdvice = () => (
  <>{texts.serverAdvice(<code className="ad-code">HOST</code>, <code className="ad-code">PUBLIC_URL</code>)}</>
);
