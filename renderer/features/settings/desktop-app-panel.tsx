import { Button, Classes } from '@blueprintjs/core';
import { DownloadIcon, ShareIcon, TickIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { productQuery } from '#renderer/lib/get-product.ts';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './settings-page.module.css';

const FEATURES: readonly { name: string; what: ReactNode }[] = [
  { name: 'toasts', what: texts.toastNotifications },
  { name: 'badge', what: texts.taskbarUnreadBadge },
  { name: 'tray', what: texts.trayMenu },
  {
    name: 'shortcuts',
    what: (
      <>
        {texts.shortcutsKeys(<kbd className="ad-kbd">Ctrl+1</kbd>, <kbd className="ad-kbd">Ctrl+2</kbd>)}{' '}
        <kbd className="ad-kbd">Ctrl+R</kbd>
      </>
    ),
  },
  { name: 'live', what: texts.realTimeUpdates },
];

/** What the desktop app offers, where it is, and how to install it. */
export function DesktopAppPanel() {
  const { data: product, error, refetch } = useQuery(productQuery);
  return (
    <Panel title={texts.windowsDesktopApp}>
      <div className={`${panelStyles.panelBody} ${styles.desktop}`}>
        <ul className={styles.desktopFeatures} aria-label={texts.features}>
          {FEATURES.map(({ name, what }) => (
            <li key={name}>
              <TickIcon />
              <span>{what}</span>
            </li>
          ))}
        </ul>
        {error ? (
          <p role="alert" className={styles.desktopError}>
            {texts.downloadLinkCouldNotBe(error.message)}{' '}
            <Button text={common.tryAgain} onClick={() => void refetch()} />
          </p>
        ) : (
          <DownloadLink href={product?.releasesUrl} />
        )}
        <ol className={styles.desktopSteps} aria-label={texts.howToInstall}>
          <li>{texts.downloadLatestRelease}</li>
          <li>{texts.runExe}</li>
          <li>{texts.updatesInstallAutomatically}</li>
        </ol>
      </div>
    </Panel>
  );
}

/** Leads to the releases, once it is known where they are. A link, though it looks like the button that it is for people. */
function DownloadLink({ href }: { href: string | undefined }) {
  return (
    <a
      className={`${Classes.BUTTON} ${Classes.INTENT_PRIMARY} ${styles.desktopDownload}`}
      target="_blank"
      rel="noopener noreferrer"
      {...(href === undefined ? { 'aria-disabled': true } : { href })}
    >
      <DownloadIcon />
      <span className={Classes.BUTTON_TEXT}>{texts.downloadLatestReleaseButton}</span>
      <ShareIcon />
    </a>
  );
}
