import { screen, waitFor, within } from '@testing-library/dom';
import { uuidv7 } from 'uuidv7';
import { expect, test } from 'vitest';
import { ADMINISTRATOR, appServer, findToast, intercept, openPage, refusal } from './support/open-page.tsx';
import { textOf, watchSaving } from './support/saved-files.ts';

const entries = async () => within(await screen.findByRole('list', { name: 'Audit trail' })).getAllByRole('listitem');
const entry = async () => (await entries())[0];
/** Expects the audit trail to show entries that match these, in their order. */
const expectEntries = (...texts: readonly RegExp[]): Promise<void> =>
  waitFor(async () =>
    expect((await entries()).map(({ textContent }) => textContent)).toEqual(
      texts.map((text) => expect.stringMatching(text)),
    ),
  );

test('the export is in the audit trail before the file is there', async () => {
  const app = await appServer();
  await app.clear();
  await app.post({ title: 'Disk full', customer: 'Traced' });
  const saved = watchSaving();
  const user = await openPage(ADMINISTRATOR, '/?customer=Traced');
  const restore = intercept('POST', '/api/exports', () => refusal(503, 'The database is away.'));
  await user.click(await screen.findByRole('button', { name: 'Export' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Export New Alerts' }));
  const run = () => user.click(dialog.getByRole('button', { name: 'Export' }));
  await run();
  expect((await dialog.findByRole('alert')).textContent).toMatch(
    /^The export stopped: .*The database is away\. Nothing was saved\.$/,
  );
  expect(saved.names).toEqual([]);

  restore();
  await run();
  await waitFor(() => expect(saved.names).toEqual([expect.stringMatching(/^alertdesk-new-alerts-[\d-]+\.csv$/)]));
  const audit = await openPage(ADMINISTRATOR, '/admin/audit');
  await audit.selectOptions(await screen.findByRole('combobox', { name: 'Kind' }), 'Exports and backups');
  await waitFor(async () => expect(await entry()).toHaveTextContent('Page exported'));
  expect(await entry()).toHaveTextContent('1 row as CSV: /api/alerts/inbox?customer=Traced');
});

test('what is canceled while the audit trail notes it is not saved', async () => {
  const app = await appServer();
  await app.clear();
  await app.post({ title: 'Disk full' });
  const saved = watchSaving();
  const user = await openPage(ADMINISTRATOR, '/');
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: 'Export' }));
    return within(await screen.findByRole('dialog', { name: 'Export New Alerts' }));
  };
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const restore = intercept('POST', '/api/exports', (_call, go) => released.then(go));
  const dialog = await open();
  await user.click(dialog.getByRole('button', { name: 'Export' }));
  expect(await dialog.findByText('1 of 1')).toBeVisible();
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  restore();
  release();
  await user.click((await open()).getByRole('button', { name: 'Export' }));
  await findToast('Alerts exported');
  expect(saved.names).toHaveLength(1);
});

test('the audit trail is searched, filtered by kind, and exported as it is shown', async () => {
  const app = await appServer();
  const name = `Audited source ${uuidv7().slice(-12)}`;
  const made = await app.admin.createSource({ name });
  await app.admin.deleteApiKey(made?.id ?? '');
  const saved = watchSaving();
  const user = await openPage(ADMINISTRATOR, '/admin/audit');
  const search = await screen.findByLabelText('Search the audit trail');
  expect(await entry()).toBeVisible();
  await user.type(search, 'no such entry');
  expect(await screen.findByText('No entries')).toBeVisible();
  await user.clear(search);
  await user.paste(name.toUpperCase());
  await expectEntries(/^API key deleted/i, /^Source created/);
  await user.selectOptions(screen.getByLabelText('Kind'), 'Sources');
  await expectEntries(/^Source created.*Audited source/);

  await user.click(screen.getByRole('button', { name: 'Export' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('radio', { name: /JSON Lines/ }));
  await user.click(dialog.getByRole('button', { name: 'Export' }));
  await findToast('Audit exported');
  expect(saved.names).toEqual([expect.stringMatching(/^alertdesk-audit-[\d-]+\.jsonl$/)]);
  const lines = (await textOf(saved.files[0])).trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { action: string }).action)).toEqual(['source_created']);

  await user.clear(search);
  await user.type(search, 'nobody at all');
  expect(await screen.findByText('No entries')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Show everything' }));
  expect(await entry()).toBeVisible();
});

test('a list is exported as it is filtered, with its notes; a run can be cancelled', async () => {
  const app = await appServer();
  await app.clear();
  const ids = [];
  for (let n = 1; n <= 120; n += 1)
    ids.push(await app.post({ title: `Disk ${n}`, customer: n % 2 ? 'Nordwind' : 'Harbor' }));
  await app.admin.request('POST', `/api/alerts/${ids[0]}/notes`, { text: '=Called them', mentions: [] });
  const saved = watchSaving();
  const user = await openPage(ADMINISTRATOR, '/?customer=Nordwind');
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: 'Export' }));
    return within(await screen.findByRole('dialog', { name: 'Export New Alerts' }));
  };
  const cancelled = await open();
  expect(await cancelled.findByText(/60 alerts/)).toBeVisible();
  // Nothing is saved of a run that is cancelled.
  const restore = intercept('GET', '/api/notes', () => new Promise<Response>(() => undefined));
  await user.click(cancelled.getByRole('button', { name: 'Export' }));
  expect(await cancelled.findByText('0 of 60')).toBeVisible();
  await user.click(cancelled.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  restore();

  const dialog = await open();
  await user.click(dialog.getByRole('button', { name: 'Export' }));
  await findToast('Alerts exported');
  expect(saved.names).toEqual([expect.stringMatching(/^alertdesk-new-alerts-[\d-]+\.csv$/)]);
  const text = await textOf(saved.files[0]);
  expect(text.match(/Nordwind,/g)).toHaveLength(60);
  expect(text).not.toContain('Harbor');
  expect(text).toMatch(/Administrator: =Called them/);
});
