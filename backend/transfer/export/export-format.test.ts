import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ExportKind, EXPORT_VERSION, columnOf, writeLine } from './export-kind.ts';
import { EXPORT_KINDS, TABLES_LEFT_OUT } from './export-kinds.ts';
import { PROJECT_DIR } from '#scripts/ensure-web-build.ts';

/** `docs/export-format.md`, made of the kinds. */
function describeFormat(): string {
  const lines = [
    '# The lines of an export',
    '',
    '`npm run export -- FILE` ([operations](operations.md#export)) and "Download my data" on My account write JSON lines: UTF-8, one object a line. This page is',
    'made from what they write by `npx vitest run --project unit backend/transfer/export -u`, and the same test fails when it is out of date.',
    '',
    `- The first line has the type \`export\`: \`format\` (\`alertdesk-export\`), \`version\` (${EXPORT_VERSION}), \`product\` (the version of Alertdesk), \`exportedAt\`,`,
    '  `scope` (`installation` or `member`) and, for a member, `userId`.',
    '- The last line has the type `end`: `lines` between these two, and `counts` of each type. A file without it is not whole.',
    '- Every other line has a `type` of those below, and every field that is listed there; what is not known is `null`.',
    '- Times are ISO 8601 in UTC with milliseconds. Values of the type json stand as they came, every digit of their numbers.',
    '- What is named by an id comes before: accounts, sources, alerts with their history and notes, the audit trail. Of a member, the history follows some alerts',
    '  at a time. A row may outlive what it names, such as the history of an alert that was deleted.',
    '- A higher `version` means that a program for this one would misread the file. New types and fields may come without it.',
    '',
    'Lines of a member are those whose account, owner, author or actor they are, and the history of alerts that are theirs now, without names of others’ folders.',
  ];
  for (const { kind, table, about, fields, leftOut = {}, own } of EXPORT_KINDS) {
    lines.push(
      '',
      `## \`${kind}\``,
      '',
      `${about} Table \`${table}\`${own ? '; also in the export of a member' : ''}.`,
      '',
    );
    for (const [name, field] of Object.entries(fields)) lines.push(`- \`${name}\` (${field.type}): ${field.about}`);
    for (const [column, reason] of Object.entries(leftOut)) lines.push(`- Left out: \`${column}\`. ${reason}`);
  }
  lines.push('', '## Tables that are in no export', '');
  for (const [table, reason] of Object.entries(TABLES_LEFT_OUT)) lines.push(`- \`${table}\`: ${reason}`);
  return `${lines.join('\n')}\n`;
}

test('docs/export-format.md is made from the kinds of lines', async () => {
  await expect(describeFormat()).toMatchFileSnapshot(join(PROJECT_DIR, 'docs/export-format.md'));
});

test('kinds and tables are named once', () => {
  const kinds = EXPORT_KINDS.map(({ kind }) => kind);
  expect(kinds.filter((kind, at) => kinds.indexOf(kind) !== at || ['export', 'end'].includes(kind))).toEqual([]);
  expect(EXPORT_KINDS.filter(({ fields }) => 'type' in fields).map(({ kind }) => kind)).toEqual([]);
});

test('fields are columns in camel case', () => {
  expect(['id', 'receivedAt', 'previousAlertId'].map(columnOf)).toEqual(['id', 'received_at', 'previous_alert_id']);
});

const KIND: ExportKind = {
  kind: 'sample',
  table: 'samples',
  about: '',
  key: ['id'],
  fields: {
    payload: { type: 'json', about: '' },
    name: { type: 'text', about: '' },
    seenAt: { type: 'time', about: '' },
  },
};

test.each([
  [
    { payload: '{"a": 1.10,\r\n  "b": "x\\n"}', name: 'A "b"\n', seen_at: '1764000000123' },
    '{"type":"sample","payload":{"a": 1.10,   "b": "x\\n"},"name":"A \\"b\\"\\n","seenAt":"2025-11-24T16:00:00.123Z"}',
  ],
  [
    { payload: '', name: null, seen_at: 0 },
    '{"type":"sample","payload":null,"name":null,"seenAt":"1970-01-01T00:00:00.000Z"}',
  ],
])('a row is one line: %j', (row, line) => {
  expect(writeLine(KIND, row)).toBe(line);
});
