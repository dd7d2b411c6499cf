import type { Locator, Page } from '@playwright/test';
import { uuidv7 } from 'uuidv7';
import { heartbeatWithAddressSchema } from '#backend/contract/heartbeat.ts';
import { type MaintenanceWindow, windowSchema } from '#backend/contract/maintenance.ts';
import { destinationWithSecretSchema } from '#backend/contract/outgoing.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import type { AppServer } from './support/app-server.ts';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { navigation } from './support/screen.ts';
import { deleteWindow } from './support/windows.ts';

/** A name of 100 characters without a space. */
const longName = (): string => `Donaudampfschifffahrt${uuidv7().replaceAll('-', '')}`.padEnd(100, 'elektrizität');

/** A name that reads from right to left and is longer than any column. */
const arabicName = (): string =>
  `تنبيه: القرص ممتلئ تقريبًا على الخادم في مركز البيانات الرئيسي ${uuidv7().slice(-12)} في المدينة`;

/** Narrow, but with a sidebar; a phone. */
const WIDTHS = [1024, 390];

/** What a test has made, which is deleted after it: other tests share its server. */
const made: string[] = [];
const planned: MaintenanceWindow[] = [];
test.afterEach(async ({ app }) => {
  for (const path of made.splice(0)) expect((await app.admin.request('DELETE', path)).status, path).toBe(204);
  for (const window of planned.splice(0)) await deleteWindow(app, window);
});

async function make<T>({ admin }: AppServer, path: string, body: object, read: (answer: unknown) => T): Promise<T> {
  return read(await (await admin.request('POST', path, body)).json());
}

/** Makes something whose answer begins with its id, of which nothing else is of interest. */
async function makeBeside(app: AppServer, path: string, body: object): Promise<void> {
  const { id } = await make(app, path, body, (answer) => answer as { id: string });
  made.push(`${path}/${id}`);
}

async function makeDestination(app: AppServer, name: string) {
  const path = '/api/outgoing/destinations';
  const body = { kind: 'webhook', name, url: 'https://hooks.example.com/in' };
  const answer = await make(app, path, body, (one) => destinationWithSecretSchema.parse(one));
  made.push(`${path}/${answer.destination.id}`);
  return answer;
}

async function makeHeartbeat(app: AppServer, name: string) {
  const path = '/api/heartbeats';
  const body = { name, schedule: { kind: 'interval', everySeconds: 3600 }, graceSeconds: 60 };
  const answer = await make(app, path, body, (one) => heartbeatWithAddressSchema.parse(one));
  made.push(`${path}/${answer.heartbeat.id}`);
  return answer;
}

async function planWindow(app: AppServer, name: string) {
  const search = `customer:"${name}"`;
  const body = { name, search, startsAt: new Date().toISOString(), minutes: 60, timeZone: 'UTC', rrule: null };
  const window = await make(app, '/api/maintenance/windows', body, (answer) => windowSchema.parse(answer));
  planned.push(window);
  return window;
}

const edges = async (locator: Locator) => {
  const box = await locator.boundingBox();
  if (!box) throw new Error('There is no such element on the screen.');
  return { left: box.x, right: box.x + box.width };
};

/** Where the text of an element ends at the right, whatever cuts it. */
const endOfText = (locator: Locator): Promise<number> =>
  locator.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    return range.getBoundingClientRect().right;
  });

/** Where the content of a page ends at the right. */
const endOfHead = async (page: Page): Promise<number> => (await edges(page.locator('.page-head__head'))).right;

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

