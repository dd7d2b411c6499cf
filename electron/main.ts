import { pathOfAlert } from '#backend/contract/alert-news.ts';
import { alertIdOfTag } from '#backend/contract/announcement.ts';
import { join } from 'node:path';
import process from 'node:process';
import { Menu, app, clipboard, nativeTheme, net, powerMonitor, session, shell } from 'electron';
import { NsisUpdater } from 'electron-updater/out/NsisUpdater.js';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { HIDDEN_SWITCH, type Task, isQuitRequest } from './app/app-link.ts';
import { failStart, setupIdentity, setupQuit } from './app/lifecycle.ts';
import { setupLinks } from './app/links.ts';
import { setupCrashDumps } from './app/crash-dumps.ts';
import { readPolicy } from './app/policy.ts';
import { setupPreferences } from './app/preferences.ts';
import { registerLocalScheme, setupServerPage } from './app/server-page.ts';
import { setupBadge } from './badge/badge.ts';
import { createPageAttention } from './badge/page-attention.ts';
import { type EventName, type EventPayload } from './contract.ts';
import type { ServerChoice } from './contract/server-choice.ts';
import { createHandlers } from './handlers.ts';
import { setupIpc, sendToPage } from './ipc.ts';
import { openLogs } from './logs/logs.ts';
import { watchErrors, watchPage } from './logs/watch-errors.ts';
import { setupNotifications } from './notifications/notifications.ts';
import { ONE_HOUR, isPaused } from './notifications/pause.ts';
import { createPendingActions } from './notifications/pending-actions.ts';
import { BUTTON_LABELS } from './notifications/toast.ts';
import { checkServer } from './server/check-server.ts';
import { embeddedEntry } from './server/embedded-options.ts';
import { createEmbeddedServer } from './server/embedded-server.ts';
import { createScreens } from './server/screens.ts';
import { createServerControl } from './server/server-control.ts';
import { serverName } from './server/server-menu.ts';
import { appMenu } from './shortcuts/app-menu.ts';
import { createGlobalShortcut } from './shortcuts/global-shortcut.ts';
import { setupJumpList } from './shortcuts/jump-list.ts';
import { openStore } from './store.ts';
import { setupTray } from './tray/tray.ts';
import { createUpdates, setupUpdateChecks } from './updates/updates.ts';
import { createSignatureCheck } from './updates/verify-update.ts';
import { guardSession, setupContentGuards } from './window/guard-contents.ts';
import { createMainWindow } from './window/main-window.ts';

try {
  registerLocalScheme();
  setupIdentity();
  // A second start shows the window of the first and ends: before anything touches the data.
  if (app.requestSingleInstanceLock() && !isQuitRequest(process.argv)) app.whenReady().then(boot).catch(failStart);
  else app.quit();
} catch (error) {
  failStart(error);
}

/** How often is looked where other machines reach this one, in milliseconds. */
const RENEW_ADDRESSES_MS = 60_000;

