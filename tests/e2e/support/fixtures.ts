import { type BrowserContext, type BrowserContextOptions, type Page, test as base, expect } from '@playwright/test';
import { keepScreens } from '#tests/support/keep-screens.ts';
import { ADMIN } from '#tests/support/server-process.ts';
import type { Person } from './accounts.ts';
import { type AppServer, type StorageState, startAppServer, storageStateOf } from './app-server.ts';
import { type WarmContexts, createWarmContexts } from './warm-contexts.ts';

export { expect };

/** The first administrator, as the web app names them. */
export const ADMINISTRATOR: Person = { ...ADMIN, displayName: 'Administrator' };

/** What a browser differs in from others, and the server that it asks. */
type OpenOptions = BrowserContextOptions & { app?: AppServer; storageState?: StorageState };

interface WorkerFixtures {
  /** More variables for the worker's server. */
  environment: Record<string, string>;
  /** A server of this worker's own, as `npm start` runs it. */
  app: AppServer;
  /** Contexts in which the worker's server was open before. */
  warmContexts: WarmContexts;
}

interface TestFixtures {
  /** Whether pages may begin with what an earlier test had the browser fetch. Without it every page is a first visit. */
  warm: boolean;
  /** Whether things move as by default. Elsewhere pages reduce motion: each frame is drawn, which takes a sixth of a test. */
  moving: boolean;
  /** Every test begins with an empty inbox. */
  emptied: void;
  /** A member with no alerts yet, beside the administrator. */
  mara: Person;
  /** Opens a browser of its own in which the person is signed in, at a path; on another server when given. */
  openAs: (person: Person, path?: string, options?: OpenOptions) => Promise<Page>;
  /** Opens a browser of its own in which nobody is signed in. An error in it fails the test at its end. */
  open: (path: string, options?: Omit<OpenOptions, 'app'> & { app?: Pick<AppServer, 'url'> }) => Promise<Page>;
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  environment: [{}, { option: true, scope: 'worker' }],

  app: [
    async ({ environment }, use) => {
      const app = await startAppServer(environment);
      await use(app);
      await app.dispose();
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  warmContexts: [
    async ({ browser, app }, use) => {
      const contexts = createWarmContexts(browser, app.url.origin);
      await use(contexts);
      await contexts.close();
    },
    { scope: 'worker' },
  ],

  // A service worker outlives the pages that registered it.
  warm: [async ({ serviceWorkers }, use) => use(serviceWorkers === 'block'), { option: true }],

  moving: [false, { option: true }],

  emptied: [
    async ({ app }, use) => {
      await app.clear();
      await use();
    },
    { auto: true },
  ],

  mara: async ({ app }, use) => use(await app.addMember('Mara Lindqvist')),

  open: async ({ browser, app, warm, warmContexts, moving }, use, testInfo) => {
    // What browsers complained of: a broken security policy, uncaught errors.
    const complaints: string[] = [];
    const contexts: BrowserContext[] = [];
    const reducedMotion = moving ? 'no-preference' : 'reduce';
    await use(async (path, { app: server = app, ...options } = {}) => {
      const { storageState, viewport, colorScheme, forcedColors, ...special } = options;
      const isWarm = warm && server === app && Object.keys(special).length === 0;
      const context = isWarm
        ? await warmContexts.take(storageState)
        : await browser.newContext({ baseURL: server.url.origin, reducedMotion, ...options });
      contexts.push(context);
      const page = await context.newPage();
      if (isWarm && viewport) await page.setViewportSize(viewport);
      if (isWarm)
        await page.emulateMedia({
          reducedMotion,
          ...(colorScheme && { colorScheme }),
          ...(forcedColors && { forcedColors }),
        });
      listen(page, complaints);
      await page.goto(path);
      return page;
    });
    await keepScreens(contexts, testInfo);
    await Promise.all(
      contexts.map(async (context) => {
        if (!(await warmContexts.giveBack(context))) await context.close();
      }),
    );
    expect(complaints).toEqual([]);
  },

  openAs: async ({ open, app }, use) => {
    await use(async (person, path = '/', options = {}) => {
      const server = options.app ?? app;
      return open(path, { ...options, storageState: storageStateOf(server.url, await server.signIn(person)) });
    });
  },
});

function listen(page: Page, complaints: string[]): void {
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to|Trusted ?(?:Types|HTML|Script)|Permissions-Policy/i.test(message.text()))
      complaints.push(message.text());
  });
}
