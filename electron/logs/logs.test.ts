import { mkdir, mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openLogs, rotation } from './logs.ts';

const CANARY = 'cAnArY7f3b9d2e4a6c8';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'alertdesk-logs-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const lines = async (file: string): Promise<Record<string, unknown>[]> =>
  (await readFile(join(folder, file), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('logs', () => {
  test('of app, page and server lie in one folder, one JSON value a line', async () => {
    const logs = openLogs({ folder });
    logs.info('window opened', { width: 1440 });
    logs.error('could not load', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
    logs.page('error', 'Uncaught TypeError: %s and %d stay', { url: 'http://127.0.0.1:4400/', line: 12 });
    logs.server('{"level":40,"time":1700000000000,"pid":7,"hostname":"desk","url":"/webhook","msg":"slow request"}');
    logs.server('plain words\n');

    expect((await readdir(folder)).toSorted()).toEqual(['main.log', 'renderer.log', 'server.log']);
    expect(logs.path).toBe(join(folder, 'main.log'));
    expect(await lines('main.log')).toMatchObject([
      { level: 'info', message: 'window opened', details: { width: 1440 } },
      { level: 'error', message: 'could not load', details: { message: 'refused', code: 'ECONNREFUSED' } },
    ]);
    expect(await lines('renderer.log')).toMatchObject([
      { level: 'error', message: 'Uncaught TypeError: %s and %d stay', details: { line: 12 } },
    ]);
    expect(await lines('server.log')).toMatchObject([
      { time: '2023-11-14T22:13:20.000Z', level: 'warn', message: 'slow request', details: { url: '/webhook' } },
      { level: 'info', message: 'plain words' },
    ]);
  });

  test('hold no secret, wherever it comes from', async () => {
    const logs = openLogs({ folder });
    logs.info(`key ad_${CANARY}`, { headers: { cookie: `sid=${CANARY}` } });
    logs.warn(`GET /x?token=${CANARY}`);
    logs.error('failed', new Error(`Authorization: Bearer ${CANARY}`));
    logs.page('warn', `{"password":"${CANARY}"}`, { url: `http://127.0.0.1:4400/?token=${CANARY}`, line: 1 });
    logs.server(`{"level":30,"msg":"start","vapidPrivateKey":"${CANARY}"}`);
    logs.server(`SESSION_SECRET=${CANARY}`);
    for (const file of await readdir(folder)) {
      const text = await readFile(join(folder, file), 'utf8');
      expect(text).toContain('[redacted]');
      expect(text).not.toContain(CANARY);
    }
  });

  test('are rotated: the newest lines in the file, the oldest gone', async () => {
    const logs = openLogs({ folder, maxBytes: 2_000 });
    for (let count = 1; count <= 200; count += 1) logs.info(`line ${count}`);
    expect((await readdir(folder)).toSorted()).toEqual([
      'main.1.log',
      'main.2.log',
      'main.3.log',
      'main.4.log',
      'main.log',
    ]);
    expect((await lines('main.log')).at(-1)).toMatchObject({ message: 'line 200' });
    const kept = (
      await Promise.all(['main.4.log', 'main.3.log', 'main.2.log', 'main.1.log', 'main.log'].map(lines))
    ).flat();
    const numbers = kept.map(({ message }) => Number(String(message).slice('line '.length)));
    expect(numbers[0]).toBeGreaterThan(1);
    expect(numbers).toEqual(numbers.map((_, index) => 201 - numbers.length + index));
    for (const file of await readdir(folder)) expect((await stat(join(folder, file))).size).toBeLessThan(2_200);
  });

  test.each([
    ['an older file', ['main.4.log'], 60],
    // The newest lines alone are there then: no log grows without end.
    ['each file before it', ['main.1.log', 'main.2.log', 'main.3.log', 'main.4.log'], 1],
  ])('go on while %s cannot be replaced, as on Windows while another program has it open', async (_, taken, fewest) => {
    for (const name of taken) await mkdir(join(folder, name, 'in use'), { recursive: true });
    const logs = openLogs({ folder, maxBytes: 2_000 });
    for (let count = 1; count <= 200; count += 1) logs.info(`line ${count}`);
    expect((await lines('main.log')).at(-1)).toMatchObject({ message: 'line 200' });
    const files = (await readdir(folder)).filter((name) => !taken.includes(name));
    const all = (await Promise.all(files.map(lines))).flat();
    expect(all.length).toBeGreaterThanOrEqual(fewest);
    for (const file of files) expect((await stat(join(folder, file))).size).toBeLessThan(2_200);
  });

  test('go on where they were', async () => {
    openLogs({ folder }).info('first');
    openLogs({ folder }).info('second');
    expect(await lines('main.log')).toHaveLength(2);
  });

  // Windows knows no such modes; there the folder belongs to the user by where it lies.
  test.skipIf(process.platform === 'win32')('are readable by their owner only', async () => {
    openLogs({ folder }).info('first');
    expect((await stat(join(folder, 'main.log'))).mode & 0o077).toBe(0);
  });

  test('that cannot be written stop nobody', () => {
    const echoed: string[] = [];
    const logs = openLogs({ folder: join('/dev/null', 'logs'), echo: (line) => echoed.push(line) });
    logs.info('still here');
    expect(echoed).toHaveLength(1);
  });
});

test('rotation moves the oldest first', () => {
  expect(rotation('/l/main.log', 2)).toEqual({
    drop: '/l/main.2.log',
    moves: [
      ['/l/main.1.log', '/l/main.2.log'],
      ['/l/main.log', '/l/main.1.log'],
    ],
  });
});
