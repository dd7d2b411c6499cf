import type { Page } from '@playwright/test';
import { uuidv7 } from 'uuidv7';
import * as z from 'zod/mini';
import { type AccountLinkKind, newAccountLinkSchema } from '#backend/contract/account-link.ts';
import { groupSchema } from '#backend/contract/ladder.ts';
import { destinationWithSecretSchema, outgoingRuleSchema } from '#backend/contract/outgoing.ts';
import { userSchema } from '#backend/contract/user.ts';
import { viewSchema } from '#backend/contract/view.ts';
import type { Latency, LatencyFigures } from '#backend/contract/latency.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import type { AppServer } from './support/app-server.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { queueOf } from './support/queue.ts';
import { BESIDE_THE_APP, accountButton, connected, goWithin } from './support/screen.ts';
import { clearSources, makeHeartbeat, makeSource, send } from './support/sources.ts';

/** A screen: its address, and a text that is there once it is. */
interface Screen {
  path: string;
  shows: string;
}

/** Wide, a tablet, a phone. */
const WIDTHS = [1440, 768, 360];

/** The name of a view. */
const VIEW = 'Late answers';

const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Sidebar' });

/** Pages below Outgoing, beside its first one. */
type OutgoingScreen = `outgoing${'Rules' | 'Rule' | 'Destination' | 'Group' | 'Calendars'}`;

/** Has a destination, a rule and a group, and gives their ids. */
async function fillOutgoing({ admin }: AppServer): Promise<Record<'destination' | 'rule' | 'group', string>> {
  const make = async (kind: string, body: unknown): Promise<unknown> =>
    (await admin.request('POST', `/api/outgoing/${kind}`, body)).json();
  const url = 'https://hooks.example.com/in';
  const { destination } = destinationWithSecretSchema.parse(
    await make('destinations', { kind: 'webhook', name: 'War room', url }),
  );
  const group = groupSchema.parse(await make('groups', { name: 'Night', memberIds: [] }));
  const rule = outgoingRuleSchema.parse(
    await make('rules', {
      name: 'Harbor to all',
      search: 'customer:"Harbor & Finch"',
      events: ['escalated'],
      destinationIds: [destination.id],
      ladder: null,
    }),
  );
  return { destination: destination.id, rule: rule.id, group: group.id };
}

/** Has something on every screen, and says where each is. A path without a screen here does not compile. */
async function fill(
  app: AppServer,
): Promise<Record<keyof typeof PATHS | 'nowhere' | 'source' | OutgoingScreen, Screen>> {
  await clearSources(app);
  const source = await makeSource(app, 'Harbor monitoring');
  await send(app, source.key, { title: 'Disk full on db-7', customer: 'Harbor & Finch', severity: 'critical' });
  await app.post({ title: 'Checkout answers late', customer: 'Nordwind', severity: 'warning' });
  const queue = await queueOf(app, ADMINISTRATOR);
  const mine = await queue.accept({ title: 'Card issuer declined', customer: 'Kestrel Freight' });
  const folder = await queue.folder('Card problems', { color: 'green' });
  await queue.file(await queue.accept({ title: 'Card reader offline', customer: 'Atlas' }), folder);
  const snoozed = await app.post({ title: 'Certificate ends soon', customer: 'Lumen' });
  await app.admin.request('POST', `/api/alerts/${snoozed}/snooze`, { minutes: 600 });
  await makeHeartbeat(app, 'Nightly backup');
  const made = await app.admin.request('POST', '/api/views', { name: VIEW, list: 'inbox', search: 'late' });
  const view = viewSchema.parse(await made.json());
  const outgoing = await fillOutgoing(app);
  return {
    inbox: { path: PATHS.inbox, shows: 'Disk full on db-7' },
    myAlerts: { path: PATHS.myAlerts, shows: 'Card issuer declined' },
    snoozed: { path: PATHS.snoozed, shows: 'Certificate ends soon' },
    insight: { path: PATHS.insight, shows: 'Arrivals per day' },
    folder: { path: PATHS.folder.replace(':id', folder), shows: 'Card reader offline' },
    allFolders: { path: PATHS.allFolders, shows: 'Card reader offline' },
    view: { path: PATHS.view.replace(':id', view.id), shows: 'Checkout answers late' },
    alert: { path: PATHS.alert.replace(':id', mine), shows: 'Card issuer declined' },
    settings: { path: PATHS.settings, shows: 'Settings' },
    account: { path: PATHS.account, shows: 'Change Password' },
    admin: { path: PATHS.admin, shows: 'Webhook Endpoint' },
    users: { path: PATHS.users, shows: 'total users' },
    allAlerts: { path: PATHS.allAlerts, shows: 'Disk full on db-7' },
    webhookEndpoint: { path: PATHS.webhookEndpoint, shows: 'curl' },
    apiKeys: { path: PATHS.apiKeys, shows: 'End-to-end tests' },
    serviceTokens: { path: PATHS.serviceTokens, shows: 'Service' },
    audit: { path: PATHS.audit, shows: 'Harbor monitoring' },
    sources: { path: PATHS.sources, shows: 'Harbor monitoring' },
    source: { path: `${PATHS.sources}/${source.id}/settings`, shows: 'Harbor monitoring' },
    outgoing: { path: `${PATHS.outgoing}/destinations`, shows: 'War room' },
    outgoingRules: { path: `${PATHS.outgoing}/rules`, shows: 'Harbor to all' },
    outgoingRule: { path: `${PATHS.outgoing}/rules/${outgoing.rule}`, shows: 'in the busiest hour' },
    outgoingDestination: { path: `${PATHS.outgoing}/destinations/${outgoing.destination}`, shows: 'What people see' },
    outgoingGroup: { path: `${PATHS.outgoing}/groups/${outgoing.group}`, shows: 'Night' },
    outgoingCalendars: { path: `${PATHS.outgoing}/calendars`, shows: 'No calendars yet' },
    incomingRules: { path: PATHS.incomingRules, shows: 'No rules yet' },
    maintenance: { path: PATHS.maintenance, shows: 'No maintenance windows yet' },
    heartbeats: { path: PATHS.heartbeats, shows: 'Nightly backup' },
    nowhere: { path: '/nowhere', shows: 'Page Not Found' },
    login: { path: PATHS.login, shows: 'Sign In' },
    join: { path: await linkFor(app, 'invitation'), shows: 'Join' },
    resetPassword: { path: await linkFor(app, 'reset'), shows: 'password' },
  };
}

