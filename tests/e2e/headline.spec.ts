import type { AppServer } from './support/app-server.ts';
import { expect, test } from './support/fixtures.ts';
import { connected, toast } from './support/screen.ts';

/** One alert as Alertmanager reports it. */
const report = (status: 'firing' | 'resolved', fingerprint: string, severity = 'warning') => ({
  status,
  labels: { alertname: 'HostOutOfDiskSpace', cluster: 'prod-eu', instance: `${fingerprint}:9100`, severity },
  annotations: { summary: `Disk almost full on ${fingerprint}` },
  startsAt: '2026-11-21T09:00:00.000Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: 'https://prometheus.example/graph',
  fingerprint,
});

const deliver = (app: AppServer, ...alerts: ReturnType<typeof report>[]) =>
  app.post({
    version: '4',
    groupKey: '{}:{}',
    truncatedAlerts: 0,
    status: alerts[0]?.status,
    receiver: 'alertdesk',
    groupLabels: {},
    commonLabels: {},
    commonAnnotations: {},
    externalURL: 'https://alertmanager.example',
    alerts,
  });

test('one delivery of Alertmanager is a card for each problem, named by its headline', async ({
  app,
  openAs,
  mara,
}) => {
  const page = await openAs(mara);
  await connected(page);
  await deliver(app, report('firing', 'db-7', 'critical'), report('firing', 'db-8'));
  const card = page.getByRole('article', {
    name: /^Critical, firing: Disk almost full on db-7\. prod-eu, HostOutOfDiskSpace, End-to-end tests\./,
  });
  await expect(card).toBeVisible();
  await expect(card).toContainText('db-7:9100');
  await expect(card).toContainText('New');
  await expect(page.getByRole('article', { name: /^Warning, firing: Disk almost full on db-8\./ })).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(2);
});

test('a repeat counts on its card and notifies nobody, until it gets worse', async ({ app, openAs, mara }) => {
  await deliver(app, report('firing', 'db-7'));
  const page = await openAs(mara);
  await connected(page);
  await deliver(app, report('firing', 'db-7'));
  await expect(page.getByRole('article', { name: /^Warning, firing: .* 2 times, / })).toContainText('×2');
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(toast(page)).toHaveCount(0);
  await page.goto('/my-alerts');
  await connected(page);
  await deliver(app, report('firing', 'db-7', 'critical'));
  await expect(toast(page)).toContainText('New alert received');
  await expect(toast(page)).toContainText(/Critical, firing: .*Disk almost full on db-7/);
  await expect(toast(page).locator('.ad-mark--critical')).toBeVisible();
});

test('what is resolved leaves the inbox, and is reported to the owner of an accepted alert', async ({
  app,
  openAs,
  mara,
}) => {
  await deliver(app, report('firing', 'db-7'), report('firing', 'db-8'));
  const page = await openAs(mara);
  await connected(page);
  await page.getByRole('article', { name: /db-7/ }).getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByRole('article', { name: /db-7/ })).toHaveCount(0);
  await deliver(app, report('resolved', 'db-7'), report('resolved', 'db-8'));
  await expect(page.getByText('All caught up!')).toBeVisible();
  await expect(toast(page)).toContainText('Resolved by its sender');
  await expect(toast(page)).toContainText('Still Accepted in your queue');
  await page.getByRole('button', { name: 'Complete' }).click();
  await page.goto('/my-alerts');
  const card = page.getByRole('article', { name: /^Warning, resolved: Disk almost full on db-7/ });
  await expect(card).toContainText('Resolved');
  await expect(card.getByRole('radio', { name: 'Completed' })).toBeChecked();
});

test('a source is muted and unmuted, and its cards carry a sleeping bell', async ({ app, openAs, mara }) => {
  await app.post({ title: 'Backup is late', type: 'backup' });
  const page = await openAs(mara, '/settings');
  const source = page
    .getByRole('region', { name: 'Source Subscriptions' })
    .getByRole('checkbox', { name: 'End-to-end tests' });
  await expect(source).toBeChecked();
  await source.press('Space');
  await expect(toast(page)).toContainText('Source muted');
  await expect(source).not.toBeChecked();
  await expect(page.getByText('Desktop alerts disabled for this source')).toBeVisible();
  await page.getByRole('link', { name: 'New Alerts' }).click();
  const muted = page.getByRole('article', { name: /Backup is late/ }).getByText('Muted', { exact: true });
  await expect(muted).toHaveCount(1);
  await page.goto('/settings');
  await expect(source).not.toBeChecked();
  await source.press('Space');
  await expect(toast(page)).toContainText('Source unmuted');
  await page.getByRole('link', { name: 'New Alerts' }).click();
  await expect(page.getByRole('article', { name: /Backup is late/ })).toBeVisible();
  await expect(muted).toHaveCount(0);
});
