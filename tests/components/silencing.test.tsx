import { screen, within } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { makeSource, send } from '#tests/e2e/support/sources.ts';
import { ADMINISTRATOR, appServer, openPage } from './support/open-page.tsx';

const DISK = { alertname: 'DiskFull', instance: 'db-7' };

test('an administrator sets silencing up, and the page and the alert say what is wrong', async () => {
  const app = await appServer();
  const source = await makeSource(app, `Alertmanager ${crypto.randomUUID()}`);
  // Silences that cannot be made there become an alert some time later, which the next test would see.
  onTestFinished(async () => void (await app.admin.request('DELETE', `/api/sources/${source.id}`)));
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${source.id}/settings`);
  const isOn = await screen.findByLabelText('Silence what is accepted');
  expect(isOn).not.toBeChecked();
  const address = screen.getByLabelText('Address');
  await user.type(address, 'http://10.0.4.7:9093');
  await user.click(screen.getByRole('button', { name: 'Try' }));
  expect(await screen.findByText(/inside the network\. The operator has to allow/)).toBeVisible();
  await user.clear(address);
  await user.type(address, 'https://alertmanager.invalid');
  await user.selectOptions(screen.getByLabelText('Sign in'), 'Token');
  await user.click(isOn);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Enter the password or token.')).toBeVisible();
  await user.type(screen.getByLabelText('Token'), 'glsa_secret_9x7q');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('No alert is silenced there.')).toBeVisible();
  expect(screen.getByLabelText('Token')).toHaveAttribute('placeholder', 'Kept, ends with 9x7q');

  const posted = await send(app, source.key, {
    receiver: 'desk',
    groupKey: '{}',
    groupLabels: {},
    alerts: [{ status: 'firing', labels: DISK, fingerprint: 'f1' }],
  });
  const { id } = (await posted.json()) as { id: string };
  await app.admin.request('POST', `/api/alerts/${id}/accept`, {});
  expect(await screen.findByRole('button', { name: /^End the silence of/ })).toBeVisible();
  const again = await openPage(ADMINISTRATOR, `/alert/${id}`);
  await again.click(await screen.findByRole('tab', { name: /Notified/ }));
  expect(await screen.findByText(/silenced in Alertmanager/)).toBeVisible();
});

test('a PagerDuty source begins with its kind and address, asks for what it needs, and keeps what a colleague saved', async () => {
  const app = await appServer();
  const source = await makeSource(app, `PagerDuty ${crypto.randomUUID()}`);
  await app.admin.request('PATCH', `/api/sources/${source.id}`, { settings: { adapter: 'pagerduty' } });
  const user = await openPage(ADMINISTRATOR, `/admin/sources/${source.id}/settings`);
  const panel = within(await screen.findByRole('region', { name: 'Back to the sender' }));
  expect(await panel.findByLabelText('Sender')).toHaveValue('pagerduty');
  expect(panel.getByLabelText('Address')).toHaveValue('https://api.pagerduty.com');
  await user.click(panel.getByLabelText('Acknowledge what is accepted'));
  await user.click(panel.getByRole('button', { name: 'Save' }));
  expect(await panel.findByText('Enter the email of the user of PagerDuty who acknowledges.')).toBeVisible();
  await user.type(panel.getByLabelText('Email of a user'), 'desk@nordwind.example');
  await user.type(panel.getByLabelText('API key'), 'y_NbAkKc66ryYTWUXYEu');

  // A colleague is first.
  const theirs = { kind: 'sentry', isOn: false, url: 'https://de.sentry.io', auth: 'bearer', minutes: 60 };
  await app.admin.request('PUT', `/api/sources/${source.id}/silencing`, {
    ...theirs,
    user: 'nordwind',
    secret: 'abcd',
  });
  await user.click(panel.getByRole('button', { name: 'Save' }));
  expect(await panel.findByText('A colleague saved other settings in the meantime.')).toBeVisible();
  expect(panel.getByLabelText('Sender')).toHaveValue('pagerduty');
  expect(panel.getByRole('button', { name: 'Save' })).toBeDisabled();
  await user.click(panel.getByRole('button', { name: 'Show theirs' }));
  expect(panel.getByLabelText('Sender')).toHaveValue('sentry');
  expect(panel.getByLabelText('Organization')).toHaveValue('nordwind');

  await user.selectOptions(panel.getByLabelText('Sender'), 'Opsgenie');
  expect(panel.getByLabelText('Address')).toHaveValue('https://api.opsgenie.com');
});
