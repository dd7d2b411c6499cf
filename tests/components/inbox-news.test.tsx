import { screen, waitFor } from '@testing-library/dom';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { memberWithQueue, openPage } from './support/open-page.tsx';

let app: AppServer;
let mara: Person;
beforeEach(async () => {
  ({ app, mara } = await memberWithQueue());
  await app.clear();
});

test('the inbox is counted in the title, on the badge, and by a dot on the icon', async () => {
  const badges: number[] = [];
  Object.assign(navigator, {
    setAppBadge: async (count: number) => void badges.push(count),
    clearAppBadge: async () => void badges.push(0),
  });
  const icon = Object.assign(document.createElement('link'), { rel: 'icon', type: 'image/svg+xml', href: '/icon.svg' });
  document.head.append(icon);
  onTestFinished(() => {
    icon.remove();
    Reflect.deleteProperty(navigator, 'setAppBadge');
    Reflect.deleteProperty(navigator, 'clearAppBadge');
  });
  const user = await openPage(mara, '/settings');
  await screen.findByText('Connected');
  await waitFor(() => expect(badges.at(-1)).toBe(0));
  expect(icon).toHaveAttribute('href', '/icon.svg');
  await app.post({ customer: 'Harbour Lights' });
  await app.post({ customer: 'Harbour Lights' });
  await waitFor(() => expect(badges.at(-1)).toBe(2));
  expect(document.title).toBe('(2) Alertdesk');
  expect(icon).toHaveAttribute('href', '/icon-news.svg');
  await user.click(screen.getByRole('button', { name: new RegExp(mara.email) }));
  await user.click(await screen.findByRole('menuitem', { name: 'Logout' }));
  await waitFor(() => expect(location.pathname).toBe('/login'));
  await waitFor(() => expect(badges.at(-1)).toBe(0));
  expect(icon).toHaveAttribute('href', '/icon.svg');
});
