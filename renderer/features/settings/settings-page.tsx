import type { ReactNode } from 'react';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { PageHead } from '#renderer/ui/page-head/page-head.tsx';
import { AlertTypesPanel } from './alert-types-panel.tsx';
import { AppearancePanel } from './appearance-panel.tsx';
import { CustomersPanel } from './customers-panel.tsx';
import { DesktopAppPanel } from './desktop-app-panel.tsx';
import { MailPanel } from './mail-panel.tsx';
import { PushPanel } from './push-panel.tsx';
import { QuietPanel } from './quiet-panel.tsx';
import { SourcesPanel } from './sources-panel.tsx';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './settings-page.module.css';

/**
 * Settings: appearance of this device, and notifications.
 *
 * @param props.desktop what the desktop app has to set, in the place of the card that offers it to browsers
 */
export function SettingsPage({ desktop }: { desktop?: ReactNode }) {
  return (
    <div className={pageHeadStyles.page}>
      <PageHead title="Settings" />
      <HoverTip>
        <div className={`${panelStyles.pageBody} ${styles.settings}`}>
          <div className={styles.settingsColumn}>
            {desktop === undefined && <PushPanel />}
            <QuietPanel />
            <MailPanel />
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
