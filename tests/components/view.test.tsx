import { fireEvent, screen, waitFor } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { viewSchema } from '#backend/contract/view.ts';
import { appServer, openPage } from './support/open-page.tsx';

test('what is typed into the search in the moment after a part of it was removed elsewhere is kept', async () => {
  const app = await appServer();
  const mara = await app.addMember('Mara Lindqvist');
  const { request } = await app.signIn(mara);
  const made = await request('POST', '/api/views', { name: 'Night shift', list: 'inbox', search: 'disk' });
  const { id } = viewSchema.parse(await made.json());
  await openPage(mara, `/view/${id}`);
  const remove = await screen.findByRole('button', { name: 'Remove disk' });
  const field = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Search alerts' });
  await waitFor(() => expect(field).toHaveValue('disk'));

  // The next key comes right after.
  fireEvent.click(remove);
  await Promise.resolve();
  fireEvent.input(field, { target: { value: 'severity:critical ' } });
  await waitFor(() => expect(location.search).toContain('search=severity%3Acritical'));
  expect(screen.getByRole('button', { name: 'Remove severity: critical' })).toBeVisible();
});
