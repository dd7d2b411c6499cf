import { Button, ProgressBar } from '@blueprintjs/core';
import type { DesktopBridge } from '#electron/contract.ts';
import type { UpdateState } from '#electron/contract/desktop.ts';
import { useLatest } from './use-latest.ts';
import * as styles from './desktop-about.module.css';

/** Software Updates in About: check, download with its percentage, restart and install. */
export function SoftwareUpdates({ desktop }: { desktop: DesktopBridge }) {
  const state = useLatest(desktop, 'updateState');
  if (!state) return null;
  const { status, percent } = state;
  return (
    <section className={styles.section} aria-labelledby="ad-about-updates">
      <h3 id="ad-about-updates" className={styles.heading}>
        Software Updates
      </h3>
      <div className={styles.update}>
        <output className={styles.status}>{updateLabel(state)}</output>
        {status === 'available' ? (
          <Button text="Download" intent="primary" onClick={() => void desktop.downloadUpdate()} />
        ) : status === 'downloaded' ? (
          <Button text="Restart and install" intent="primary" onClick={() => void desktop.restartAndInstall()} />
        ) : (
          status !== 'downloading' && (
            <Button
              text="Check for updates"
              loading={status === 'checking'}
              onClick={() => void desktop.checkForUpdates()}
            />
          )
        )}
      </div>
      {status === 'downloading' && (
        <ProgressBar
          aria-label="Download"
          className={styles.progress}
          intent="primary"
          stripes={false}
          value={(percent ?? 0) / 100}
        />
      )}
    </section>
  );
}

/** The label of the status. */
export function updateLabel({ status, version, percent, error }: UpdateState): string {
  switch (status) {
    case 'idle':
      return 'Not checked yet';
    case 'checking':
      return 'Checking for updates…';
    case 'available':
      return `Version ${version} is available`;
    case 'not-available':
      return 'This is the latest version';
    case 'downloading':
      return `Downloading… ${Math.round(percent ?? 0)}%`;
    case 'downloaded':
      return `Version ${version} is ready to install`;
    case 'error':
      return error ?? 'Failed to check for updates';
    default:
      return status satisfies never;
  }
}