for (const width of WIDTHS) {
  test(`the health of a destination or heartbeat with a long name stays on a page of ${width} px`, async ({
    app,
    openAs,
  }) => {
    const [name, other] = [longName(), longName()];
    const { destination } = await makeDestination(app, name);
    const { heartbeat } = await makeHeartbeat(app, other);
    const page = await openAs(ADMINISTRATOR, `${PATHS.outgoing}/destinations/${destination.id}`, {
      viewport: { width, height: 900 },
    });
    await expect(heading(page, name)).toBeVisible();
    expect(await endOfText(page.getByText('Never used', { exact: true }))).toBeLessThanOrEqual(await endOfHead(page));
    await page.goto(`${PATHS.heartbeats}/${heartbeat.id}`);
    await expect(heading(page, other)).toBeVisible();
    expect(await endOfText(page.getByText('Never called', { exact: true }).first())).toBeLessThanOrEqual(
      await endOfHead(page),
    );
  });

  test(`a long name and search of a maintenance window stay in their column at ${width} px`, async ({
    app,
    openAs,
  }) => {
    // Insight says nothing where no alert arrived.
    await app.post({ customer: 'Nordwind' });
    const name = longName();
    const { id } = await planWindow(app, name);
    const page = await openAs(ADMINISTRATOR, PATHS.maintenance, { viewport: { width, height: 900 } });
    const row = page.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
    const [names, schedule] = [row.locator('.maintenance__names').first(), row.locator('.maintenance__names').last()];
    await expect(schedule).toContainText('Once from');
    const { right } = await edges(names);
    expect((await edges(row.getByRole('link'))).right).toBeLessThanOrEqual(right);
    expect(await endOfText(row.getByText('customer:'))).toBeLessThanOrEqual(right);
    await page.goto(PATHS.insight);
    const kept = page.getByRole('listitem').filter({ has: page.locator(`a[href="${PATHS.maintenance}/${id}"]`) });
    expect(await endOfText(kept)).toBeLessThanOrEqual((await edges(kept)).right);
  });
}

test('the field of customers grows with them', async ({ app, openAs }) => {
  const { destination } = await makeDestination(app, uuidv7());
  const customers = ['Harbor & Finch', longName().slice(0, 90), 'Nordwind'];
  const path = `/api/outgoing/destinations/${destination.id}`;
  expect((await app.admin.request('PATCH', path, { customers })).status).toBe(200);
  const page = await openAs(ADMINISTRATOR, `${PATHS.outgoing}/destinations/${destination.id}`);
  const field = page.locator('.bp6-tag-input');
  await expect(field.locator('.bp6-tag')).toHaveCount(customers.length);
  expect(await field.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
});

test('names in lists and heads that read from right to left are cut at their own end, and stand at the left', async ({
  app,
  openAs,
}) => {
  const name = arabicName();
  expect((await app.admin.request('POST', '/api/sources', { name })).status).toBe(201);
  const { destination } = await makeDestination(app, name);
  await makeHeartbeat(app, name);
  await planWindow(app, name);
  await makeBeside(app, '/api/outgoing/groups', { name, memberIds: [] });
  await makeBeside(app, '/api/rules', { name, search: `customer:"${name}"`, actions: { severity: 'low' } });
  await makeBeside(app, '/api/views', { name: `ع ${name.slice(-12)}`, list: 'inbox', search: 'late' });
  const page = await openAs(ADMINISTRATOR, PATHS.sources, { viewport: { width: 1024, height: 900 } });
  for (const path of [
    PATHS.sources,
    `${PATHS.outgoing}/destinations`,
    `${PATHS.outgoing}/groups`,
    PATHS.incomingRules,
    PATHS.heartbeats,
    PATHS.maintenance,
  ]) {
    await page.goto(path);
    await expect(page.getByRole('main').getByRole('link', { name, exact: true }), path).toHaveCSS('direction', 'rtl');
  }
  await page.goto(`${PATHS.outgoing}/destinations/${destination.id}`);
  await expect(heading(page, name)).toHaveCSS('direction', 'rtl');
  // One that is short stands beside its icon, as the others do.
  const view = navigation(page, `ع ${name.slice(-12)}`);
  const label = view.locator('.nav__label');
  await expect(label).toHaveCSS('direction', 'rtl');
  expect((await edges(label)).left - (await edges(view.locator('svg').first())).right).toBeLessThanOrEqual(12);
});
