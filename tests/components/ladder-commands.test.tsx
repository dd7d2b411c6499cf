import { screen, within } from '@testing-library/dom';
import { expect, onTestFinished, test } from 'vitest';
import { ladderRunListSchema } from '#backend/contract/ladder.ts';
import { outgoingRuleSchema } from '#backend/contract/outgoing.ts';
import { ADMINISTRATOR, appServer, findToast, intercept, json, openPage } from './support/open-page.tsx';

const STOP = /\/ladders\/[^/]+\/stop$/;

/** Opens an alert whose ladder has a second step, on the tab that says what happens next. */
async function openLadder() {
  const { admin, post } = await appServer();
  const customer = crypto.randomUUID();
  const body = {
    name: `Rule ${customer}`,
    search: `customer:"${customer}"`,
    events: ['new'],
    destinationIds: [],
    ladder: {
      steps: [0, 5].map((afterMinutes) => ({ afterMinutes, recipients: [{ kind: 'online' }] })),
      repeat: 0,
      isUrgent: false,
    },
  };
  const made = await admin.request('POST', '/api/outgoing/rules', body);
  const { id } = outgoingRuleSchema.parse(await made.json());
  onTestFinished(async () => void (await admin.request('DELETE', `/api/outgoing/rules/${id}`)));
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
  const sent: string[] = [];
  intercept('POST', STOP, ({ url }, go) => {
    sent.push(url.pathname);
    return go();
  });
  const { user, next } = await openLadder();
  await user.click(next.getByRole('button', { name: 'Stop' }));
  const toast = within(await findToast('Stopping the ladder'));
  expect(toast.getByRole('button', { name: 'Undo' })).toBeVisible();
  expect(sent).toEqual([]);
  expect(await screen.findByText(/Stopped by .* after 1 step/)).toBeVisible();
  expect(sent).toHaveLength(1);
});
