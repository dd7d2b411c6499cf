import type { ReactNode } from 'react';

export const windowsDesktop = 'Windows Desktop';
export const macOSDesktop = 'macOS Desktop';
export const linuxDesktop = 'Linux Desktop';
export const desktop = 'Desktop';
export const logFile = 'Log file';
export const copyLogPath = 'Copy log path';
export const openLogFolder = 'Open log folder';

export const sharedAt = (address: ReactNode) => (
  <>This server is shared on this network: they reach it at {address}. Use that address in the sender.</>
);
export const shareToReceive = (isManaged: boolean) =>
  `To receive alerts from them, turn on “Share on this network”${isManaged ? ', which your organization manages.' : ' in the app’s server settings.'}`;
export const changeServer = 'Change server…';

export const systemShowsNoNotifications = 'The system shows no notifications.';

export const desktopApp = 'Desktop App';
export const serverInUse = (server: ReactNode, isManaged: boolean) => (
  <>
    Server: {server}
    {isManaged ? ' (set by your organization)' : ''}
  </>
);
export const windowsBlocks = 'Windows blocks notifications from this app. Turn them on in Windows settings.';
export const openSettings = 'Open settings';
export const startWithWindows = 'Start with Windows';
export const criticalAlertsBreakThroughDo = 'Critical alerts break through Do Not Disturb';
export const updates = 'Updates';
export const stable = 'Stable';
export const beta = 'Beta';
export const thisComputer = 'this computer';
export const couldNotChangeSetting = 'Could not change the setting';

export const customerMuted = 'Customer muted';
export const noMoreNotificationsFrom = (name: string) => `No more notifications from ${name}`;
export const thisAlertIsNoLonger = 'This alert is no longer in the inbox';
export const couldNotDoThat = 'Could not do that';
export const customerIsUnknown = 'There is no customer of this name any more.';
export const updateAvailable = 'Update Available';
export const versionCanBeDownloaded = (version: string) => `Version ${version} can be downloaded.`;
export const download = 'Download';
export const updateDownloaded = 'Update Downloaded';
export const chooseRestartToInstall = (version: string) => `Choose Restart to install version ${version}.`;
export const restart = 'Restart';
export const updateError = 'Update Error';
export const failedToCheckForUpdates = 'Failed to check for updates';

export const globalShortcut = 'Global shortcut';
export const pressKeys = 'Press keys…';
export const off = 'Off';
export const change = 'Change';

export const softwareUpdates = 'Software Updates';
export const restartAndInstall = 'Restart and install';
export const checkForUpdates = 'Check for updates';
export const notCheckedYet = 'Not checked yet';
export const checkingForUpdates = 'Checking for updates…';
export const versionIsAvailable = (version: string) => `Version ${version} is available`;
export const thisIsLatestVersion = 'This is the latest version';
export const downloadingPercent = (percent: number) => `Downloading… ${percent}%`;
export const versionIsReadyToInstall = (version: string) => `Version ${version} is ready to install`;
