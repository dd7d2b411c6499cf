import { screen, waitFor, within } from '@testing-library/dom';
import type { UserEvent } from '@testing-library/user-event';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod/mini';
import type { AppServer } from '#tests/e2e/support/app-server.ts';
import { WEEK } from './support/calendar.ts';
import { deleteOutgoing } from './support/delete-outgoing.ts';
import { ADMINISTRATOR, appServer, findConnected, findDialog, intercept, openPage } from './support/open-page.tsx';

let app: AppServer;
beforeEach(async () => {
  app = await appServer();
  await deleteOutgoing(app);
});

const idSchema = z.object({ id: z.string() });
const madeSchema = z.union([idSchema, z.object({ destination: idSchema }), z.object({ heartbeat: idSchema })]);

/** Makes one, and resolves to its id. */
async function make(path: string, body: object): Promise<string> {
  const made = madeSchema.parse(await (await app.admin.request('POST', path, body)).json());
  return 'id' in made ? made.id : 'destination' in made ? made.destination.id : made.heartbeat.id;
}

/** Ends what the test made and saved: it would notify, or be missing, in the middle of another test. */
function deleteAfterwards(path: string, page: string): void {
  onTestFinished(async () => {
    const id = window.location.pathname.slice(page.length + 1);
    await app.admin.request('DELETE', `${path}/${id}`);
  });
}

const WINDOW = { search: 'type:disk', startsAt: '2099-01-04T02:00:00Z', minutes: 60, timeZone: 'UTC', rrule: null };
const LADDER = { steps: [{ afterMinutes: 5, recipients: [{ kind: 'online' }] }], repeat: 0, isUrgent: false };
const SLACK = 'https://hooks.slack.com/services/T/B/1';

/** What is edited on a page of its own: where it is stored and shown, what it is, and how a new one is saved. */
const EDITED = [
  {
    what: 'destination',
    path: '/api/outgoing/destinations',
    page: '/admin/outgoing/destinations',
    body: { kind: 'slack', url: SLACK },
    // Its address is a secret, which no page has.
    fill: async (user: UserEvent) => user.type(screen.getByLabelText('Incoming webhook'), SLACK),
    confirm: async (user: UserEvent) =>
      user.click((await findDialog()).getByRole('button', { name: 'Save for all customers' })),
  },
  {
    what: 'rule',
    path: '/api/outgoing/rules',
    page: '/admin/outgoing/rules',
    body: { search: 'type:disk', events: ['new'], destinationIds: [], ladder: LADDER },
  },
  { what: 'group', path: '/api/outgoing/groups', page: '/admin/outgoing/groups', body: { memberIds: [] } },
  {
    what: 'calendar',
    path: '/api/outgoing/calendars',
    page: '/admin/outgoing/calendars',
    body: { content: WEEK },
    fill: async (user: UserEvent) => {
      await user.upload(screen.getByLabelText(/Or a file/), new File([WEEK], 'week.ics', { type: 'text/calendar' }));
      await screen.findByText('week.ics');
    },
  },
  {
    what: 'rule on what arrives',
    path: '/api/rules',
    page: '/admin/rules',
    body: { search: 'customer:nobody', actions: { severity: 'low' } },
  },
  { what: 'window', path: '/api/maintenance/windows', page: '/maintenance', body: WINDOW },
  {
    what: 'heartbeat',
    path: '/api/heartbeats',
    page: '/heartbeats',
    body: { schedule: { kind: 'interval', everySeconds: 3_600 }, graceSeconds: 60 },
  },
];

/** One of those that are drawn by the same part, and those that are drawn by themselves. */
const DRAWN = EDITED.filter(({ what }) => ['group', 'window', 'heartbeat'].includes(what));

test.each(EDITED)(
  'a draft of a $what that a colleague deletes stays, and can be saved as a new one',
  async ({ path, page, body, fill, confirm }) => {
    const name = `Nights ${crypto.randomUUID()}`;
    const id = await make(path, { name, ...body });
    deleteAfterwards(path, page);
    const user = await openPage(ADMINISTRATOR, `${page}/${id}`);
    const field = await screen.findByLabelText('Name');
    await findConnected();
    await user.type(field, ', 2');
    expect((await app.admin.request('DELETE', `${path}/${id}`)).ok).toBe(true);
    const notice = within(await screen.findByRole('alert'));
    expect(notice.getByText(`“${name}” was deleted by someone else.`)).toBeVisible();
    expect(field).toHaveValue(`${name}, 2`);
    await fill?.(user);
    await user.click(notice.getByRole('button', { name: 'Save as new' }));
    await confirm?.(user);
    await waitFor(() => expect(window.location.pathname).not.toBe(`${page}/${id}`));
    expect(JSON.stringify(await (await app.admin.request('GET', path)).json())).toContain(`${name}, 2`);
  },
);

test.each(DRAWN)('a draft of a $what that a colleague deletes can be given up', async ({ path, page, body }) => {
  const name = `Nights ${crypto.randomUUID()}`;
  const id = await make(path, { name, ...body });
  const user = await openPage(ADMINISTRATOR, `${page}/${id}`);
  const field = await screen.findByLabelText('Name');
  await findConnected();
  await user.type(field, '2');
  await app.admin.request('DELETE', `${path}/${id}`);
  const notice = within(await screen.findByRole('alert'));
  // As it was stored, it is worth keeping, too.
  await user.type(field, '{Backspace}');
  expect(field).toHaveValue(name);
  await user.click(notice.getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(window.location.pathname).toBe(page));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test.each(DRAWN)('a $what of which nothing was changed is not found once a colleague deletes it', async (edited) => {
  const { path, page, body } = edited;
  const id = await make(path, { name: `Nights ${crypto.randomUUID()}`, ...body });
  await openPage(ADMINISTRATOR, `${page}/${id}`);
  const field = await screen.findByLabelText('Name');
  await findConnected();
  await app.admin.request('DELETE', `${path}/${id}`);
  expect(await screen.findByText(/not found$/)).toBeVisible();
  expect(field).not.toBeInTheDocument();
});

test.each(DRAWN)('the page of a $what stays as it is until what is deleted there is gone', async (edited) => {
  const { path, page, body } = edited;
  const name = `Nights ${crypto.randomUUID()}`;
  const id = await make(path, { name, ...body });
  const answer = Promise.withResolvers<void>();
  intercept('DELETE', `${path}/${id}`, async (_call, go) => {
    const deleted = await go();
    await answer.promise;
    return deleted;
  });
  const user = await openPage(ADMINISTRATOR, `${page}/${id}`);
  await user.click(await screen.findByText('Delete…'));
  await findConnected();
  const isRead = Promise.withResolvers<void>();
  intercept('GET', new RegExp(`^${path}`), async (_call, go) => {
    const read = await go();
    if (!(await read.clone().text()).includes(id)) isRead.resolve();
    return read;
  });
  await user.click((await findDialog()).getByText('Delete'));
  await isRead.promise;
  // What the page would do with the answer comes before its next answer.
  await app.inbox();
  expect(screen.getByRole('heading', { level: 1, name, hidden: true })).toBeInTheDocument();
  expect(screen.queryByRole('alert')).toBeNull();
  answer.resolve();
  await waitFor(() => expect(window.location.pathname).toBe(page));
  expect(screen.queryByText(/not found$/)).toBeNull();
});
