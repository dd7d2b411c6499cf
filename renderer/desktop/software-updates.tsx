import { Button, ProgressBar } from '@blueprintjs/core';
import type { DesktopBridge } from '#electron/contract.ts';
import type { UpdateState } from '#electron/contract/desktop.ts';
import { useLatest } from './use-latest.ts';
import * as texts from './texts.tsx';
import * as styles from './desktop-about.module.css';

/** Software Updates in About: check, download with its percentage, restart and install. */
export function SoftwareUpdates({ desktop }: { desktop: DesktopBridge }) {
  const state = useLatest(desktop, 'updateState');
  if (!state) return null;
  const { status, percent } = state;
  return (
    <section className={styles.section} aria-labelledby="ad-about-updates">
      <h3 id="ad-about-updates" className={styles.heading}>
        {texts.softwareUpdates}
      </h3>
      <div className={styles.update}>
        <output className={styles.status}>{updateLabel(state)}</output>
        {status === 'available' ? (
          <Button text={texts.download} intent="primary" onClick={() => void desktop.downloadUpdate()} />
        ) : status === 'downloaded' ? (
          <Button text={texts.restartAndInstall} intent="primary" onClick={() => void desktop.restartAndInstall()} />
        ) : (
          status !== 'downloading' && (
            <Button
              text={texts.checkForUpdates}
              loading={status === 'checking'}
              onClick={() => void desktop.checkForUpdates()}
            />
          )
        )}
      </div>
      {status === 'downloading' && (
        <ProgressBar
          aria-label={texts.download}
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
      return texts.notCheckedYet;
    case 'checking':
      return texts.checkingForUpdates;
    case 'available':
      return texts.versionIsAvailable(version ?? '');
    case 'not-available':
      return texts.thisIsLatestVersion;
    case 'downloading':
      return texts.downloadingPercent(Math.round(percent ?? 0));
    case 'downloaded':
      return texts.versionIsReadyToInstall(version ?? '');
    case 'error':
      return error ?? texts.failedToCheckForUpdates;
    default:
      return status satisfies never;
  }
}
