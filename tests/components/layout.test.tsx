import { screen } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { ADMINISTRATOR, NOBODY, intercept, openPage } from './support/open-page.tsx';

test('a server that cannot be reached is reported, and trying again helps', async () => {
  const restore = intercept('GET', '/api/auth/session', () => {
    throw new TypeError('fetch failed');
  });
  const user = await openPage(ADMINISTRATOR, '/');
  await screen.findByRole('heading', { name: 'Alertdesk cannot be reached' });
  expect(screen.getByText('The server could not be reached. Check your connection and try again.')).toBeVisible();
  restore();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText('Connected');
});

test('the sign-in page says where the first password is', async () => {
  await openPage(NOBODY, '/login');
  expect(await screen.findByText(/The server printed the administrator’s email and password/)).toBeVisible();
});
