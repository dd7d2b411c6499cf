import { expect, test } from 'vitest';
import { type Store, memorySchema } from '#electron/store.ts';
import { readPolicy } from './policy.ts';

/** As `reg query` writes it on Windows 11. */
const registry = (key: string, ...lines: string[]) =>
  `\r\n${key}\r\n${lines.map((line) => `    ${line}\r\n`).join('')}\r\n`;

const POLICIES = String.raw`HKLM\Software\Policies`;
const MACHINE = String.raw`HKLM\Software\Policies\Alertdesk`;
const PERSON = String.raw`HKCU\Software\Policies\Alertdesk`;

/** As `reg` ends for a key that there is not, and where an administrator forbids it. */
const failed = () => Object.assign(new Error('Command failed: reg.exe query'), { status: 1 });

function readWith(
  query: (key: string) => string,
  more: { argv?: string[]; platform?: NodeJS.Platform; store?: Store },
) {
  const { argv = [], platform = 'win32', store = openMemory() } = more;
  const invalid: string[] = [];
  const unreadable: unknown[] = [];
  const policy = readPolicy({
    argv: ['Alertdesk.exe', ...argv],
    platform,
    store,
    query,
    onInvalid: (value) => invalid.push(value),
    onUnreadable: (error) => unreadable.push(error),
  });
  return { url: policy.server?.kind === 'team-server' ? policy.server.url : undefined, invalid, unreadable, policy };
}

/** What the app remembers, on no disk. */
function openMemory(): Store {
  let memory = memorySchema.parse({});
  return { get: () => memory, change: (part) => void (memory = { ...memory, ...part }) };
}

/** The registry with these keys, and those that every Windows has. */
const registryOf =
  (texts: Record<string, string>) =>
  (key: string): string => {
    const text = { [POLICIES]: `\r\n${POLICIES}\\Microsoft\r\n`, ...texts }[key];
    if (text === undefined) throw failed();
    return text;
  };

const read = (texts: Record<string, string>, argv: string[] = [], platform: NodeJS.Platform = 'win32') =>
  readWith(registryOf(texts), { argv, platform });

test('the server is the machine’s, else the person’s, else the command line’s', () => {
  const machine = { [MACHINE]: registry(MACHINE, 'ServerUrl    REG_SZ    https://machine.example') };
  const person = { [PERSON]: registry(PERSON, 'ServerUrl    REG_SZ    https://person.example/') };
  const argv = ['--server=https://given.example'];
  expect(read({ ...machine, ...person }, argv).url).toBe('https://machine.example');
  expect(read(person, argv).url).toBe('https://person.example');
  expect(read({}, argv).url).toBe('https://given.example');
  expect(read({}).url).toBeUndefined();
});

test('an address that is none is reported, and people choose', () => {
  expect(read({ [MACHINE]: registry(MACHINE, 'ServerUrl    REG_SZ    http://alerts.example.com') })).toMatchObject({
    url: undefined,
    invalid: ['http://alerts.example.com'],
  });
});

test('beside a link the command line counts for nothing', () => {
  const argv = ['alertdesk://alert/x', '--server=https://evil.example'];
  expect(read({}, argv).url).toBeUndefined();
});

test('other values and other systems have nothing to say', () => {
  const other = {
    [MACHINE]: registry(MACHINE, 'OldServerUrl    REG_SZ    https://other.example', 'ServerUrl    REG_BINARY    00'),
  };
  expect(read(other).url).toBeUndefined();
  const set = { [MACHINE]: registry(MACHINE, 'ServerUrl    REG_SZ    https://machine.example') };
  expect(read(set, [], 'linux').url).toBeUndefined();
});

const dumps = (value: string) => ({ [MACHINE]: registry(MACHINE, `CrashDumps    REG_DWORD    ${value}`) });

test('crash dumps are kept unless a policy switches them off', () => {
  expect(read({}).policy.keepsCrashDumps).toBe(true);
  expect(read(dumps('0x1')).policy.keepsCrashDumps).toBe(true);
  expect(read(dumps('0x0')).policy.keepsCrashDumps).toBe(false);
});

const blocked = (): string => {
  throw failed();
};
const late = (): string => {
  throw Object.assign(new Error('spawnSync reg.exe ETIMEDOUT'), { code: 'ETIMEDOUT', status: null });
};

test.each([
  ['is forbidden', blocked],
  ['takes too long', late],
])('what the policies said last stands where reading them %s', (_, query) => {
  const store = openMemory();
  expect(readWith(query, { store })).toMatchObject({ url: undefined, unreadable: [expect.any(Error)] });

  const set = {
    [MACHINE]: registry(MACHINE, 'ServerUrl    REG_SZ    https://machine.example', 'CrashDumps    REG_DWORD    0x0'),
  };
  expect(readWith(registryOf(set), { store })).toMatchObject({ url: 'https://machine.example', unreadable: [] });
  expect(readWith(query, { store })).toMatchObject({
    url: 'https://machine.example',
    policy: { keepsCrashDumps: false },
    unreadable: [expect.any(Error)],
  });

  // The administrator has taken the policy back.
  expect(readWith(registryOf({}), { store })).toMatchObject({ url: undefined, unreadable: [] });
  expect(readWith(query, { store }).url).toBeUndefined();
});
