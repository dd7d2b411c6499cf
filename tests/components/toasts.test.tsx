import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import type { Queue } from '#tests/e2e/support/queue.ts';
import { CSRF_COOKIE, CSRF_HEADER } from '#backend/contract/csrf.ts';
import { findCard, findToast, intercept, memberWithQueue, openPage } from './support/open-page.tsx';

let app: AppServer;
let mara: Person;
let queue: Queue;
beforeEach(async () => {
  ({ app, mara, queue } = await memberWithQueue());
  await app.clear();
});

const toasts = () => document.querySelectorAll('.toaster__toast');

const navigation = (name: string) =>
  within(screen.getByRole('navigation', { name: 'Main' })).getByRole('link', { name: new RegExp(`^${name}`) });

async function openQueue() {
  const user = await openPage(mara, '/my-alerts');
  await screen.findByText('Connected');
  return user;
}

test('F8 brings the focus to the toast, Escape takes the toast away and gives the focus back', async () => {
  const user = await openQueue();
  navigation('My Alerts').focus();
  await app.post({ customer: 'Brightwater Energy' });
  const toast = await findToast('Alert from Brightwater Energy');
  await user.keyboard('{F8}');
  await waitFor(() => expect(within(toast).getByRole('button', { name: 'Open' })).toHaveFocus());
  await user.keyboard('{Escape}');
  await waitFor(() => expect(toasts()).toHaveLength(0));
  expect(navigation('My Alerts')).toHaveFocus();
});

test('Escape in a toast leaves what is selected in the list', async () => {
  await queue.accept({ customer: 'Atlas Freight' });
  const user = await openQueue();
  await findCard('Atlas Freight');
  const box = screen.getByRole('checkbox', { name: 'Select' });
  await user.click(box);
  const bar = await screen.findByRole('toolbar', { name: '1 selected' });
  navigation('My Alerts').focus();
  await app.post({ customer: 'Brightwater Energy' });
  const toast = await findToast('Alert from Brightwater Energy');
  await user.keyboard('{F8}');
  await waitFor(() => expect(within(toast).getByRole('button', { name: 'Open' })).toHaveFocus());
  await user.keyboard('{Escape}');
  await waitFor(() => expect(toasts()).toHaveLength(0));
  expect(navigation('My Alerts')).toHaveFocus();
  expect(box).toBeChecked();
  expect(bar).toBeVisible();
});

test('news becomes one count, and waits while a result is shown', async () => {
  await queue.accept({ customer: 'Atlas Freight' });
  const user = await openQueue();
  await findCard('Atlas Freight');
  await app.post({ customer: 'Brightwater Energy' });
  await app.post({ customer: 'Quayside Ferries' });
  await findToast('2 new alerts from 2 customers');

  await user.click(within(await findCard('Atlas Freight')).getByText('Completed'));
  const result = await findToast('Status updated');
  await app.post({ customer: 'Harbour Lights' });
  await app.post({ customer: 'Harbour Lights' });
  await waitFor(() => expect(navigation('New Alerts')).toHaveTextContent('4'));
  expect(toasts()).toHaveLength(1);
  expect(result).toHaveTextContent('Status updated');
  await user.click(within(result).getByRole('button', { name: 'Close' }));
  const news = await findToast('2 new alerts from Harbour Lights');

  // It leads to the newest of them.
  await user.click(within(news).getByRole('button', { name: 'Show' }));
  await screen.findByRole('heading', { level: 1, name: 'New Alerts' });
  await waitFor(() => expect(screen.getAllByRole('article')[0]).toHaveFocus());
});

/** Signs out as another tab of the same browser does, which this page does not take part in. */
async function signOutElsewhere(): Promise<void> {
  const token = new RegExp(`${CSRF_COOKIE}=([^;]+)`).exec(document.cookie)?.[1] ?? '';
  const { ok } = await fetch('/api/auth/logout', { method: 'POST', headers: { [CSRF_HEADER]: token } });
  expect(ok).toBe(true);
}

test('a sign-out in another tab leaves nothing of the alerts behind, also of what was in flight', async () => {
  await queue.accept({ customer: 'Atlas Freight' });
  const user = await openQueue();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  const answers: number[] = [];
  intercept('PATCH', /^\/api\/webhooks\/.*\/status$/, async (_call, go) => {
    await isReleased;
    const answer = await go();
    answers.push(answer.status);
    return answer;
  });
  await user.click(within(await findCard('Atlas Freight')).getByText('Completed'));
  await app.post({ customer: 'Brightwater Energy' });
  await findToast('Alert from Brightwater Energy');

  await signOutElsewhere();
  await screen.findByRole('heading', { name: 'Alertdesk' });
  expect(toasts()).toHaveLength(0);
  expect(document.body).not.toHaveTextContent(/Brightwater|Atlas/);
  release();
  await waitFor(() => expect(answers).toEqual([401]));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(document.body).not.toHaveTextContent(/Brightwater|Atlas/);
});
