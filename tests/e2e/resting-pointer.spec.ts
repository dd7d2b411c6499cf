import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { ADMINISTRATOR, expect, test } from './support/fixtures.ts';
import { connected } from './support/screen.ts';

// Cards that leave and come move here.
test.use({ moving: true });

/** How long alerts arrive in the test below; `CALM_SECONDS=60` tries longer. */
const CALM_SECONDS = Number(process.env['CALM_SECONDS'] ?? 6);

/** What stood under a pointer at rest: each row, and where, as it changed from frame to frame. */
interface Rest {
  frames: number;
  seen: string[];
}

/** Watches the row under a point, frame by frame, until `window.endRest()` returns what it saw. */
const watchRest = (page: Page, { x, y }: { x: number; y: number }): Promise<void> =>
  page.evaluate(`{
    const rest = { frames: 0, seen: [] };
    let isOver = false;
    const look = () => {
      if (isOver) return;
      const row = document.elementFromPoint(${x}, ${y})?.closest('[data-alert-id]');
      const now = row && row.dataset.alertId + ' at ' + row.getBoundingClientRect().top.toFixed(1);
      if (now !== rest.seen.at(-1)) rest.seen.push(now);
      rest.frames += 1;
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    window.endRest = () => {
      isOver = true;
      return rest;
    };
  }`);

/**
 * How far the list is scrolled, which of its alerts, oldest first, the colleague accepts (some of each part), and how long
 * others arrive, in seconds: longer than an accepted card keeps its place after the last one in view.
 */
const REST_SCENES = [
  {
    where: 'in view above the pointer, then below it, then below the view',
    scrolled: 0,
    parts: [
      { from: -3, to: undefined },
      { from: -14, to: -8 },
      { from: 0, to: 14 },
    ],
    seconds: CALM_SECONDS * 1.5,
  },
  { where: 'above the view', scrolled: 2_400, parts: [{ from: -14, to: undefined }], seconds: CALM_SECONDS },
];

for (const { where, scrolled, parts, seconds } of REST_SCENES) {
  test(`the row under a pointer at rest stays where it is while alerts arrive and a colleague accepts ${where}`, async ({
    app,
    openAs,
    mara,
  }) => {
    test.setTimeout(60_000 + seconds * 2_000);
    const old: string[] = [];
    for (let number = 0; number < 60; number += 1) old.push(await app.post({ title: `Before ${number}` }));
    const page = await openAs(ADMINISTRATOR);
    await connected(page);
    const colleague = await app.signIn(mara);
    const at = { x: 640, y: 450 };
    await page.mouse.move(at.x, at.y);
    await page.mouse.wheel(0, scrolled);
    const rowAt = () =>
      page.evaluate<string>(`document.elementFromPoint(${at.x}, ${at.y})?.closest('[data-alert-id]')?.textContent`);
    // The list rests, and the pointer has moved since.
    await expect(async () => {
      const before = await rowAt();
      await pause(300);
      expect(await rowAt()).toBe(before);
      expect(before).toContain('Before');
    }).toPass();
    // From the first arrival right after the pointer moved, what comes is counted above.
    await expect(async () => {
      const arrives = app.post({ title: 'Arrives first' });
      await page.mouse.move(at.x, at.y);
      await page.mouse.move(at.x, at.y + 1);
      await arrives;
      await expect(page.getByRole('button', { name: /^\d+ new alerts?$/ })).toBeVisible({ timeout: 500 });
    }).toPass();
    await watchRest(page, { x: at.x, y: at.y + 1 });

    const arriving = (async () => {
      for (let number = 0; number < seconds * 5; number += 1) {
        await app.post({ title: `Arrives ${number}`, host: `web-${number % 3}` });
        await pause(200);
      }
    })();
    const accepted = parts.flatMap(({ from, to }) => old.slice(from, to).slice(0, Math.max(3, CALM_SECONDS)));
    for (const id of accepted) {
      expect((await colleague.request('POST', `/api/alerts/${id}/accept`)).status).toBe(200);
      await pause((CALM_SECONDS * 1_000) / 14);
    }
    await arriving;
    const rest = await page.evaluate<Rest>('window.endRest()');
    expect(rest.frames).toBeGreaterThan(20);
    // One row, which never moved.
    expect(rest.seen).toHaveLength(1);
  });
}

test('rows that a colleague accepts above a pointer at rest keep their places until it leaves, where the list cannot be scrolled instead', async ({
  app,
  openAs,
  mara,
}) => {
  const old: string[] = [];
  for (let number = 0; number < 20; number += 1) old.push(await app.post({ title: `Before ${number}` }));
  const page = await openAs(ADMINISTRATOR);
  await connected(page);
  const newest = page.locator(`[data-alert-id="${old.at(-1)}"]`);
  await expect(newest).toBeVisible();
  const at = { x: 640, y: 450 };
  await page.mouse.move(at.x, at.y);
  const colleague = await app.signIn(mara);
  await watchRest(page, at);
  for (const id of old.slice(-2)) {
    expect((await colleague.request('POST', `/api/alerts/${id}/accept`)).status).toBe(200);
  }
  await expect(newest).toContainText('Accepted by');
  // Longer than any hold, notice and gap together.
  await pause(4_000);
  const rest = await page.evaluate<Rest>('window.endRest()');
  expect(rest.seen).toHaveLength(1);
  await expect(newest).toContainText('Accepted by');
  await page.mouse.move(at.x, 20);
  await expect(newest).toBeHidden();
});
