import { fireEvent, screen, waitFor, within } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { ladderRunListSchema } from '#backend/contract/ladder.ts';
import type { ReceiptList } from '#backend/contract/outgoing-receipt.ts';
import { outgoingRuleSchema } from '#backend/contract/outgoing.ts';
import { sessionSchema } from '#backend/contract/session.ts';
import { choosePerson, findPerson } from './support/choose-person.ts';
import { ADMINISTRATOR, appServer, findToast, intercept, json, openPage } from './support/open-page.tsx';

const STOP = /\/ladders\/[^/]+\/stop$/;

/** A rule whose ladder has a second step, and of what alerts it is. */
async function makeLadder() {
  const { admin } = await appServer();
  const customer = crypto.randomUUID();
  const me = sessionSchema.parse(await (await admin.request('GET', '/api/auth/session')).json());
  const body = {
    name: `Rule ${customer}`,
    search: `customer:"${customer}"`,
    events: ['new'],
    destinationIds: [],
    ladder: {
      steps: [0, 5].map((afterMinutes) => ({ afterMinutes, recipients: [{ kind: 'member', id: me.id }] })),
      repeat: 0,
      isUrgent: false,
    },
  };
  const made = await admin.request('POST', '/api/outgoing/rules', body);
  const { id } = outgoingRuleSchema.parse(await made.json());
  onTestFinished(async () => void (await admin.request('DELETE', `/api/outgoing/rules/${id}`)));
  return { id, customer };
}

/** Opens an alert whose ladder has a second step, on the tab that says what happens next. */
async function openLadder() {
  const { post } = await appServer();
  const { customer } = await makeLadder();
  const user = await openPage(ADMINISTRATOR, `/alert/${await post({ customer })}`);
  await user.click(await screen.findByRole('tab', { name: /Notified/ }));
  const next = within(await screen.findByRole('region', { name: 'What happens next' }));
  await next.findByRole('listitem', { name: 'Step 1, done' });
  return { user, next };
}

test('Stop is sent at once where the next step would come before it could no longer be undone', async () => {
  const soon = new Date(Date.now() + 3_000).toISOString();
  intercept('GET', /\/api\/alerts\/[^/]+\/ladders$/, async (_call, go) => {
    const runs = ladderRunListSchema.parse(await (await go()).json());
    for (const step of runs.flatMap(({ steps }) => steps)) if (step.state === 'next') step.at = soon;
    return json(runs);
  });
  const { user, next } = await openLadder();
  await user.click(next.getByRole('button', { name: 'Stop' }));
  const toast = within(await findToast('Ladder stopped'));
  expect(toast.queryByRole('button', { name: 'Undo' })).toBeNull();
  expect(await screen.findByText(/Stopped by .* after 1 step/)).toBeVisible();
});

test('Stop is sent after its five seconds, also while the pointer is over its toast, which says so', async () => {
  const sent: number[] = [];
  intercept('POST', STOP, (_call, go) => {
    sent.push(performance.now());
    return go();
  });
  const { user, next } = await openLadder();
  const clickedAt = performance.now();
  await user.click(next.getByRole('button', { name: 'Stop' }));
  const toast = within(await findToast('Stopping the ladder'));
  expect(toast.getByRole('button', { name: 'Undo' })).toBeVisible();
  expect(await screen.findByText(/Stopped by .* after 1 step/)).toBeVisible();
  expect(sent).toHaveLength(1);
  const [sentAt = clickedAt] = sent;
  expect(sentAt - clickedAt).toBeGreaterThanOrEqual(4_900);
});

test('a ladder that is switched off by mistake has its steps when it is switched on again', async () => {
  const user = await openPage(ADMINISTRATOR, '/admin/outgoing/rules/new');
  const isStepwise = await screen.findByRole('checkbox', { name: 'Notify people step by step' });
  await user.click(isStepwise);
  await user.click(screen.getByRole('button', { name: 'Add a step' }));
  await user.click(isStepwise);
  expect(screen.queryByLabelText('When step 1 comes')).toBeNull();
  await user.click(isStepwise);
  expect(screen.getByLabelText('When step 2 comes')).toBeVisible();
});

