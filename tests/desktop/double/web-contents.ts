import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { CDPSession, Dialog, Page } from '@playwright/test';
import { decode, encode } from './codec.ts';
import type { DoubleIpcMain } from './ipc-main.ts';
import { BINDING, PRELOAD_WORLD, type PageMessage, pageScript, preloadScript } from './page-scripts.ts';
import { preventable } from './preventable.ts';
import { fromPageUrl, isSchemeUrl, toPageUrl } from './scheme-urls.ts';
import { asSeen, strict } from './strict.ts';
import type { World } from './world.ts';

type Members =
  | 'loadURL'
  | 'getURL'
  | 'getTitle'
  | 'send'
  | 'reload'
  | 'setWindowOpenHandler'
  | 'openDevTools'
  | 'isDestroyed'
  | 'isCrashed'
  | 'executeJavaScript'
  | 'forcefullyCrashRenderer';

/** What Chromium says of a request that waits for a decision. */
interface PausedRequest {
  requestId: string;
  request: { url: string; method: string };
  resourceType: string;
  /** The request that a server has redirected to this one. */
  redirectedRequestId?: string | undefined;
}

/** A page's contents: a real page of Chromium, with the built preload script in a world of its own. */
export class DoubleWebContents extends EventEmitter implements Pick<Electron.WebContents, Members> {
  /** The real page, for tests. */
  readonly page: Promise<Page>;
  readonly mainFrame: Electron.WebFrameMain;
  devToolsOpened = 0;
  reloads = 0;
  #world: World;
  #ipc: DoubleIpcMain;
  /** Of the document that is there: one that is still to come does not count. */
  #url = '';
  #title = '';
  #isDestroyed = false;
  #isCrashed = false;
  /** Navigations that the app itself asked for raise no will-navigate. */
  #asked = new Set<string>();
  #session: CDPSession | undefined;
  #onStay: (() => void) | undefined;
  /** The preload world of the document that is shown. */
  #preloadContext: number | undefined;
  #openHandler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0] = () => ({ action: 'allow' });

  constructor(world: World, ipc: DoubleIpcMain, { preload, ...preferences }: Electron.WebPreferences) {
    super();
    if (preferences.contextIsolation !== true || preferences.sandbox !== true) {
      throw new Error('The double of Electron runs preload scripts isolated and sandboxed only.');
    }
    this.#world = world;
    this.#ipc = ipc;
    const url = () => this.#url;
    this.mainFrame = strict('webFrameMain', {
      get url() {
        return url();
      },
    }) as Electron.WebFrameMain;
    this.page = this.#open(preload === undefined ? '' : readFileSync(preload, 'utf8'));
    this.page.catch((error: unknown) => world.errors.push(error));
  }

  getURL(): string {
    return this.#url;
  }

  getTitle(): string {
    return this.#title;
  }

  isDestroyed(): boolean {
    return this.#isDestroyed;
  }

  isCrashed(): boolean {
    return this.#isCrashed;
  }

  async executeJavaScript(code: string): Promise<unknown> {
    return (await this.page).evaluate(code);
  }

  async loadURL(url: string): Promise<void> {
    this.#alive();
    this.#isCrashed = false;
    const target = toPageUrl(url, this.#world.schemes);
    this.#asked.add(target);
    const page = await this.page;
    await this.#grant(url);
    try {
      await page.goto(target, { waitUntil: 'load' });
      this.emit('did-finish-load', {});
    } catch (error) {
      const code = /net::(ERR_\w+)/.exec(String(error))?.[1] ?? 'ERR_ABORTED';
      throw new Error(`${code} loading '${url}'`, { cause: error });
    }
  }

  reload(): void {
    this.#alive();
    this.reloads += 1;
    this.loadURL(this.#url).catch(() => undefined);
  }

  send(channel: string, ...args: unknown[]): void {
    this.#alive();
    this.#notify('doubleEvents', channel, encode(structuredClone(args)));
  }

  setWindowOpenHandler(handler: Parameters<Electron.WebContents['setWindowOpenHandler']>[0]): void {
    this.#openHandler = handler;
  }

  openDevTools(): void {
    this.devToolsOpened += 1;
  }

  /** The page is gone, as after a crash; its window stays. */
  forcefullyCrashRenderer(): void {
    void this.#crash();
  }

  async #crash(): Promise<void> {
    await (await this.page).goto('about:blank');
    this.#isCrashed = true;
    this.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
  }

  async destroy(): Promise<void> {
    if (this.#isDestroyed) return;
    this.#isDestroyed = true;
    this.emit('destroyed');
    await this.page.then((page) => page.close()).catch(() => undefined);
  }

  /** Unloads the page, as its window does that closes; false when the page prevents it. */
  async unload(): Promise<boolean> {
    const page = await this.page;
    return new Promise((resolve, reject) => {
      if (page.isClosed()) resolve(true);
      page.once('close', () => resolve(true));
      this.#onStay = () => resolve(false);
      page.close({ runBeforeUnload: true }).catch(reject);
    });
  }

  /** A page with something to lose: Electron shows no box, and keeps the page unless a listener prevents that. */
  async #onDialog(dialog: Dialog): Promise<void> {
    if (dialog.type() !== 'beforeunload') return dialog.dismiss();
    const event = preventable({});
    this.emit('will-prevent-unload', event);
    if (event.defaultPrevented) return dialog.accept();
    await dialog.dismiss();
    this.#onStay?.();
  }

  /** Chromium asks nobody here, so permissions are granted beforehand as the app's handlers decide. */
  async #grant(url: string): Promise<void> {
    if (!url.startsWith('http')) return;
    const [asked, looked] = await this.#world.session.permits('notifications', url);
    if (asked && looked) await this.#world.context.grantPermissions(['notifications'], { origin: new URL(url).origin });
  }

