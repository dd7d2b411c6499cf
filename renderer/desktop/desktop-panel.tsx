import { Button, HTMLSelect, Switch } from '@blueprintjs/core';
import type { DesktopBridge } from '#electron/contract.ts';
import type { PreferenceChange } from '#electron/contract/desktop.ts';
import type { ServerState } from '#electron/contract/server-choice.ts';
import { useToasts } from '#renderer/lib/toast.ts';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import { ShortcutField } from './shortcut-field.tsx';
import { useTold } from './use-told.ts';
import './desktop-panel.css';

/** Settings of the desktop app itself, in the place of the card that offers it to browsers. */
export function DesktopPanel({ desktop }: { desktop: DesktopBridge }) {
  const server = useTold(desktop, 'serverState');
  const notifications = useTold(desktop, 'notificationState');
  const preferences = useTold(desktop, 'preferences');
  const change = useChangePreferences(desktop);
  return (
    <Panel title="Desktop App">
      <div className="ad-panel-body ad-desktop-settings">
        <div className="ad-desktop-row">
          <span>
            Server: <strong>{server && serverWords(server)}</strong>
          </span>
          <Button text="Change server…" onClick={() => void desktop.changeServer()} />
        </div>
        {notifications?.status === 'blocked' && (
          <div className="ad-desktop-row" role="alert">
            <span>Windows does not show notifications of this app. Turn them on in its settings.</span>
            <Button text="Open settings" onClick={() => void desktop.openNotificationSettings()} />
          </div>
        )}
        {preferences && (
          <>
            <Switch
              label="Start with Windows"
              checked={preferences.startWithSystem}
              onChange={({ currentTarget }) => void change({ startWithSystem: currentTarget.checked })}
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
  const updates = useTold(desktop, 'updateState');
  if (!updates) return null;
  return (
    <div className="ad-desktop-row">
      <label htmlFor="ad-update-channel">Updates</label>
      <HTMLSelect
        id="ad-update-channel"
        value={updates.channel}
        options={[
          { value: 'stable', label: 'Stable' },
          { value: 'beta', label: 'Beta' },
        ]}
        onChange={({ currentTarget }) =>
          void desktop.setUpdateChannel(currentTarget.value === 'beta' ? 'beta' : 'stable')
        }
      />
    </div>
  );
}

const serverWords = ({ choice }: ServerState): string =>
  choice?.kind === 'team-server' ? new URL(choice.url).host : 'this computer';

/** Changes what is set on this machine; what holds then is told as an event. */
function useChangePreferences(desktop: DesktopBridge): (change: PreferenceChange) => Promise<void> {
  const toasts = useToasts();
  return async (change) => {
    try {
      await desktop.changePreferences(change);
    } catch (error) {
      toasts.show({
        variant: 'destructive',
        title: 'Could not change the setting',
        // Electron puts the channel's name before what was thrown.
        description: String(error).replace(/^.*Error: /, ''),
      });
    }
  };
}
