import { expect, test } from 'vitest';
import { HistoryEntity } from '#backend/alerts/alert/history.ts';
import type { OutgoingEvent } from '#backend/contract/outgoing.ts';
import { JIRA_EMAIL, JIRA_TOKEN, jiraService } from '#tests/support/jira-service.ts';
import { liveTelegram } from '#tests/support/live-chat-services.ts';
import { must } from '#tests/support/write-routes.ts';
import { useOutgoingServer } from '#tests/support/outgoing-server.ts';

const TOKEN = '123456789:AAE-abcdefghij_klmnopqrstuvwx1234';

const on = useOutgoingServer();
const { receive, post } = on;

/** A chat that is sent what happens to alerts of one customer, and a problem of theirs as its sender reports it. */
async function chatOf(events: OutgoingEvent[] = ['new', 'accepted', 'completed']) {
  const customer = `Words ${crypto.randomUUID()}`;
  const telegram = liveTelegram(TOKEN, '-1001');
  const { url } = await receive(telegram.rules);
  const draft = { kind: 'telegram', url, token: TOKEN, room: '-1001' } as const;
  await on.addFor(customer, draft, events);
  return {
    customer,
    says: () => telegram.shown[0]?.text,
    report: (more: object) => post({ customer, type: 'disk', title: 'Disk full', dedupKey: customer, ...more }),
  };
}

test('a live message shows the fields of the newest report, as the alert itself does', async () => {
  const { says, report } = await chatOf();
  await report({ usage: '81 %' });
  await expect.poll(says).toContain('usage: 81 %');
  await report({ title: 'Disk fuller', usage: '97 %' });
  await expect.poll(says).toContain('2 times');
  expect(says()).toContain('usage: 97 %');
});

test('a live message says that its sender reports an end while somebody has the alert', async () => {
  const { says, report } = await chatOf();
  const id = await report({ status: 'firing' });
  await must(on.admin.send('POST', `/api/alerts/${id}/accept`, {}));
  await expect.poll(says).toContain('Accepted, Ada Admin');
  expect(says()).not.toContain('resolved');
  await report({ status: 'resolved' });
  await expect.poll(says).toContain('resolved by its sender');
  expect(says()).toContain('Accepted, Ada Admin');
  await must(on.admin.send('PATCH', `/api/webhooks/${id}/status`, { status: 'completed' }));
  await expect.poll(says).toContain('Completed, by Ada Admin');
  expect(says()).not.toContain('resolved by its sender');
});

test('a live message does not say that its owner completed what somebody completed elsewhere', async () => {
  const { customer, says, report } = await chatOf(['new', 'accepted']);
  const jira = jiraService();
  const { url } = await receive(jira.rules);
  await on.addFor(customer, { kind: 'jira', url, account: JIRA_EMAIL, token: JIRA_TOKEN, room: 'OPS' });
  const id = await report({});
  await must(on.admin.send('POST', `/api/alerts/${id}/accept`, {}));
  await expect.poll(says).toContain('Accepted, Ada Admin');
  // Where there is no ticket, what was tried instead is in the failure.
  await expect
    .poll(async () => {
      const { tickets, receipts } = await on.world.receipts(id);
      return tickets?.map(({ state }) => state) ?? receipts;
    })
    .toEqual(['open']);
  jira.move(0, 'closed');
  await on.server.database.transaction((tx) =>
    tx.query('UPDATE outgoing_live SET ask_at = 0 WHERE ask_at IS NOT NULL AND alert_id = ?', [id]),
  );
  await expect.poll(says).toContain('Completed');
  expect(says()).toContain('Completed, Ada Admin');
});

test('a live message says since when somebody has the alert, also after other changes', async () => {
  const { says, report } = await chatOf();
  const id = await report({});
  await must(on.admin.send('POST', `/api/alerts/${id}/accept`, {}));
  await expect.poll(says).toMatch(/Accepted, Ada Admin · since [A-Z][a-z]{2} \d{1,2}, \d\d:\d\d UTC/);
  const taken = Date.now() - 3_600_000;
  await on.server.database.transaction((tx) =>
    tx.getRepository(HistoryEntity).update({ alertId: id, action: 'accepted' }, { createdAt: taken }),
  );
  await must(on.admin.send('PATCH', `/api/webhooks/${id}/status`, { status: 'in-progress' }));
  await expect.poll(says).toContain('In Progress, Ada Admin');
  expect(says()).toContain(`since ${sinceOf(taken)}`);
});

const sinceOf = (at: number): string => {
  const [, day, month, , time] = /^\w+, (\d+) (\w+) (\d+) (\d\d:\d\d)/.exec(new Date(at).toUTCString()) ?? [];
  return `${month} ${Number(day)}, ${time} UTC`;
};
