import { screen, within } from '@testing-library/dom';
import { expect, test } from 'vitest';
import { openPage, startServer } from './support/open-page.tsx';

const main = () => within(screen.getByRole('main'));

test('while nothing arrives, a member learns whom to ask, and empty lists do not point at each other', async () => {
  const app = await startServer();
  const mara = await app.addMember('Mara Lindqvist');
  const user = await openPage(mara, '/', { app });
  expect(await screen.findByRole('button', { name: 'Write to Administrator' })).toHaveAttribute(
    'href',
    expect.stringMatching(/^mailto:/),
  );
  expect(main().queryByRole('button', { name: 'My Alerts' })).toBeNull();
  await user.click(screen.getByRole('link', { name: /^My Alerts/ }));
  expect(await screen.findByText('No alerts yet')).toBeVisible();
  expect(main().queryByRole('button', { name: 'New Alerts' })).toBeNull();
});