  #alive(): void {
    if (this.#isDestroyed) throw new TypeError('Object has been destroyed');
  }

  async #open(preload: string): Promise<Page> {
    const page = await this.#world.context.newPage();
    const session = await this.#world.context.newCDPSession(page);
    this.#session = session;
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId } = context.auxData as { frameId: string };
      if (context.name === PRELOAD_WORLD && frameId === mainFrameId) this.#preloadContext = context.id;
    });
    session.on('Runtime.bindingCalled', ({ executionContextId, payload }) => {
      void this.#receive(JSON.parse(payload) as PageMessage, executionContextId);
    });
    session.on('Fetch.requestPaused', (paused) => void this.#onRequest(session, paused).catch(() => undefined));
    const { frameTree } = await session.send('Page.getFrameTree');
    const mainFrameId = frameTree.frame.id;
    await session.send('Page.enable');
    await session.send('Runtime.enable');
    await session.send('Runtime.addBinding', { name: BINDING, executionContextName: PRELOAD_WORLD });
    await session.send('Page.addScriptToEvaluateOnNewDocument', { source: pageScript });
    await session.send('Page.addScriptToEvaluateOnNewDocument', {
      source: preloadScript(preload),
      worldName: PRELOAD_WORLD,
    });
    await session.send('Fetch.enable', {
      patterns: [{ resourceType: 'Document' }, { urlPattern: 'http://*.scheme.localhost/*' }],
    });
    page.on('framenavigated', (frame) => {
      if (frame === page.mainFrame() && frame.url() !== 'about:blank') this.#url = fromPageUrl(frame.url());
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.id === mainFrameId && frame.url !== 'about:blank')
        this.emit('did-navigate', {}, fromPageUrl(frame.url), 200, 'OK');
    });
    page.on('requestfailed', (request) => {
      if (!request.isNavigationRequest() || request.frame() !== page.mainFrame()) return;
      const code = request.failure()?.errorText.replace('net::', '') ?? 'ERR_FAILED';
      this.emit('did-fail-load', {}, code === 'ERR_ABORTED' ? -3 : -2, code, fromPageUrl(request.url()), true, 0, 0);
    });
    page.on('dialog', (dialog) => void this.#onDialog(dialog).catch(() => undefined));
    page.on('domcontentloaded', () => void this.#readTitle(page));
    await session.send('Page.setLifecycleEventsEnabled', { enabled: true });
    session.on('Page.lifecycleEvent', ({ name, frameId }) => {
      // What stands for a crashed page is not the app's.
      if (name === 'firstContentfulPaint' && frameId === mainFrameId && !this.#isDestroyed)
        this.emit('ready-to-show', {});
    });
    page.on('pageerror', (error) => this.#world.errors.push(error));
    return page;
  }

  async #readTitle(page: Page): Promise<void> {
    this.#title = await page.title().catch(() => '');
  }

  /** Decides of documents and answers for the schemes that the app handles. */
  async #onRequest(
    session: CDPSession,
    { requestId, request, resourceType, redirectedRequestId }: PausedRequest,
  ): Promise<void> {
    const url = fromPageUrl(request.url);
    if (resourceType === 'Document' && !this.#asked.delete(request.url)) {
      const event = preventable({ url, isMainFrame: true, isSameDocument: false, frame: this.mainFrame });
      // Where a server sends a navigation elsewhere is an event of its own, whoever began it.
      this.emit(redirectedRequestId === undefined ? 'will-navigate' : 'will-redirect', event);
      if (event.defaultPrevented) {
        await session.send('Fetch.failRequest', { requestId, errorReason: 'Aborted' });
        return;
      }
    }
    if (!isSchemeUrl(request.url)) {
      await session.send('Fetch.continueRequest', { requestId });
      return;
    }
    const handler = this.#world.schemes.get(new URL(url).protocol.slice(0, -1));
    const answer =
      (await handler?.(new Request(url, { method: request.method }))) ?? new Response(null, { status: 404 });
    await session.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: answer.status,
      responseHeaders: [...answer.headers].map(([name, value]) => ({ name, value })),
      body: Buffer.from(await answer.arrayBuffer()).toString('base64'),
    });
  }

  async #receive(message: PageMessage, contextId: number): Promise<void> {
    if (message.type === 'open') {
      const { action } = this.#openHandler({ url: message.url } as Electron.HandlerDetails);
      if (action === 'allow') throw new Error('The double of Electron opens no second window.');
      return;
    }
    if (message.type === 'send') throw new Error('The double of Electron handles no ipcRenderer.send.');
    const { id, channel, args } = message;
    const event = { sender: asSeen(this), senderFrame: this.mainFrame } as unknown as Electron.IpcMainInvokeEvent;
    const answer = await this.#ipc.invoke(event, channel, decode(args) as unknown[]).then(
      (value) => ({ isError: false, text: encode(structuredClone(value)) }),
      (error: unknown) => ({ isError: true, text: encode(error) }),
    );
    this.#evaluate(contextId, 'doubleAnswers', id, answer.isError, answer.text);
  }

  #notify(name: string, ...args: unknown[]): void {
    if (this.#preloadContext !== undefined) this.#evaluate(this.#preloadContext, name, ...args);
  }

  #evaluate(contextId: number, name: string, ...args: unknown[]): void {
    const expression = `globalThis.${name}?.(${args.map((arg) => JSON.stringify(arg)).join(', ')})`;
    // A document that is gone meanwhile receives nothing.
    this.#session?.send('Runtime.evaluate', { expression, contextId }).catch(() => undefined);
  }
}
