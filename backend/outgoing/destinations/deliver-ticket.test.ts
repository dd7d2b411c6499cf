import { expect, test } from 'vitest';
import type { OutgoingEvent } from '#backend/contract/outgoing.ts';
import { SAMPLE_ALERT, contentOf } from '#backend/outgoing/destinations/message-content.ts';
import { JIRA_EMAIL, JIRA_TOKEN, jiraService } from '#tests/support/jira-service.ts';
import { GITHUB_REPOSITORY, GITHUB_TOKEN, githubService } from '#tests/support/github-service.ts';
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

test('an issue of GitHub whose answer was lost is found behind a hundred newer ones, and older ones end the search', async () => {
  const github = githubService();
  const asked: string[] = [];
  let isLost = true;
  const deliver = createDeliver({
    mail: undefined,
    post: {
      send({ method = 'POST', url, headers, body = '' }) {
        const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
        const path = url.replace('https://github.example.com', '');
        if (method === 'GET') asked.push(path);
        const answer = github.rules({ method, path, headers: { ...lowered, 'user-agent': 'Alertdesk' }, body });
        const lost = isLost && method === 'POST' ? { status: 502, body: '' } : answer;
        return Promise.resolve({ status: 500, body: '', retryAfter: undefined, ...lost });
      },
    },
  });
  const ops = { ...target, kind: 'github', url: 'https://github.example.com', room: GITHUB_REPOSITORY } as const;
  const issuesOf: Target = { ...ops, secrets: { token: GITHUB_TOKEN } };
  const alert = { ...SAMPLE_ALERT, receivedAt: Date.now() };
  const payload = contentOf(alert, { event: 'new', at: Date.now(), by: null }, new URL('https://desk.example.com'));
  const send = (isRepeat: boolean) => {
    const known = { remote: null, isRepeat, mayBeThere: isRepeat, triedAt: isRepeat ? Date.now() : null };
    const live = { ...known, event: 'new' as const, isSentAgain: false };
    return deliver(issuesOf, { id: 'id', payload, live }, new AbortController().signal);
  };
  await send(false);
  const [made] = github.tickets;
  expect(github.tickets).toHaveLength(1);
  isLost = false;
  for (let count = 0; count < 150; count += 1)
    github.tickets.push({ ...made!, id: String(1_000 + count), summary: 'Another', description: 'Another' });
  expect(await send(true)).toMatchObject({ outcome: 'sent', answer: `Created #${made?.id}` });
  expect(github.tickets).toHaveLength(151);
  expect(asked.map((path) => new URLSearchParams(path.split('?')[1]).get('page'))).toEqual(['1', '2']);

  // Not one of them is of this alert, and all on the first page are older than it.
  asked.length = 0;
  const old = new Date(Date.now() - 3_600_000).toISOString();
  for (const ticket of github.tickets) Object.assign(ticket, { description: 'Another', createdAt: old });
  expect(await send(true)).toMatchObject({ outcome: 'sent' });
  expect([github.tickets.length, asked.length]).toEqual([152, 1]);
});
