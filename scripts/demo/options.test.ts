import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

const read = (...args: string[]) => readOptions(args, () => 42);

test('without options it is a steady stream of one alert per second to the server on this machine', () => {
  expect(read()).toEqual({
    url: new URL('http://127.0.0.1:4400'),
    mode: { kind: 'steady', rate: 1 },
    concurrency: 64,
    seed: 42,
    sender: undefined,
    ledger: undefined,
  });
});

test('reads every option', () => {
  expect(
    read('--url', 'https://alerts.example.org', '--burst', '5000', '--concurrency=8', '--seed=7', '--ledger', 'ids'),
  ).toEqual({
    url: new URL('https://alerts.example.org'),
    mode: { kind: 'burst', count: 5000 },
    concurrency: 8,
    seed: 7,
    sender: undefined,
    ledger: 'ids',
  });
  expect(read('--from', 'samples')?.mode).toEqual({ kind: 'from', folder: 'samples' });
  expect(read('--rate', '0.5')?.mode).toEqual({ kind: 'steady', rate: 0.5 });
  expect(read('--sender', 'uptime-kuma')?.sender).toBe('uptime-kuma');
  expect(read('--help')).toBeUndefined();
});

test.for([
  [['--burst', '0'], '--burst has the value "0", but allowed is a whole number from 1 to 10000000.'],
  [['--burst', 'many'], '--burst has the value "many"'],
  [['--rate', '-1'], '"npm run demo -- --help" lists the options.'],
  [['--rate', 'x'], '--rate has the value "x", but allowed is a number above 0, up to 1000 per second.'],
  [['--url', 'ftp://x'], '--url has the value "ftp://x"'],
  [
    ['--sender', 'nagios'],
    '--sender has the value "nagios", but allowed is one of alertmanager, argocd, azure-devops,',
  ],
  [['--burst', '1', '--from', 'x'], 'Choose one of --rate, --burst and --from.'],
  [['--brust', '1'], "Unknown option '--brust'"],
  [['1000'], '"npm run demo -- --help" lists the options.'],
] as const)('refuses %j in one sentence', ([args, sentence]) => {
  expect(() => read(...args)).toThrow(sentence);
});
