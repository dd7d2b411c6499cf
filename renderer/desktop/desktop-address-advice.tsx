import { Button } from '@blueprintjs/core';
import type { DesktopBridge } from '#electron/contract.ts';
import { ServerAdvice } from '#renderer/ui/local-address-note.tsx';
import { useLatest } from './use-latest.ts';
import * as texts from './texts.tsx';
import * as styles from './desktop-panel.module.css';

/** How other machines reach the server on this computer: it is shared by a switch of the app, not by settings. */
export function DesktopAddressAdvice({ desktop }: { desktop: DesktopBridge }) {
  const server = useLatest(desktop, 'serverState');
  if (!server) return null;
  if (server.choice?.kind !== 'this-computer') return <ServerAdvice />;
  const [address] = server.isShared ? server.sharedAddresses : [];
  if (address !== undefined) return <>{texts.sharedAt(<code className="ad-code">{address}</code>)}</>;
  return (
    <>
      {texts.shareToReceive(server.isManaged)}
      {!server.isManaged && (
        <Button className={styles.advice} text={texts.changeServer} onClick={() => void desktop.changeServer()} />
      )}
    </>
  );
}
