import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { findConnected, findToast, intercept, json, memberWithQueue, openPage } from './support/open-page.tsx';

let app: AppServer;
let mara: Person;
beforeEach(async () => {
  ({ app, mara } = await memberWithQueue());
  await app.clear();
});

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

const deliver = (...alerts: ReturnType<typeof report>[]) =>
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

async function openLive(path: string) {
  const user = await openPage(mara, path);
  await screen.findByText('Connected');
  return user;
}

const findArticle = (name: RegExp) => screen.findByRole('article', { name });
const articles = () => screen.queryAllByRole('article');
const toast = () => document.querySelector('.toaster__toast');

test('one delivery of Alertmanager is a card for each problem, named by its headline', async () => {
  await openLive('/');
  await deliver(report('firing', 'db-7', 'critical'), report('firing', 'db-8'));
  const card = await findArticle(
    /^Critical, firing, new: Disk almost full on db-7\. prod-eu, HostOutOfDiskSpace, End-to-end tests\./,
  );
  expect(card).toHaveTextContent('db-7:9100');
  expect(card).toHaveTextContent('New');
  await findArticle(/^Warning, firing, new: Disk almost full on db-8\./);
  expect(articles()).toHaveLength(2);
});

test('a repeat counts on its card and notifies nobody, until it gets worse', async () => {
  await deliver(report('firing', 'db-7'));
  await openLive('/');
  await findArticle(/db-7/);
  await deliver(report('firing', 'db-7'));
  expect(await findArticle(/^Warning, firing, new: .* 2 times, /)).toHaveTextContent('×2');
  expect(articles()).toHaveLength(1);
  await findConnected();
  expect(toast()).toBeNull();
  await openLive('/my-alerts');
  await deliver(report('firing', 'db-7', 'critical'));
  const news = await findToast('New alert received');
  expect(news).toHaveTextContent(/Critical, firing: .*Disk almost full on db-7/);
  expect(news.querySelector('.severity-mark__mark_critical')).toBeVisible();
});

test('what is resolved leaves the inbox, and is reported to the owner of an accepted alert', async () => {
  await deliver(report('firing', 'db-7'), report('firing', 'db-8'));
  const user = await openLive('/');
  await user.click(within(await findArticle(/db-7/)).getByRole('button', { name: 'Accept' }));
  // It has an owner then, who can be notified.
  await findToast('Moved to your queue');
  await waitFor(() => expect(articles()).toHaveLength(1));
  // Under a mouse at rest a row keeps its place.
  await user.hover(await findArticle(/db-8/));
  await user.hover(document.body);
  await deliver(report('resolved', 'db-7'), report('resolved', 'db-8'));
  expect(await screen.findByText('All caught up!')).toBeVisible();
  const news = await findToast('Resolved by its sender');
  expect(news).toHaveTextContent('Still Accepted in your queue');
  await user.click(within(news).getByRole('button', { name: 'Complete' }));
  // The same action as a card's, which can be undone.
  expect(within(await findToast('Status updated')).getByRole('button', { name: /^Undo/ })).toBeVisible();
  const again = await openPage(mara, '/my-alerts');
  await again.click(await screen.findByRole('button', { name: /^Completed/ }));
  const card = await findArticle(/^Warning, resolved: Disk almost full on db-7/);
  expect(card).toHaveTextContent('Resolved');
  expect(within(card).getByRole('radio', { name: 'Completed' })).toBeChecked();
});

const findSource = async () =>
  within(await screen.findByRole('region', { name: 'Source Subscriptions' })).findByRole('checkbox', {
    name: 'End-to-end tests',
  });

const muted = async () => within(await findArticle(/Backup is late/)).queryAllByText('Muted', { exact: true });

test('a source is muted and unmuted, and its cards carry a sleeping bell', async () => {
  await app.post({ title: 'Backup is late', type: 'backup' });
  // The list of sources alone: other tests name hundreds of customers and types.
  for (const path of ['/api/customers', '/api/alert-types']) intercept('GET', path, () => json([]));
  const user = await openPage(mara, '/settings');
  expect(await findSource()).toBeChecked();
  (await findSource()).focus();
  await user.keyboard(' ');
  await findToast('Source muted');
  expect(await findSource()).not.toBeChecked();
  expect(await screen.findByText('Desktop alerts disabled for this source')).toBeVisible();
  await user.click(screen.getByRole('link', { name: /^New Alerts/ }));
  await waitFor(async () => expect(await muted()).toHaveLength(1));
  const again = await openPage(mara, '/settings');
  expect(await findSource()).not.toBeChecked();
  (await findSource()).focus();
  await again.keyboard(' ');
  await findToast('Source unmuted');
  await again.click(screen.getByRole('link', { name: /^New Alerts/ }));
  await waitFor(async () => expect(await muted()).toHaveLength(0));
});
