import process from 'node:process';
import { type BrowserWindow, app } from 'electron';
import type { DesktopFacts, Attention, PreferenceChange, Preferences, Theme } from './contract/desktop.ts';
import type { CallHandlers } from './ipc.ts';
import type { Notifications } from './notifications/notifications.ts';
import type { ServerControl } from './server/server-control.ts';
import type { State } from './state.ts';
import type { Updates } from './updates/updates.ts';

/** Where the log is, as pages use it. */
export interface LogFiles {
  path: string;
  copyPath(): Promise<void>;
  openFolder(): Promise<void>;
}

interface HandlerParts {
  onAttention: (reported: Attention) => void;
  flash: () => void;
  notifications: Notifications;
  preferences: State<Preferences>;
  changePreferences: (change: PreferenceChange) => Preferences;
  updates: Updates;
  logs: LogFiles;
  server: ServerControl;
  window: () => BrowserWindow | undefined;
  isWindowShown: () => boolean;
  consumeAboutRequest: () => boolean;
  useTheme: (theme: Theme) => void;
}

/** Which module answers which call of a page. */
export function createHandlers(parts: HandlerParts): CallHandlers {
  const { notifications, preferences, updates, logs, server } = parts;
  return {
    getFacts: () => facts(logs),
    consumeAboutRequest: () => parts.consumeAboutRequest(),
    reportTheme: (theme) => parts.useTheme(theme),
    isWindowShown: () => parts.isWindowShown(),
    quitApp: () => app.quit(),
    reportAttention: (reported) => parts.onAttention(reported),
    flash: () => parts.flash(),
    showNotification: (notification) => notifications.show(notification),
    closeNotifications: (tags) => notifications.close(tags),
    getNotificationState: () => notifications.state.get(),
    openNotificationSettings: () => notifications.openSettings(),
    getPreferences: () => preferences.get(),
    changePreferences: (change) => parts.changePreferences(change),
    getUpdateState: () => updates.state.get(),
    checkForUpdates: () => updates.check(),
    downloadUpdate: () => updates.download(),
    restartAndInstall: () => updates.restartAndInstall(),
    setUpdateChannel: (channel) => updates.setChannel(channel),
    copyLogPath: () => logs.copyPath(),
    openLogFolder: () => logs.openFolder(),
    openDevTools: () => parts.window()?.webContents.openDevTools(),
    getServerState: () => server.state.get(),
    changeServer: () => server.askAgain(),
    chooseServer: async (choice) => void (await server.choose(choice)),
    forgetServer: (choice) => server.forget(choice),
    keepServer: () => server.keep(),
    retryServer: () => server.retry(),
    shareServer: (isShared) => server.share(isShared),
  };
}

const PLATFORMS: readonly string[] = ['win32', 'darwin', 'linux'] satisfies DesktopFacts['platform'][];

const facts = (logs: LogFiles): DesktopFacts => ({
  version: app.getVersion(),
  platform: PLATFORMS.includes(process.platform) ? (process.platform as DesktopFacts['platform']) : 'linux',
  electronVersion: process.versions['electron'] ?? '',
  logPath: logs.path,
});
