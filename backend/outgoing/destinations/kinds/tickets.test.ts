import { expect, test } from 'vitest';
import { SAMPLE_ALERT, contentOf } from '#backend/outgoing/destinations/message-content.ts';
import { faultOfTemplate, fill, valuesOf } from '#backend/outgoing/destinations/ticket-template.ts';
import { NO_SETTINGS, type Target } from '#backend/outgoing/destinations/destination-entity.ts';
import { jiraKind } from './jira.ts';
import { escapeMarkdown, markerOf, ticketOf } from './ticket.ts';

const payloadOf = (change: Partial<typeof SAMPLE_ALERT> = {}) =>
  contentOf({ ...SAMPLE_ALERT, ...change }, { event: 'new', at: 0, by: null }, new URL('https://desk.example.com'));
const values = valuesOf(payloadOf({ customer: null }), { priority: 'Highest', urgency: '1' });
const filled = (template: string) => fill(template, values, (text) => text);
const target: Target = { ...NO_SETTINGS, id: '', kind: 'jira', name: 'Jira', secrets: {}, oldSecretUntil: null };

test.each([
  ['{{title}} ({{priority}})', 'Disk almost full on db-7 (Highest)'],
  ['Host {{fields.host}}, {{fields["region"]}}', 'Host db-7.harbor.example, eu-west-1'],
  ['a\nCustomer: {{customer}}\nb', 'a\nb'],
  ['{{customer}}/{{type}}', '/HostOutOfDiskSpace'],
  ['{{details}}', 'host: db-7.harbor.example\navailable: 1.8 %\nregion: eu-west-1'],
])('the template %s', (template, expected) => expect(filled(template)).toBe(expected));

test('a template finds a field by its own name, and by the one that messages show', () => {
  const { data, ...rest } = payloadOf({ payload: '{"order_id":42,"details":{"cost_center":"Ops"}}' });
  const found = valuesOf({ ...rest, data }, { priority: '', urgency: '' });
  const written = '{{fields.order_id}} {{fields["order id"]}} {{fields.cost_center}}';
  expect(fill(written, found, (text) => text)).toBe('42 42 Ops');
});

test.each([
  ['{{title}} and {{fields.host}}', undefined],
  ['{{title', 'Line 1, character 1: {{ is not closed. Add }} behind the path.'],
  ['a\nb {{titel}}', expect.stringMatching(/^Line 2, character 5: There is no value titel\. There are: title, /)],
  ['{{fields}}', 'Line 1, character 3: Name a field of the alert, as in fields.host.'],
  ['{{title.length}}', 'Line 1, character 3: title has no parts.'],
  ['{{$.title}}', expect.stringMatching(/^Line 1, character 3: \$\.title is no name of a value\./)],
])('what is wrong with the template %s', (template, fault) => expect(faultOfTemplate(template)).toEqual(fault));

test('a ticket has the link to its alert and the marker, whatever its templates say and however long they are', () => {
  const payload = payloadOf();
  const { summary, description } = ticketOf(
    jiraKind,
    { ...target, ticketTemplates: { summary: `{{title}}\n${'long '.repeat(100)}`, description: 'x'.repeat(40_000) } },
    payload,
  );
  expect(summary).toHaveLength(255);
  expect(summary).toMatch(/^Disk almost full on db-7 long .*…$/);
  expect(description.length).toBeLessThanOrEqual(32_767);
  expect(
    description.endsWith(`\n\n${payload.data.alert.link}\nAlertdesk reference: ${markerOf(payload.data.alert.id)}`),
  ).toBe(true);
});

test.each([
  ['@all see #12 and !3', '@\u200Ball see #\u200B12 and !\u200B3'],
  ['/close\n  /assign @me', String.raw`\/close` + '\n' + String.raw`  \/assign ` + '@\u200Bme'],
  ['<!-- x --> **b** `c`', String.raw`\<!-- x --\> \*\*b\*\* \`c\``],
  ['see https://x.example/a_b?c=*d', String.raw`see https://x.example/a_b?c=\*d`],
])('Markdown shows %j as it is', (text, expected) => expect(escapeMarkdown(text)).toBe(expected));
