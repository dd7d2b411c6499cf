import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DEFAULT_SOURCE_SETTINGS } from '#backend/contract/source.ts';
import { readConfigurationFile } from './read-file.ts';
import { writeConfiguration } from './write-file.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'alertdesk-read-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** What a file is read as, or the errors without the folder. */
async function read(text: string, environment: Record<string, string> = {}) {
  const file = join(dir, 'a.yaml');
  await writeFile(file, text);
  return readConfigurationFile(file, environment).catch((error: Error) => error.message.replaceAll(`${dir}/`, ''));
}

test.each([
  ['groups: [\n', /^a\.yaml:2:1: Flow sequence/],
  ['groups: []\ngroups: []\n', /^a\.yaml:2:1: Map keys must be unique/],
  ['- groups\n', /names no section\. There are sources, /],
  ['group: []\n', /^a\.yaml:1:1: group: There is no section of this name\. There are sources, /],
  ['groups:\n  - members: []\n', /^a\.yaml:2:5: groups, entry 1, name: Invalid input/],
  ['groups:\n  - name: Night\n    members: [nobody]\n', /^a\.yaml:3:15: groups "Night", members\.0: Invalid email/],
  [
    'heartbeats:\n  - name: B\n    graceSeconds: 60\n    schedule: { kind: interval, everySeconds: 60, jitter: 1 }\n',
    /^a\.yaml:4:51: heartbeats "B", schedule\.jitter: There is no field of this name here/,
  ],
  [
    'destinations:\n  - name: Chat\n    kind: slack\n    url: https://hooks.slack.com/canary\n',
    /^a\.yaml:4:5: destinations "Chat", url: Write a secret as/,
  ],
  [
    'destinations:\n  - { name: Chat, kind: slack, url: { file: missing } }\n',
    /^a\.yaml:2:32: destinations "Chat", url: The file missing cannot be read\./,
  ],
])('%j is described where it is wrong', async (text, message) => {
  const described = await read(text);
  expect(described).toMatch(message);
  expect(described).not.toContain('canary');
});

test('aliases that repeat each other are not followed without end', async () => {
  const rows = Array.from({ length: 12 }, (_, at) => `  - &a${at + 1} [${Array(9).fill(`*a${at}`).join(', ')}]`);
  expect(await read(`groups:\n  - &a0 [x]\n${rows.join('\n')}\n`)).toContain('Excessive alias count');
});

const bot = (name: string, reference: string) =>
  `  - { name: ${name}, kind: telegram, room: "1", token: ${reference} }\n`;

test('secrets come from variables and files beside it; what is not set is said and left out', async () => {
  await writeFile(join(dir, 'token'), 'from-a-file\n');
  const text = `destinations:\n${bot('A', '{ env: A }')}${bot('B', '{ file: token }')}${bot('C', '{ env: C }')}`;
  expect(await read(text, { A: 'from-a-variable' })).toMatchObject({
    configuration: { destinations: [{ token: 'from-a-variable' }, { token: 'from-a-file' }, { name: 'C' }] },
    remarks: ['C: C is not set, so what is stored as token stays.'],
  });
});

test('a written file has names first and no defaults', () => {
  const text = writeConfiguration({
    views: [{ name: 'Worst', list: 'inbox', search: '', sort: 'newest' }],
    destinations: [{ kind: 'telegram', name: 'Ops 1', room: '1', isPaused: false }],
  });
  expect(text).toContain('views:\n  - name: Worst\n    list: inbox\n');
  expect(text).toContain('- name: Ops 1\n    kind: telegram\n    room: "1"\n    # token: { env: OPS_1_TOKEN }');
  expect(text).toContain('sources: []');
});

const source = (name: string, signature: 'github' | null) => {
  const { auth, ...settings } = DEFAULT_SOURCE_SETTINGS;
  return { ...settings, name, isPaused: false, auth: { ...auth, signature } };
};

test('a written file has a place for the signing secret of each source that requires a signature, and of no other', () => {
  const text = writeConfiguration({ sources: [source('Hub', 'github'), source('Plain', null)] });
  expect(text).toContain('# signingSecret: { env: HUB_SIGNING_SECRET }');
  expect(text).not.toContain('PLAIN_SIGNING_SECRET');
});
