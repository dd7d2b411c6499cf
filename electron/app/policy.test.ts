import { expect, test } from 'vitest';
import { readPolicy } from './policy.ts';

/** As `reg query` writes it on Windows 11. */
const registry = (key: string, ...lines: string[]) =>
  `\r\n${key}\r\n${lines.map((line) => `    ${line}\r\n`).join('')}\r\n`;

const MACHINE = String.raw`HKLM\Software\Policies\Alertdesk`;
const PERSON = String.raw`HKCU\Software\Policies\Alertdesk`;

function read(texts: Record<string, string>, argv: string[] = [], platform: NodeJS.Platform = 'win32') {
  const invalid: string[] = [];
  const policy = readPolicy({
    argv: ['Alertdesk.exe', ...argv],
    platform,
    query: (key) => texts[key] ?? '',
    onInvalid: (value) => invalid.push(value),
  });
  return { url: policy.server?.kind === 'team-server' ? policy.server.url : undefined, invalid, policy };
}

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