/** Everything that the app is made of, in the order in which it comes to life. */
function boot(): void {
  const userData = app.getPath('userData');
  const log = openLogs({ folder: join(userData, 'logs'), ...(app.isPackaged ? {} : { echo: toTerminal }) });
  app.once('quit', watchErrors(log, { process, app }));
  app.on('web-contents-created', (_event, contents) => watchPage(contents, log));
  const store = openStore(join(userData, 'desktop.json'), (error) =>
    log.error('settings could not be read or kept', error),
  );
  nativeTheme.themeSource = store.get().theme;
  const policy = readPolicy({
    argv: process.argv,
    platform: process.platform,
    store,
    onInvalid: (value) => log.error('the server that a policy sets is no address', new Error(value)),
    onUnreadable: (error) => log.error('the policies could not be read; what they said last stands', error),
  });
  setupCrashDumps(policy.keepsCrashDumps, log);
  const page = createPageAttention();
  const attention = page.state;

  const embedded = createEmbeddedServer({
    entry: embeddedEntry(__dirname),
    dataDir: join(userData, 'server'),
    store,
    log,
    onOutput: (line) => log.server(line),
    onCrashed: (reason) => server.crashed(reason),
    onRestarted: () => server.restarted(),
    onUpdating: (progress) => server.updating(progress),
  });
  const server = createServerControl({
    embedded,
    store,
    check: (origin) => checkServer(origin, app.getVersion(), (url, options) => net.fetch(url, options)),
    leave: () => window.leave(),
    managed: policy.server,
  });
  const webAppOrigin = () => server.state.get().origin ?? window.shownOrigin();

  const quit = setupQuit({ stopServer: () => server.stop() });
  const guard = {
    webAppOrigin,
    pinnedCertificates: () => store.get().pinnedCertificates,
    onRedirectedAway: () => server.failedToLoad(new Error('ERR_UNSAFE_REDIRECT')),
    log,
  };
  setupContentGuards(guard);
  guardSession(session.defaultSession, guard);
  setupServerPage(join(__dirname, 'server-page'));

  const send = <E extends EventName>(event: E, payload: EventPayload<E>) => sendToPage(contents(), event, payload);
  const window = createMainWindow({
    store,
    log,
    quit,
    onHiddenFirst: () =>
      notifications.notify(`${PRODUCT_NAME} is still running`, 'It stays in the tray. Quit it there.'),
    onLoadFailed: (error) => server.failedToLoad(error),
    onPageBroken: () => server.pageCrashed(),
    onPageGone: page.gone,
    onPageReloaded: page.reloaded,
    webAppOrigin,
    sendGoTo: (path) => send('goTo', { path }),
    homePath: () => (server.state.get().choice?.kind === 'this-computer' ? embedded.homePath() : '/'),
  });
  const contents = () => window.get()?.webContents;
  const { showServer, goTo } = createScreens({
    server,
    window,
    onForbidden: (from) =>
      notifications.notify(
        'Could not open it',
        `It is on ${serverName(from)}, and your organization has set another server.`,
      ),
  });
  // Alerts come to a page of the server alone, and nobody chooses another in the tray.
  window.get()?.on('hide', () => server.resume());

  const actionsOfNotifications = createPendingActions({
    server: server.state,
    attention,
    send: (action) => send('notificationAction', action),
    onDropped: ({ button, tag }, from) =>
      notifications.notify(`${BUTTON_LABELS[button]} was not carried out`, 'Open the alert and try again.', {
        tag,
        path: pathOfAlert(alertIdOfTag(tag)),
        server: from,
      }),
    onSignedOut: () => window.bringUp(),
  });
  const notifications = setupNotifications({
    store,
    log,
    server: () => server.state.get().choice,
    onUse(use, from) {
      // A notification is of the server that was in use then.
      if (!('path' in use)) void actionsOfNotifications.add(use, from, showServer(from));
      else if (use.path === null) window.bringUp();
      else goTo(use.path, from);
    },
  });
  const preferences = setupPreferences(
    store,
    createGlobalShortcut(() => window.bringUp()),
    log,
  );
  const updates = createUpdates({
    updater: new NsisUpdater(),
    channel: store.get().updateChannel,
    onChannel: (updateChannel) => store.change({ updateChannel }),
    verifySignature: createSignatureCheck(log),
    stopServer: () => server.stop(),
    leave: () => window.leave(),
    comeBack: () => window.follow(server.state.get()),
    log,
  });
  const logs = {
    path: log.path,
    copyPath: () => clipboard.writeText(log.path),
    openFolder: async () => void (await shell.openPath(log.folder)),
  };

  const changeServer = () => {
    window.bringUp();
    void server.askAgain();
  };
  let isAboutWanted = false;
  const consumeAboutRequest = () => {
    const wasWanted = isAboutWanted;
    isAboutWanted = false;
    return wasWanted;
  };
  const showAbout = () => {
    isAboutWanted = true;
    window.bringUp();
    send('showAbout', undefined);
  };
  const actions = {
    open: () => window.bringUp(),
    goTo,
    pause: notifications.pause,
    resume: notifications.resume,
    setStartWithSystem: (startWithSystem: boolean) => void preferences.change({ startWithSystem }),
    changeServer,
    switchServer: (choice: ServerChoice) => {
      window.bringUp();
      // A click has marked the other server, whether it is chosen or not.
      void server.choose(choice).then((isChosen) => isChosen || refreshMenus());
    },
    checkForUpdates: () => {
      showAbout();
      void updates.check();
    },
    // Else the page would reload into its own words for being offline.
    refresh: () => void server.isReachable().then((isReachable) => isReachable && window.get()?.webContents.reload()),
    toggleSidebar: () => send('toggleSidebar', undefined),
    openLogFolder: () => void logs.openFolder(),
    showAbout,
    quit: () => app.quit(),
  };

  const tasks: Record<Task, () => void> = {
    'new-alerts': () => goTo('/'),
    'my-alerts': () => goTo('/my-alerts'),
    pause: () => notifications.pause(ONE_HOUR),
    resume: () => notifications.resume(),
    quit: () => app.quit(),
  };

  const { flash } = setupBadge({ attention, notifications: notifications.state, window: window.get() });
  setupIpc(
    createHandlers({
      onAttention(reported) {
        window.setListening(reported.connection !== 'signed-out');
        page.report(reported);
        if (reported.hasEnded && window.get()?.isFocused() === false)
          notifications.notify('You are signed out', 'Sign in again to receive alerts.');
      },
      flash,
      notifications,
      preferences: preferences.state,
      changePreferences: preferences.change,
      updates,
      logs,
      server,
      window: window.get,
      isWindowShown: window.shown.get,
      consumeAboutRequest,
      useTheme(theme) {
        store.change({ theme });
        nativeTheme.themeSource = theme;
      },
    }),
    { contents, webAppOrigin, onRefused: (call, why) => log.warn('a call was refused', { call, why }) },
  );
  const refreshTray = setupTray(
    () => ({
      attention: attention.get(),
      server: server.state.get(),
      isPaused: isPaused(notifications.state.get().pausedUntil, new Date()),
      startsWithSystem: preferences.state.get().startWithSystem,
    }),
    actions,
  );
  const refreshAppMenu = () => Menu.setApplicationMenu(Menu.buildFromTemplate(appMenu(server.state.get(), actions)));
  const refreshMenus = () => {
    refreshTray();
    refreshAppMenu();
  };
  for (const state of [attention, server.state, notifications.state, preferences.state]) state.subscribe(refreshTray);
  notifications.state.subscribe((state) => send('notificationState', state));
  preferences.state.subscribe((state) => send('preferences', state));
  updates.state.subscribe((state) => send('updateState', state));
  window.shown.subscribe((isShown) => send('windowShown', isShown));
  // A laptop comes to another network in its sleep, or later.
  powerMonitor.on('resume', server.renewAddresses);
  window.shown.subscribe(server.renewAddresses);
  setInterval(server.renewAddresses, RENEW_ADDRESSES_MS);
  server.state.subscribe((state) => {
    // What the last page reported does not hold for the next.
    if (state.phase !== 'connected') page.gone();
    window.follow(state);
    refreshAppMenu();
    send('serverState', state);
  });

  setupJumpList(notifications.state);
  setupLinks({
    onAlert: (alertId) => goTo(pathOfAlert(alertId)),
    onSignIn: (code) => {
      window.bringUp();
      send('signIn', { code });
    },
    onTask: (task) => tasks[task](),
    onSecondStart: () => window.bringUp(),
    leaveToNext: quit.leaveToNext,
  });
  if (!process.argv.includes(HIDDEN_SWITCH)) window.bringUp();
  void server.start();
  setupUpdateChecks(updates);
}

/** In development the log is seen where the app was started. */
const toTerminal = (line: string): void => void process.stderr.write(`${line}\n`);
