import { screen, waitFor, within } from '@testing-library/dom';
import { beforeEach, expect, test } from 'vitest';
import type { Person } from '#tests/e2e/support/accounts.ts';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { type Queue, queueOf } from '#tests/e2e/support/queue.ts';
import {
  expectCards,
  expectCount,
  findCard,
  findToast,
  intercept,
  liveSockets,
  memberWithQueue,
  openCardMenu,
  openPage,
} from './support/open-page.tsx';

let app: AppServer;
let mara: Person;
let queue: Queue;
beforeEach(async () => {
  ({ app, mara, queue } = await memberWithQueue());
  await app.clear();
});

const expectTitle = (title: string) => waitFor(() => expect(document.title).toBe(title));

async function openLive(path: string) {
  const user = await openPage(mara, path);
  await screen.findByText('Connected');
  return user;
}

test('an alert that is given back leaves the queue, and returns to every inbox', async () => {
  await queue.accept({ customer: 'Quayside Ferries' });
  const user = await openLive('/my-alerts');
  await openCardMenu(user, 'Quayside Ferries');
  await user.click(screen.getByRole('menuitem', { name: 'Unaccept' }));
  expect(await findToast('Alert unaccepted')).toHaveTextContent('Returned to the inbox');
  await expectCards();

  // As a colleague gives one back, in front of an open inbox.
  const other = await app.post({ customer: 'Nordwind' });
  await app.admin.request('POST', `/api/alerts/${other}/accept`);
  await openLive('/');
  await expectCards('Quayside Ferries');
  await expectTitle('(1) Alertdesk');
  await app.admin.request('POST', `/api/alerts/${other}/unaccept`);
  await findCard('Nordwind');
  await expectTitle('(2) Alertdesk');
});

test('of two people who accept at once, the later one sees who has it', async () => {
  const id = await app.post({ customer: 'Kestrel Logistics' });
  const user = await openLive('/');
  intercept('POST', `/api/alerts/${id}/accept`, async (_call, go) => {
    await app.admin.request('POST', `/api/alerts/${id}/accept`);
    return go();
  });
  await user.click(within(await findCard('Kestrel Logistics')).getByRole('button', { name: 'Accept' }));
  await findToast(/Already accepted by Administrator\./);
  await expectCards();
  await expectTitle('Alertdesk');
});

test('a burst of 300 alerts is on the screen whole', async () => {
  await openLive('/');
  await Promise.all(Array.from({ length: 300 }, (_, index) => app.post({ customer: `Burst ${index}`, number: index })));
  await expectTitle('(300) Alertdesk');
  await expectCount('300 waiting for action');
  const stored = await app.inbox();
  expect(stored).toHaveLength(300);
  // The newest one is at the top, as it is in the database.
  await openLive('/');
  await findCard(stored[0]?.customer ?? 'no customer');
  expect(document.querySelector('.alert-card__card')).toHaveTextContent(stored[0]?.customer ?? 'no customer');
});

test('a page whose connection comes back as another member’s, who signed in in another tab, becomes theirs', async () => {
  await queue.accept({ customer: 'Quayside Ferries' });
  const ben = await app.addMember('Ben Okafor');
  await (await queueOf(app, ben)).accept({ customer: 'Atlas Freight' });
  await openLive('/my-alerts');
  await findCard('Quayside Ferries');
  const { cookies } = await app.signIn(ben);
  for (const [name, value] of cookies) {
    const cookie = `${name}=${value}; Path=/${name === 'sid' ? '; HttpOnly' : ''}`;
    globalThis.jsdom.cookieJar.setCookieSync(cookie, location.href, { http: true });
  }
  liveSockets.at(-1)?.terminate();
  await screen.findByRole('button', { name: new RegExp(ben.email) });
  await findCard('Atlas Freight');
  await screen.findByText('Connected');
  expect(document.body).not.toHaveTextContent(/Quayside|Mara/);
});
