import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import type { StorageState } from './app-server.ts';
import { BESIDE_THE_APP } from './screen.ts';

/** Contexts of a browser that tests have one after the other, each empty when it is handed out. */
export interface WarmContexts {
  take(state?: StorageState): Promise<BrowserContext>;
  /** Leaves nothing of a test in its context, or closes the context. True when it was one of these. */
  giveBack(context: BrowserContext): Promise<boolean>;
  close(): Promise<void>;
}

/** What cannot be undone, so that a context on which it was called is not handed out again. */
const LASTING = ['addInitScript', 'exposeBinding', 'exposeFunction', 'route', 'routeWebSocket', 'setOffline'] as const;
const LASTING_OF_CLOCK = ['install', 'setFixedTime', 'setSystemTime'] as const;

/**
 * What a page would be likely to ask for next is in the context's cache after its first page, so later ones do not have
 * it fetched ahead.
 */
const NOTHING_AHEAD = `{
  const rel = Object.getOwnPropertyDescriptor(HTMLLinkElement.prototype, 'rel');
  Object.defineProperty(HTMLLinkElement.prototype, 'rel', {
    ...rel,
    set(value) { rel.set.call(this, value === 'prefetch' ? '' : value); },
  });
}`;

/** A page that stays, and with it the process that has the app's scripts compiled. */
interface Warm {
  keeper: Page;
  isSpoiled: boolean;
  /** Whose pages were open, so that something of theirs may be stored. */
  origins: Set<string>;
}

/**
 * A new context has a process and a cache of its own, so that its page starts a process, fetches the app and compiles it,
 * which takes more processor time than most tests do. These keep all three between tests. The browser has to have one
 * process for each site (`--process-per-site`).
 *
 * @param origin of the pages that stay; a page of it that loads nothing is opened in each context
 * @param options of the contexts
 * @param open opens that page
 */
export function createWarmContexts(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
  open = async (page: Page): Promise<unknown> => page.goto(BESIDE_THE_APP),
): WarmContexts {
  const contexts = new Map<BrowserContext, Warm>();
  const idle: BrowserContext[] = [];

  async function create(): Promise<BrowserContext> {
    const context = await browser.newContext({ baseURL: origin, ...options });
    await context.addInitScript(NOTHING_AHEAD);
    const warm: Warm = { keeper: await context.newPage(), isSpoiled: false, origins: new Set([origin]) };
    await open(warm.keeper);
    const spoil = () => (warm.isSpoiled = true);
    // The pages of a site have one process.
    warm.keeper.on('crash', spoil);
    context.on('page', (page) =>
      page.on('framenavigated', (frame) => void warm.origins.add(new URL(frame.url()).origin)),
    );
    noteCalls(context, LASTING, spoil);
    noteCalls(context.clock, LASTING_OF_CLOCK, spoil);
    contexts.set(context, warm);
    return context;
  }

  return {
    async take(state) {
      const context = idle.pop() ?? (await create());
      if (state) await context.addCookies(state.cookies);
      return context;
    },
    async giveBack(context) {
      const warm = contexts.get(context);
      if (!warm) return false;
      if (warm.isSpoiled) {
        contexts.delete(context);
        await context.close();
        return true;
      }
      const pages = context.pages().filter((page) => page !== warm.keeper);
      await Promise.all(pages.map((page) => page.close()));
      await Promise.all([context.clearCookies(), context.clearPermissions(), clearStorage(warm)]);
      idle.push(context);
      return true;
    },
    async close() {
      await Promise.all([...contexts.keys()].map((context) => context.close()));
    },
  };
}

/** Has `note` be called with each call of these methods. */
function noteCalls<T extends object>(target: T, names: readonly (keyof T)[], note: () => void): void {
  for (const name of names) {
    const original = target[name] as (...args: unknown[]) => unknown;
    Object.defineProperty(target, name, {
      value: (...args: unknown[]) => {
        note();
        return original.apply(target, args);
      },
    });
  }
}

async function clearStorage({ keeper, origins }: Warm): Promise<void> {
  const session = await keeper.context().newCDPSession(keeper);
  for (const origin of origins) await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
  await session.detach();
}
