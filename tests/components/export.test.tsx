import { screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ADMINISTRATOR, appServer, intercept, openPage, refusal } from './support/open-page.tsx';

/** The files that the page saves, by name. */
function watchSaving(): string[] {
  const saved: string[] = [];
  vi.stubGlobal(
    'URL',
    Object.assign(class extends URL {}, { createObjectURL: () => 'blob:file', revokeObjectURL() {} }),
  );
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download);
  });
  onTestFinished(() => {
    click.mockRestore();
    vi.unstubAllGlobals();
  });
  return saved;
}

const entry = async () => within(await screen.findByRole('list', { name: 'Audit trail' })).getAllByRole('listitem')[0];

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
  expect(saved).toEqual([]);

  restore();
  await run();
  await waitFor(() => expect(saved).toEqual([expect.stringMatching(/^alertdesk-new-alerts-[\d-]+\.csv$/)]));
  const audit = await openPage(ADMINISTRATOR, '/admin/audit');
  await audit.selectOptions(await screen.findByRole('combobox', { name: 'Kind' }), 'Exports and backups');
  await waitFor(async () => expect(await entry()).toHaveTextContent('Page exported'));
  expect(await entry()).toHaveTextContent('1 row as CSV: /api/alerts/inbox?customer=Traced');
});
