import type { Locator, Page } from '@playwright/test';
import { type Alert, alertListSchema } from '#backend/contract/alert.ts';
import { historySchema } from '#backend/contract/history-entry.ts';
import type { SignedInClient } from '#scripts/demo/signed-in-client.ts';
import { replayHistory } from '#tests/support/replay-history.ts';
import { expect, test } from './support/fixtures.ts';
import { connected, navigation } from './support/screen.ts';

/** Alerts at the start, and what each browser does. More by hand: `TRIAGE_ALERTS=1000 TRIAGE_ROUNDS=60`. */
const ALERTS = Number(process.env['TRIAGE_ALERTS'] ?? 200);
const ROUNDS = Number(process.env['TRIAGE_ROUNDS'] ?? 9);
const ARRIVALS = 20;

const cards = (page: Page) => page.getByRole('feed').getByRole('article');
const below = (limit: number): number => Math.floor(Math.random() * limit);

/** Whether something is on the screen within a moment. */
const appears = (what: Locator): Promise<boolean> =>
  what.waitFor({ timeout: 1_500 }).then(
    () => true,
    () => false,
  );

/** What a person does by chance with some alerts of the list on screen; often a colleague is quicker. False when nothing was done. */
async function act(page: Page, colleague: string, isInbox: boolean): Promise<boolean> {
  // The list may be on its way, or empty just now.
  if (!(await appears(cards(page).first()))) return false;
  for (let count = 0; count <= below(4); count += 1) {
    for (let step = 0; step <= below(3); step += 1) await page.keyboard.press('j');
    await page.keyboard.press('x');
  }
  if (below(4) === 0) await page.keyboard.press('Control+a');
  const bar = page.getByRole('toolbar', { name: /selected$/ });
  // What was selected may have been taken just now.
  if (!(await appears(bar))) return false;
  const choose = async (key: string, name: RegExp): Promise<void> => {
    await page.keyboard.press(key);
    const item = page.getByRole('menuitem', { name }).first();
    await item.click({ timeout: 1_000 }).catch(() => page.keyboard.press('Escape'));
  };
  const kind = below(5);
  if (kind === 0) await choose('s', /^1 hour/);
  else if (kind === 1) await choose('Shift+A', new RegExp(`^${colleague}`));
  else await page.keyboard.press(isInbox ? 'a' : (['1', '2', '3', 'u'][below(4)] ?? 'u'));
  if (below(3) === 0) await page.keyboard.press('z');
  await page.keyboard.press('Escape');
  return true;
}

/** A busy machine may show nothing in time: such a round does not count, as long as there are not too many of them. */
async function work(page: Page, colleague: string): Promise<void> {
  let done = 0;
  for (let round = 0; done < ROUNDS && round < 4 * ROUNDS; round += 1) {
    const isInbox = round % 3 !== 2;
    await page.keyboard.press('g');
    await page.keyboard.press(isInbox ? 'i' : 'm');
    done += Number(await act(page, colleague, isInbox));
  }
}

/** Accepts the alert at this place of the list: one who takes all the rest at once leaves the other nothing to do. */
async function begin(page: Page, place: number): Promise<void> {
  await cards(page).first().waitFor();
  for (let step = 0; step < place; step += 1) await page.keyboard.press('j');
  await page.keyboard.press('a');
  await expect(navigation(page, 'My Alerts')).toContainText('1');
}

/** A list, or a part of it, as it is stored, page by page. */
async function listOf(client: SignedInClient, path: string, part: { completion?: 'open' } = {}): Promise<Alert[]> {
  const alerts: Alert[] = [];
  for (let rows = 500; rows === 500;) {
    const query = new URLSearchParams({ ...part, limit: '500' });
    const last = alerts.at(-1);
    if (last) query.set('before', String(last.id));
    const page = alertListSchema.parse(await (await client.request('GET', `${path}?${query}`)).json());
    alerts.push(...page);
    rows = page.length;
  }
  return alerts;
}

/** Ids of the alerts that are drawn: a list comes back where it was left. The row of what is completed has none. */
const drawn = (page: Page): Promise<string[]> =>
  cards(page).evaluateAll((all) => all.flatMap((one) => one.getAttribute('data-alert-id') ?? []));

test('two people work the same alerts at random while others arrive: both screens are true, each alert has one owner', async ({
  app,
  openAs,
}) => {
  test.slow();
  // Nobody else on this server has these names.
  const [greta, hugo] = [await app.addMember('Greta Holm'), await app.addMember('Hugo Brandt')];
  for (let from = 0; from < ALERTS; from += 50) {
    await Promise.all(
      Array.from({ length: Math.min(50, ALERTS - from) }, (_, at) => app.post({ title: `Alert ${from + at}` })),
    );
  }
  const people = [
    { page: await openAs(greta), client: await app.signIn(greta), colleague: hugo.displayName },
    { page: await openAs(hugo), client: await app.signIn(hugo), colleague: greta.displayName },
  ];
  await Promise.all(people.map(({ page }) => connected(page)));
  for (const [at, { page }] of people.entries()) await begin(page, at + 2);
  const arrive = async (): Promise<void> => {
    for (let count = 0; count < ARRIVALS; count += 1) await app.post({ title: `Late ${count}` });
  };
  await Promise.all([...people.map(({ page, colleague }) => work(page, colleague)), arrive()]);

  for (const { page, client } of people) {
    // A toast may still offer to undo; nothing is undone any more. A menu that came late would take keys.
    for (const [name, path, part] of [
      ['New Alerts', '/api/alerts/inbox', {}],
      // What is completed stands in a row of its own, which is closed.
      ['My Alerts', '/api/alerts/mine', { completion: 'open' }],
    ] as const) {
      await page.keyboard.press('Escape');
      await navigation(page, name).click();
      await expect
        .poll(async () => {
          const stored = await listOf(client, path, part);
          const shown = await drawn(page);
          const count = (await page.locator('.page-head__count').textContent())
            ?.match(/^[\d,]+/)?.[0]
            .replaceAll(',', '');
          // The focused row is drawn wherever it stands, so there may be gaps.
          const places = shown.map((id) => stored.findIndex((alert) => alert.id === id));
          const isSame = places.every((place, at) => place > (places[at - 1] ?? -1));
          return { count: Number(count ?? 0) - stored.length, isSame };
        })
        .toMatchObject({ count: 0, isSame: true });
    }
  }

  const all = await listOf(app.admin, '/api/alerts/all');
  const changes = new Map<string, number>();
  for (const { id, ownerName = null, status } of all) {
    const answer = await app.admin.request('GET', `/api/alerts/${id}/history`);
    const entries = historySchema.parse(await answer.json()).toReversed();
    for (const { userDisplayName: by } of entries) changes.set(by, (changes.get(by) ?? 0) + 1);
    const byHistory = replayHistory(
      entries.map(({ action, userDisplayName, assigneeName = null, newStatus = null }) => ({
        action,
        by: userDisplayName,
        to: assigneeName,
        status: newStatus,
      })),
    );
    expect({ id, ...byHistory }).toEqual({ id, owner: ownerName, status });
  }
  expect(all).toHaveLength(ALERTS + ARRIVALS);
  // They were not idle, whoever has the alerts at the end.
  for (const { displayName } of [greta, hugo]) expect(changes.get(displayName)).toBeGreaterThan(0);
});
