import { expect, test } from 'vitest';
import type { OutgoingEvent } from '#backend/contract/outgoing.ts';
import { SAMPLE_ALERT, contentOf } from '#backend/outgoing/destinations/message-content.ts';
import { JIRA_EMAIL, JIRA_TOKEN, jiraService } from '#tests/support/jira-service.ts';
import { createDeliver } from './deliver.ts';
import { NO_SETTINGS, type Target } from './destination-entity.ts';

const target: Target = {
  ...NO_SETTINGS,
  id: '',
  kind: 'jira',
  name: 'Jira',
  url: 'https://jira.example.com',
  account: JIRA_EMAIL,
  room: 'OPS',
  secrets: { token: JIRA_TOKEN },
  oldSecretUntil: null,
};

/** Sends messages of an alert that is completed by now to a Jira, the one after the other. */
function completedIn(jira: ReturnType<typeof jiraService>) {
  const deliver = createDeliver({
    mail: undefined,
    post: {
      send({ method = 'POST', url, headers, body = '' }) {
        const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
        const answer = jira.rules({ method, path: url.replace(target.url ?? '', ''), headers: lowered, body });
        return Promise.resolve({ status: 500, body: '', retryAfter: undefined, ...answer });
      },
    },
  });
  return (event: OutgoingEvent, { by = null, isSentAgain = false }: { by?: string | null; isSentAgain?: boolean }) => {
    const alert = { ...SAMPLE_ALERT, status: 'completed' as const };
    const payload = contentOf(alert, { event, at: Date.now(), by }, new URL('https://desk.example.com'));
    const known = { remote: jira.tickets[0]?.id ?? null, isRepeat: false, mayBeThere: false, triedAt: null };
    const live = { ...known, event, isSentAgain };
    return deliver(target, { id: 'id', payload, live }, new AbortController().signal);
  };
}

test.each([
  [null, 'Resolved by its sender.'],
  ['Ada', 'Completed by Ada in Alertdesk.'],
])('the ticket of a problem that is over before it is made says who completed it: %s', async (by, said) => {
  const jira = jiraService();
  const send = completedIn(jira);
  await send('new', {});
  await send('completed', { by });
  expect(jira.tickets.map(({ state, comments }) => [state, comments.map(({ text }) => text)])).toEqual([
    ['closed', [said]],
  ]);
});

test('what is sent again of a problem that is over makes a closed ticket', async () => {
  const jira = jiraService();
  await completedIn(jira)('new', { isSentAgain: true });
  expect(jira.tickets.map(({ state }) => state)).toEqual(['closed']);
});
