import type { ReactNode } from 'react';
import { useNotificationState } from '#renderer/notifications/browser-notifications.ts';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { AlertTypesPanel } from './alert-types-panel.tsx';
import { AppearancePanel } from './appearance-panel.tsx';
import { CustomersPanel } from './customers-panel.tsx';
import { DesktopAppPanel } from './desktop-app-panel.tsx';
import { ExceptionsPanel } from './exceptions-panel.tsx';
import { LevelPanel } from './level-panel.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import { WherePanel } from './where-panel.tsx';
import { MailPanel } from './mail-panel.tsx';
import { OwnChannelsPanel } from './own-channels-panel.tsx';
import { PushPanel } from './push-panel.tsx';
import { QuietPanel } from './quiet-panel.tsx';
import { SourcesPanel } from './sources-panel.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './settings-page.module.css';

/**
 * Settings: how much notifies the member and where, and the appearance of this device.
 *
 * @param props.desktop what the desktop app has to set, in the place of the card that offers it to browsers
 */
export function SettingsPage({ desktop }: { desktop?: ReactNode }) {
  const state = useNotificationState();
  return (
    <div className={pageHeadStyles.page}>
      <PageHead title={pageTexts.settings} />
      <HoverTip>
        <div className={`${panelStyles.pageBody} ${styles.settings} ${styles.settingsNotify}`}>
          <div className={styles.settingsColumn}>
            <LevelPanel />
            <ExceptionsPanel />
          </div>
          <div className={styles.settingsColumn}>
            <WherePanel hasPush={desktop === undefined} />
            <PreviewPanel canTest={desktop === undefined && state !== 'unsupported'} />
          </div>
        </div>
        <div className={`${panelStyles.pageBody} ${styles.settings}`}>
          <div className={styles.settingsColumn}>
            {desktop === undefined && <PushPanel />}
            <QuietPanel />
            <MailPanel />
            <OwnChannelsPanel />
            {desktop ?? <DesktopAppPanel />}
            <AppearancePanel />
          </div>
          <div className={styles.settingsColumn}>
            <AlertTypesPanel />
            <CustomersPanel />
            <SourcesPanel />
          </div>
        </div>
      </HoverTip>
    </div>
  );
}
