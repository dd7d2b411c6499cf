import { z } from 'zod';
import {
  attentionSchema,
  desktopFactsSchema,
  notificationActionSchema,
  notificationSchema,
  notificationStateSchema,
  notificationTagsSchema,
  preferenceChangeSchema,
  preferencesSchema,
  themeSchema,
  updateChannelSchema,
  updateStateSchema,
} from './contract/desktop.ts';
import { serverChoiceSchema, serverStateSchema } from './contract/server-choice.ts';

/**
 * The bridge between a page and the main process: one typed map per direction.
 *
 * A call is answered by the main process, which first checks who asks (`ipc.ts`) and that the argument fits. An event is sent to
 * the page. Pages import the types from here, never the schemas.
 */

/** Whose page may call: the web app of the chosen server, or the app's own page about the server. */
export type Caller = 'web-app' | 'server-page';

/** Says who may make a call, with what, and what comes back. */
const call = <A extends z.ZodType, R extends z.ZodType>(from: readonly Caller[], argument: A, answer: R) => ({
  from,
  argument,
  answer,
});

const WEB_APP: readonly Caller[] = ['web-app'];
const SERVER_PAGE: readonly Caller[] = ['server-page'];
const BOTH: readonly Caller[] = ['web-app', 'server-page'];
const NOTHING = z.undefined();
const DONE = z.void();

/** What a page can ask of the main process. The names are the IPC channels. */
export const bridgeCalls = {
  /** Version, platform, where the logs are: for About. */
  getFacts: call(BOTH, NOTHING, desktopFactsSchema),
  /** True once after About was asked for, in the tray or the menu: whichever page there is by then shows it. */
  consumeAboutRequest: call(BOTH, NOTHING, z.boolean()),
  reportTheme: call(WEB_APP, themeSchema, DONE),
  /** Whether the window is neither in the tray nor minimized: a page of the app always counts as visible. */
  isWindowShown: call(WEB_APP, NOTHING, z.boolean()),
  quitApp: call(SERVER_PAGE, NOTHING, DONE),
  /** How many alerts wait and whether live events arrive: for badge and tray. */
  reportAttention: call(WEB_APP, attentionSchema, DONE),
  /** The page announced something while nobody looked: the taskbar button flashes, except during a pause. */
  flash: call(WEB_APP, NOTHING, DONE),

  /**
   * Shows a native notification; the page has decided that it should (`backend/contract/announcement.ts`). Answers whether the
   * system took it.
   */
  showNotification: call(WEB_APP, notificationSchema, z.boolean()),
  /** The alerts were dealt with, or nobody is signed in any more. */
  closeNotifications: call(WEB_APP, notificationTagsSchema, DONE),
  getNotificationState: call(WEB_APP, NOTHING, notificationStateSchema),
  /** Opens the system's own settings of notifications, where they can be allowed again. */
  openNotificationSettings: call(WEB_APP, NOTHING, DONE),

  getPreferences: call(BOTH, NOTHING, preferencesSchema),
  changePreferences: call(WEB_APP, preferenceChangeSchema, preferencesSchema),

  getUpdateState: call(BOTH, NOTHING, updateStateSchema),
  /** Answers with the state when the check has ended; `updateState` events come meanwhile. */
  checkForUpdates: call(BOTH, NOTHING, updateStateSchema),
  downloadUpdate: call(BOTH, NOTHING, updateStateSchema),
  /** Stops the embedded server, quits, installs, starts again. */
  restartAndInstall: call(BOTH, NOTHING, DONE),
  setUpdateChannel: call(WEB_APP, updateChannelSchema, updateStateSchema),

  copyLogPath: call(BOTH, NOTHING, DONE),
  openLogFolder: call(BOTH, NOTHING, DONE),
  openDevTools: call(BOTH, NOTHING, DONE),

  /** Which server the window shows, and how that goes. */
  getServerState: call(BOTH, NOTHING, serverStateSchema),
  /** Shows the app's own page, where another server can be chosen. A server's page cannot choose one by itself. */
  changeServer: call(BOTH, NOTHING, DONE),
  chooseServer: call(SERVER_PAGE, serverChoiceSchema, DONE),
  /** Takes a server off the list of those that were used; not the one in use. */
  forgetServer: call(SERVER_PAGE, serverChoiceSchema, DONE),
  /** Goes back to the server that is in use. */
  keepServer: call(SERVER_PAGE, NOTHING, DONE),
  retryServer: call(SERVER_PAGE, NOTHING, DONE),
  /** "Share on this network": whether the embedded server listens for other machines too. */
  shareServer: call(SERVER_PAGE, z.boolean(), DONE),
};

/** The events that the main process sends to a page. The names are the IPC channels. */
export const bridgeEvents = {
  /** Go to a screen, e.g. `/my-alerts`: a shortcut, the tray, a link to an alert. */
  goTo: z.object({ path: z.string().startsWith('/') }),
  toggleSidebar: NOTHING,
  /** About was asked for: `consumeAboutRequest` says whether it still is. */
  showAbout: NOTHING,
  /** A link ended a sign-in in the system's browser: its code is worth nothing without the secret of the page that began it. */
  signIn: z.object({ code: z.string() }),
  /** Somebody used a notification's button; sent when the page is signed in. */
  notificationAction: notificationActionSchema,
  notificationState: notificationStateSchema,
  preferences: preferencesSchema,
  updateState: updateStateSchema,
  serverState: serverStateSchema,
  windowShown: z.boolean(),
};

export type BridgeCalls = typeof bridgeCalls;
export type CallName = keyof BridgeCalls;
export type CallArgument<C extends CallName> = z.infer<BridgeCalls[C]['argument']>;
export type CallAnswer<C extends CallName> = z.infer<BridgeCalls[C]['answer']>;

export type BridgeEvents = typeof bridgeEvents;
export type EventName = keyof BridgeEvents;
export type EventPayload<E extends EventName> = z.infer<BridgeEvents[E]>;

/** A call as pages make it; one without an argument takes none. */
type CallFunction<C extends CallName> =
  CallArgument<C> extends undefined
    ? () => Promise<CallAnswer<C>>
    : (argument: CallArgument<C>) => Promise<CallAnswer<C>>;

/** What the preload script puts into pages as `window.alertdesk`: each call by its name, and `on` for the events. */
export type DesktopBridge = { readonly [C in CallName]: CallFunction<C> } & {
  /** Listens to an event until the returned function is called. */
  readonly on: <E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void) => () => void;
};

/** The scheme of links that open an alert, `alertdesk://alert/{id}`, or end a sign-in, `alertdesk://sign-in/{code}`. */
export const LINK_SCHEME = 'alertdesk';

/** Where the app's own page lives: a scheme of its own, so that no file path is ever loaded. */
export const LOCAL_SCHEME = 'alertdesk-app';
export const SERVER_PAGE_ORIGIN = `${LOCAL_SCHEME}://server`;