test('a ladder that has ended opens to its steps, with whom they notified', async () => {
  const { user, next } = await openLadder();
  await user.click(next.getByRole('button', { name: 'Stop' }));
  const ended = await screen.findByRole('button', { name: /Stopped by .* after 1 step/ });
  expect(ended).toHaveAttribute('aria-expanded', 'false');
  expect(screen.queryByRole('listitem', { name: 'Step 1, done' })).toBeNull();
  await user.click(ended);
  const step = screen.getByRole('listitem', { name: 'Step 1, done' });
  expect(step).toHaveTextContent(new RegExp(`${ADMINISTRATOR.displayName} (?:by|no page open)`));
  // It was not taken: nobody was to be notified by it.
  expect(screen.queryByRole('listitem', { name: 'Step 2, later' })).toBeNull();
});

test('who was notified of an alert follows what is sent while it is in front', async () => {
  const app = await appServer();
  const answers: ReceiptList[] = [{ receipts: [], tickets: [], emptyReason: 'no-match' }];
  intercept('GET', /\/api\/alerts\/[^/]+\/receipts$/, () => json(answers.at(-1)));
  const user = await openPage(ADMINISTRATOR, `/alert/${await app.post({ customer: 'Nordwind' })}`);
  await user.click(await screen.findByRole('tab', { name: /Notified/ }));
  expect(await screen.findByText('No message went to a destination')).toBeVisible();
  const ticket = {
    destinationId: 'jira',
    destinationName: 'Ops board',
    key: 'OPS-17',
    url: 'https://jira.example.com/browse/OPS-17',
    state: 'open' as const,
  };
  answers.push({ receipts: [], tickets: [ticket], emptyReason: 'no-match' });
  expect((await screen.findAllByRole('link', { name: 'OPS-17' }))[0]).toBeVisible();
});

test('a dry run begins when it is said to, with the day of each step, and names a change of clocks', async () => {
  const app = await appServer();
  const ann = await app.addMember('Ann Archer', 'admin');
  const client = await app.signIn(ann);
  expect((await client.request('PATCH', '/api/auth/profile', { timeZone: 'America/New_York' })).ok).toBe(true);
  const { id } = await makeLadder();
  const froms: unknown[] = [];
  intercept('POST', '/api/outgoing/ladder-preview', ({ body }, go) => {
    froms.push(JSON.parse(body).at);
    return go();
  });
  await openPage(ann, `/admin/outgoing/rules/${id}`);
  const dryRun = within(await screen.findByRole('region', { name: 'If an alert came now' }));
  expect(await dryRun.findByText(/^Step 2:/)).toBeVisible();
  expect(froms.at(-1)).toBeUndefined();
  expect(dryRun.queryByText(/^The clocks change/)).toBeNull();
  fireEvent.change(dryRun.getByLabelText('From'), { target: { value: '2031-03-09T01:58' } });
  expect(await dryRun.findByText('The clocks change before this step.')).toBeVisible();
  expect(froms.at(-1)).toBe('2031-03-09T06:58:00.000Z');
  const [first, second] = dryRun.getAllByRole('listitem');
  expect(first).toHaveTextContent('Mar 9, 2031, 1:58 AM');
  expect(second).toHaveTextContent('Mar 9, 2031, 3:03 AM');
  expect(second).toHaveTextContent('The clocks change before this step.');
});

/** How many a second step notifies. */
const countOfSecond = () => screen.queryAllByRole('button', { name: /^Remove .* from step 2$/ }).length;

test('keys that go through whom a step can notify add nobody until one is chosen', async () => {
  const { id } = await makeLadder();
  const user = await openPage(ADMINISTRATOR, `/admin/outgoing/rules/${id}`);
  const whom = await screen.findByRole('button', { name: 'and… Whom else step 2 notifies' });
  await waitFor(() => expect(countOfSecond()).toBe(1));
  whom.focus();
  await user.keyboard('{ArrowDown}e{Enter}');
  await findPerson('Everybody online');
  await user.keyboard('{ArrowDown}{ArrowDown}{Escape}');
  await waitFor(() => expect(screen.getByRole('button', { name: 'and… Whom else step 2 notifies' })).toHaveFocus());
  expect(countOfSecond()).toBe(1);
  await user.keyboard('{Enter}');
  await choosePerson(user, 'Everybody online');
  await waitFor(() => expect(countOfSecond()).toBe(2));
  await waitFor(() => expect(screen.getByRole('button', { name: 'and… Whom else step 2 notifies' })).toHaveFocus());
});
