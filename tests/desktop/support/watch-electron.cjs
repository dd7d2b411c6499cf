// Runs in real Electron's main process before the app: notes what people would see and specs cannot ask for.
const { BrowserWindow, Menu, Notification, Tray, app, clipboard, globalShortcut, shell } = require('electron');

const seen = {
  notifications: [],
  openedOutside: [],
  overlay: undefined,
  isFlashing: false,
  tray: undefined,
  shortcuts: {},
};
globalThis.seenBySpecs = seen;

/** Lets `note` see each call of a method; `instead` keeps the call from the system. */
function watch(owner, method, note, instead) {
  const original = owner[method];
  owner[method] = function watched(...args) {
    note.apply(this, args);
    return instead ? instead.apply(this, args) : original.apply(this, args);
  };
}

watch(BrowserWindow.prototype, 'flashFrame', (isFlashing) => {
  seen.isFlashing = isFlashing;
});
watch(BrowserWindow.prototype, 'setOverlayIcon', (image, description) => {
  const sideAt = (scale) => Math.sqrt(image.toBitmap({ scaleFactor: scale }).length / 4);
  seen.overlay = image
    ? { description, sizes: Object.fromEntries(image.getScaleFactors().map((scale) => [scale, sideAt(scale)])) }
    : undefined;
});
watch(Tray.prototype, 'setToolTip', function note(tip) {
  seen.tray = { ...seen.tray, tip };
});
watch(Tray.prototype, 'setContextMenu', (menu) => {
  seen.tray = { ...seen.tray, menu };
});
watch(
  Notification.prototype,
  'show',
  function note() {
    seen.notifications.push(this);
  },
  function instead() {
    this.emit('show', {});
  },
);
watch(Notification.prototype, 'close', function note() {
  seen.notifications = seen.notifications.filter((one) => one !== this);
});
watch(
  shell,
  'openExternal',
  (url) => seen.openedOutside.push(url),
  async () => undefined,
);
watch(globalShortcut, 'register', (accelerator, callback) => {
  seen.shortcuts[accelerator] = callback;
});

/** The entries of a menu by their paths. */
function entriesOf(menu, above = []) {
  return menu.items.flatMap((item) => {
    if (item.type === 'separator') return [];
    const path = [...above, item.label.replace('&', '')];
    return [{ path: path.join(' › '), item }, ...(item.submenu ? entriesOf(item.submenu, path) : [])];
  });
}

/** What specs ask for, by name. */
globalThis.askedBySpecs = {
  trayMenu: () => (seen.tray?.menu ? entriesOf(seen.tray.menu).map(({ path }) => path) : []),
  chooseInTray: (path) =>
    entriesOf(seen.tray.menu)
      .find((entry) => entry.path === path)
      .item.click(),
  pressKeys: (accelerator) =>
    entriesOf(Menu.getApplicationMenu())
      .find(({ item }) => item.accelerator === accelerator)
      .item.click(),
  pressGlobalKeys: (accelerator) => seen.shortcuts[accelerator](),
  notifications: () =>
    seen.notifications.map(({ title, body, actions }) => ({ title, body, buttons: actions.map(({ text }) => text) })),
  useNotification: ({ title, button }) => {
    const found = seen.notifications.findLast((one) => one.title === title);
    if (button === undefined) found.emit('click', {});
    else found.emit('action', { actionIndex: found.actions.findIndex(({ text }) => text === button) });
  },
  startAgain: (argv) => app.emit('second-instance', {}, ['alertdesk', ...argv], '', {}),
  clipboard: () => clipboard.readText(),
};