/** Makes a link for somebody, and returns its path. */
async function linkFor(app: AppServer, kind: AccountLinkKind): Promise<string> {
  const call = async (path: string, body: unknown): Promise<string> => {
    const made = await app.admin.request('POST', path, body);
    return newAccountLinkSchema.parse(await made.json()).path;
  };
  if (kind === 'invitation')
    return call('/api/auth/invitations', { email: `${uuidv7()}@example.com`, displayName: 'New Comer' });
  const { email } = await app.addMember('Jonas Weber');
  const users = z.array(userSchema).parse(await (await app.admin.request('GET', '/api/auth/users')).json());
  const id = users.find((user) => user.email === email)?.id;
  return call(`/api/auth/users/${id}/reset-link`, {});
}

const SIGNED_OUT = ['login', 'join', 'resetPassword'] as const;
const isSignedOut = (name: string): boolean => SIGNED_OUT.some((other) => other === name);

/** Every element that takes room, a line each, with its place in whole pixels. As one text: that is handed over quickest. */
const BOXES = `[...document.querySelectorAll('#root *:not(svg *)')].flatMap((element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  if (width === 0 || height === 0) return [];
  const name = element.localName + [...element.classList].map((part) => '.' + part).join('');
  return [[name, ...[x, y, width, height].map(Math.round)].join(' ')];
}).join('\\n')`;

type Theme = 'light' | 'dark';

/** One theme and the other. */
const THEMES: readonly [Theme, Theme] = ['light', 'dark'];

const shapeOf = (width: number, theme: Theme): string => `at ${width} px, ${theme}`;

/** Gives the page each width and theme in turn, with as few changes as can be, and calls `look` with the name of what it has. */
async function inEveryShape(page: Page, look: (shape: string, isNewWidth: boolean) => Promise<void>): Promise<void> {
  let themes: readonly Theme[] = THEMES;
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      await look(shapeOf(width, theme), theme === themes[0]);
    }
    themes = themes.toReversed();
  }
}

/** How often a page is looked at, in milliseconds. */
const OFTEN = 50;

/** How many looks in a row find the same where nothing moves any more: after a width, which scripts follow, or a theme. */
const STEADY_LOOKS = { width: 3, theme: 1 };

/** The boxes of a page once nothing moves on it. Looked at in the page itself, which takes a fraction of asking it each time. */
const steadyBoxes = (steadyLooks: number): string => `new Promise((resolve) => {
  let boxes = '';
  let looks = 0;
  const look = () => {
    const before = boxes;
    boxes = ${BOXES};
    looks = boxes !== '' && boxes === before ? looks + 1 : 0;
    if (looks === ${steadyLooks}) resolve(boxes);
    else setTimeout(() => requestAnimationFrame(look), ${OFTEN});
  };
  requestAnimationFrame(look);
})`;

/** Where everything is on the screens that are opened in pages of their own, by screen and shape. */
class Cold {
  readonly #boxes = new Map<string, string>();

