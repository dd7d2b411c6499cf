import { Button, HTMLSelect, Switch } from '@blueprintjs/core';
import type { DesktopBridge } from '#electron/contract.ts';
import type { PreferenceChange } from '#electron/contract/desktop.ts';
import type { ServerState } from '#electron/contract/server-choice.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import { ShortcutField } from './shortcut-field.tsx';
import { useLatest } from './use-latest.ts';
import * as texts from './texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './desktop-panel.module.css';

/** Settings of the desktop app itself, in the place of the card that offers it to browsers. */
export function DesktopPanel({ desktop }: { desktop: DesktopBridge }) {
  const server = useLatest(desktop, 'serverState');
  const notifications = useLatest(desktop, 'notificationState');
  const preferences = useLatest(desktop, 'preferences');
  const change = useChangePreferences(desktop);
  return (
    <Panel title={texts.desktopApp}>
      <div className={`${panelStyles.panelBody} ${styles.settings}`}>
        <div className={styles.row}>
          <span>{texts.serverInUse(<strong>{server && serverLabel(server)}</strong>, server?.isManaged ?? false)}</span>
          {!server?.isManaged && <Button text={texts.changeServer} onClick={() => void desktop.changeServer()} />}
        </div>
        {notifications?.status === 'blocked' && (
          <div className={styles.row} role="alert">
            <span>{texts.windowsBlocks}</span>
            <Button text={texts.openSettings} onClick={() => void desktop.openNotificationSettings()} />
          </div>
        )}
        {preferences && (
          <>
            <Switch
              label={texts.startWithWindows}
              checked={preferences.startWithSystem}
              onChange={({ currentTarget }) => void change({ startWithSystem: currentTarget.checked })}
            />
            <Switch
              label={texts.criticalAlertsBreakThroughDo}
              checked={preferences.isCriticalUrgent}
              onChange={({ currentTarget }) => void change({ isCriticalUrgent: currentTarget.checked })}
            />
            <ShortcutField
              accelerator={preferences.globalShortcut}
              onChange={(globalShortcut) => void change({ globalShortcut })}
            />
          </>
        )}
        <Channel desktop={desktop} />
      </div>
    </Panel>
  );
}

function Channel({ desktop }: { desktop: DesktopBridge }) {
  const updates = useLatest(desktop, 'updateState');
  if (!updates) return null;
  return (
    <div className={styles.row}>
      <label htmlFor="ad-update-channel">{texts.updates}</label>
      <HTMLSelect
        id="ad-update-channel"
        value={updates.channel}
        options={[
          { value: 'stable', label: texts.stable },
          { value: 'beta', label: texts.beta },
        ]}
        onChange={({ currentTarget }) =>
          void desktop.setUpdateChannel(currentTarget.value === 'beta' ? 'beta' : 'stable')
        }
      />
    </div>
  );
}

const serverLabel = ({ choice }: ServerState): string =>
  choice?.kind === 'team-server' ? new URL(choice.url).host : texts.thisComputer;

/** Changes what is set on this machine; the values afterwards are reported as an event. */
function useChangePreferences(desktop: DesktopBridge): (change: PreferenceChange) => Promise<void> {
  const toasts = useToasts();
  return async (change) => {
    try {
      await desktop.changePreferences(change);
    } catch (error) {
      toasts.show({
        variant: 'destructive',
        title: texts.couldNotChangeSetting,
        // Electron puts the channel's name before what was thrown.
        description: String(error).replace(/^.*Error: /, ''),
      });
    }
  };
}
