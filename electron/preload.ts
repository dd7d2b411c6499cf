import { contextBridge, ipcRenderer } from 'electron';
import type { CallAnswer, CallName, DesktopBridge } from './contract.ts';

const call = <C extends CallName>(name: C, argument?: unknown): Promise<CallAnswer<C>> =>
  ipcRenderer.invoke(name, argument) as Promise<CallAnswer<C>>;

/** Each call and event by its own name: pages cannot reach any other channel, and no event object of Electron's. */
const bridge = {
  getFacts: () => call('getFacts'),
  consumeAboutRequest: () => call('consumeAboutRequest'),
  reportTheme: (theme) => call('reportTheme', theme),
  isWindowShown: () => call('isWindowShown'),
  quitApp: () => call('quitApp'),
  reportAttention: (attention) => call('reportAttention', attention),
  flash: () => call('flash'),
  showNotification: (notification) => call('showNotification', notification),
  closeNotifications: (tags) => call('closeNotifications', tags),
  getNotificationState: () => call('getNotificationState'),
  openNotificationSettings: () => call('openNotificationSettings'),
  getPreferences: () => call('getPreferences'),
  changePreferences: (change) => call('changePreferences', change),
  getUpdateState: () => call('getUpdateState'),
  checkForUpdates: () => call('checkForUpdates'),
  downloadUpdate: () => call('downloadUpdate'),
  restartAndInstall: () => call('restartAndInstall'),
  setUpdateChannel: (channel) => call('setUpdateChannel', channel),
  copyLogPath: () => call('copyLogPath'),
  openLogFolder: () => call('openLogFolder'),
  openDevTools: () => call('openDevTools'),
  getServerState: () => call('getServerState'),
  changeServer: () => call('changeServer'),
  chooseServer: (choice) => call('chooseServer', choice),
  forgetServer: (choice) => call('forgetServer', choice),
  keepServer: () => call('keepServer'),
  retryServer: () => call('retryServer'),
  shareServer: (isShared) => call('shareServer', isShared),
  on(event, listener) {
    if (!EVENTS.has(event)) throw new Error('There is no such event.');
    const receive = (_: unknown, payload: unknown): void => (listener as (payload: unknown) => void)(payload);
    ipcRenderer.on(event, receive);
    return () => void ipcRenderer.off(event, receive);
  },
} satisfies DesktopBridge;

/** Names here rather than the contract's schemas: the script that every page runs first stays small. */
const EVENTS: ReadonlySet<string> = new Set(
  Object.keys({
    goTo: true,
    toggleSidebar: true,
    showAbout: true,
    signIn: true,
    notificationAction: true,
    notificationState: true,
    preferences: true,
    updateState: true,
    serverState: true,
    windowShown: true,
  } satisfies Record<Parameters<DesktopBridge['on']>[0], true>),
);

contextBridge.exposeInMainWorld('alertdesk', bridge);