  /** Takes down what the page shows, once that stays as it is. */
  async takeDown(page: Page, name: string): Promise<void> {
    await page.setViewportSize({ width: 1440, height: 900 });
    // The sidebar gets its views last.
    if ((await sidebar(page).count()) > 0) await expect(sidebar(page).getByText(VIEW)).toBeVisible();
    await page.waitForLoadState('networkidle');
    await inEveryShape(page, async (shape, isNewWidth) => {
      const boxes = steadyBoxes(STEADY_LOOKS[isNewWidth ? 'width' : 'theme']);
      this.#boxes.set(`${name} ${shape}`, await page.evaluate<string>(boxes));
    });
  }

  /** Expects the page, which has this theme, to show the same at each width. */
  async compare(page: Page, name: string, theme: Theme): Promise<void> {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const shape = shapeOf(width, theme);
      await expect
        .poll(() => page.evaluate<string>(BOXES), { intervals: [OFTEN], message: `${name} ${shape}` })
        .toBe(this.#boxes.get(`${name} ${shape}`));
    }
  }
}

async function goTo(page: Page, { path, shows }: Screen): Promise<void> {
  await goWithin(page, path);
  await expect(page.locator('#root').getByText(shows).first()).toBeAttached();
}

const FIGURES: LatencyFigures = { samples: 3, medianMs: 12, p95Ms: 20, p99Ms: 31 };
const LATENCY: Latency = { minutes: 5, servers: 1, delivered: FIGURES, shown: FIGURES };

test('every screen looks after all others as it does when it is opened first', async ({ app, open, openAs }) => {
  // Hundreds of looks at whole pages: three minutes on a quiet machine.
  test.setTimeout(1_200_000);
  const screens = Object.entries(await fill(app));
  const signedIn = screens.filter(([name]) => !isSignedOut(name));
  const signedOut = screens.filter(([name]) => isSignedOut(name));
  const now = new Date();
  /**
   * A page in which no time passes: "2 minutes ago" stays as wide as it is. Rows out of sight have their own height and not
   * one that is estimated until they have been in sight. What Insight says comes per hour gets less with each minute of the
   * server's clock, so its text has a width of its own. The figures of the last minutes are gone after so many.
   */
  const stopped = async (page: Page): Promise<Page> => {
    await page.clock.setFixedTime(now);
    await page.addInitScript((latency) => {
      // Not by a route, which has the browser fetch and compile every file again for each screen.
      const ask = globalThis.fetch;
      globalThis.fetch = async (input, init) => (input === '/api/latency' ? Response.json(latency) : ask(input, init));
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(`
        * { content-visibility: visible !important; }
        .charts__hoursLegend > :last-child { inline-size: 80px; }
      `);
      document.adoptedStyleSheets.push(sheet);
    }, LATENCY);
    return page;
  };
  // All from the beginning: My account lists the sessions.
  const pages = {
    cold: await stopped(await openAs(ADMINISTRATOR)),
    there: await stopped(await openAs(ADMINISTRATOR)),
    back: await stopped(await openAs(ADMINISTRATOR)),
  };
  const stranger = await stopped(await open(PATHS.login));

  const cold = new Cold();
  for (const [name, { path, shows }] of screens) {
    const page = isSignedOut(name) ? stranger : pages.cold;
    // Else nothing is loaded where only what is behind the number sign is another.
    if (path.includes('#')) await page.goto(BESIDE_THE_APP);
    await page.goto(path);
    await expect(page.locator('#root').getByText(shows).first()).toBeAttached();
    await cold.takeDown(page, name);
  }

  // Styles come with the screens that need them. In both orders those of each screen come after those of each other once.
  // Each width is compared in one theme after the one order, and in the other theme after the other.
  for (const [page, order, theme] of [
    [pages.there, signedIn, 'light'],
    [pages.back, signedIn.toReversed(), 'dark'],
  ] as const) {
    await page.goto(PATHS.admin);
    await connected(page);
    await page.emulateMedia({ colorScheme: theme });
    for (const [, screen] of order) await goTo(page, screen);
    for (const [name, screen] of order) {
      await goTo(page, screen);
      await cold.compare(page, name, theme);
    }
  }

  await pages.there.setViewportSize({ width: 1440, height: 900 });
  await accountButton(pages.there, ADMINISTRATOR).click();
  await pages.there.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(pages.there).toHaveURL(PATHS.login);
  for (const [order, theme] of [
    [signedOut, 'light'],
    [signedOut.toReversed(), 'dark'],
  ] as const) {
    await pages.there.emulateMedia({ colorScheme: theme });
    for (const [name, screen] of order) {
      await goTo(pages.there, screen);
      await cold.compare(pages.there, name, theme);
    }
  }
});
