import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

let project: string;

beforeEach(async () => {
  project = await mkdtemp(join(tmpdir(), 'alertdesk-bootstrap-'));
  await mkdir(join(project, 'scripts'));
  for (const name of ['bootstrap.mjs', 'install-lock.mjs', 'npm-errors.mjs'])
    await cp(join(import.meta.dirname, name), join(project, 'scripts', name));
  await mkdir(join(project, 'leaf'));
  await writeJson('leaf/package.json', { name: 'leaf', version: '1.0.0' });
  await writeManifest('1.0.0');
  await writeLock({ leaf: 'file:leaf' });
});

afterEach(() => rm(project, { recursive: true, force: true }));

const writeJson = (path: string, value: unknown) => writeFile(join(project, path), JSON.stringify(value));

const writeManifest = (version: string, dependencies: Record<string, string> = { leaf: 'file:leaf' }) =>
  writeJson('package.json', { name: 'sample', version, dependencies });

const writeLock = (dependencies: Record<string, string>, extra: Record<string, unknown> = {}) =>
  writeJson('package-lock.json', {
    name: 'sample',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'sample', version: '1.0.0', dependencies },
      leaf: { version: '1.0.0' },
      'node_modules/leaf': { resolved: 'leaf', link: true },
      ...extra,
    },
  });

const startBootstrap = (environment: Record<string, string> = {}, args: string[] = [], program = process.execPath) =>
  spawn(program, ['scripts/bootstrap.mjs', ...args], {
    cwd: project,
    env: { ...process.env, npm_execpath: '', ...environment },
  });

const bootstrap = (environment: Record<string, string> = {}, args: string[] = [], program?: string) =>
  read(startBootstrap(environment, args, program));

function read(child: ReturnType<typeof startBootstrap>) {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  return new Promise<{ code: number | null; output: string }>((resolve) => {
    child.on('close', (code) => resolve({ code, output }));
  });
}

const lockTime = async () => (await stat(join(project, 'node_modules/.package-lock.json'))).mtimeMs;

test('installs what is missing, then has nothing left to do', async () => {
  const first = await bootstrap();
  expect(first.output).toMatch(/^Installing the packages.*\nPackages installed in \d+ s\.\n$/);
  expect(first.code).toBe(0);
  const installed = await lockTime();
  expect(await bootstrap()).toEqual({ code: 0, output: '' });
  expect(await lockTime()).toBe(installed);
});

test('installs again when the lock file names something else', async () => {
  await bootstrap();
  await writeJson('leaf/package.json', { name: 'leaf', version: '1.0.1' });
  await writeLock({ leaf: 'file:leaf' }, { leaf: { version: '1.0.1' } });
  expect((await bootstrap()).output).toContain('Packages installed');
});

test('to run, the packages of development are not waited for; what needs them brings them, and then they may stay', async () => {
  await mkdir(join(project, 'tool'));
  await writeJson('tool/package.json', { name: 'tool', version: '1.0.0' });
  const declared = { dependencies: { leaf: 'file:leaf' }, devDependencies: { tool: 'file:tool' } };
  await writeJson('package.json', { name: 'sample', version: '1.0.0', ...declared });
  await writeJson('package-lock.json', {
    name: 'sample',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'sample', version: '1.0.0', ...declared },
      leaf: { version: '1.0.0' },
      'node_modules/leaf': { resolved: 'leaf', link: true },
      tool: { version: '1.0.0', dev: true },
      'node_modules/tool': { resolved: 'tool', link: true, dev: true },
    },
  });
  const packages = async () => (await readdir(join(project, 'node_modules'))).filter((name) => !name.startsWith('.'));

  expect((await bootstrap({}, ['--to-run'])).output).toContain('Packages installed');
  expect(await packages()).toEqual(['leaf']);
  expect(await bootstrap({}, ['--to-run'])).toEqual({ code: 0, output: '' });

  expect((await bootstrap()).output).toContain('Packages installed');
  expect(await packages()).toEqual(['leaf', 'tool']);
  expect(await bootstrap({}, ['--to-run'])).toEqual({ code: 0, output: '' });
});

test('two commands at once install once', async () => {
  const both = await Promise.all([bootstrap(), bootstrap()]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(both.filter(({ output }) => output.includes('Packages installed'))).toHaveLength(1);
  expect(await readdir(join(project, '.cache'))).toEqual([]);
});

test('a lock left by a command that is gone is not waited for', async () => {
  const gone = spawn(process.execPath, ['-e', '']);
  await new Promise((resolve) => {
    gone.on('close', resolve);
  });
  await mkdir(join(project, '.cache/install.lock'), { recursive: true });
  await writeFile(join(project, '.cache/install.lock/pid'), String(gone.pid));
  expect((await bootstrap()).output).toContain('Packages installed');
});

test(
  'a lock left by a command whose number another process has now is not waited for',
  { timeout: 30_000 },
  async () => {
    const lock = join(project, '.cache/install.lock');
    await mkdir(lock, { recursive: true });
    // Numbers come again after a restart of the machine, and in containers at once: this command may have that of the lock.
    const hook = `require('node:fs').writeFileSync(${JSON.stringify(join(lock, 'pid'))}, String(process.pid))`;
    await writeFile(join(project, 'hook.cjs'), hook);
    const own = await bootstrap({ NODE_OPTIONS: `--require=${join(project, 'hook.cjs')}` });
    expect(own.output).toMatch(/^Installing.*\nPackages installed/);

    await rm(join(project, 'node_modules'), { recursive: true });
    await mkdir(lock, { recursive: true });
    await writeFile(join(lock, 'pid'), `${process.pid} 1\n`);
    expect((await bootstrap()).output).toMatch(/^Installing.*\nPackages installed/);
  },
);

test('a lock of another container, where numbers of processes are others, is waited for until nobody touches it', async () => {
  const lock = join(project, '.cache/install.lock');
  const hook = `require('node:fs').writeFileSync(${JSON.stringify(join(lock, 'pid'))}, process.pid + ' 1 pid:[1]/other\\n')`;
  await writeFile(join(project, 'hook.cjs'), hook);
  await mkdir(lock, { recursive: true });
  const child = startBootstrap({ NODE_OPTIONS: `--require=${join(project, 'hook.cjs')}` });
  const waiting = read(child);
  // It has looked at the lock by then, and waits.
  await once(child.stdout, 'data');
  expect(await readFile(join(lock, 'pid'), 'utf8')).toContain('pid:[1]/other');
  const before = new Date(Date.now() - 60_000);
  await utimes(lock, before, before);
  expect((await waiting).output).toMatch(/^Another command is installing.*\nInstalling.*\nPackages installed/);
});

test('a lock that was never finished is not waited for', async () => {
  const lock = join(project, '.cache/install.lock');
  await mkdir(lock, { recursive: true });
  const before = new Date(Date.now() - 60_000);
  await utimes(lock, before, before);
  expect((await bootstrap()).output).toContain('Packages installed');
});

test('waits until the npm of a command that was interrupted has ended: it removes what it has installed', async () => {
  // Stands for npm, which takes back what it has done when it is interrupted.
  const npm = join(project, 'npm-cli.js');
  await writeFile(
    npm,
    `const { appendFileSync, existsSync } = require('node:fs');
     appendFileSync('ledger', 'begins ');
     const timer = setInterval(() => {
       if (!existsSync('ending')) return;
       clearInterval(timer);
       appendFileSync('ledger', 'ends ');
     }, 50);`,
  );
  const ledger = () => readFile(join(project, 'ledger'), 'utf8').catch(() => '');
  const interrupted = startBootstrap({ npm_execpath: npm });
  const ended = once(interrupted, 'close');
  await expect.poll(ledger).toBe('begins ');
  interrupted.kill('SIGTERM');
  await once(interrupted, 'exit');

  const next = startBootstrap({ npm_execpath: npm });
  const outcome = read(next);
  await once(next.stdout, 'data');
  await writeFile(join(project, 'ending'), '');
  const { code, output } = await outcome;
  expect(output).toMatch(
    /^Another command is installing the packages; waiting for it\. If there is none, remove \S+\.\nInstalling/,
  );
  expect(code).toBe(0);
  expect(await ledger()).toBe('begins ends begins ends ');
  await ended;
});

test('run by the Node.js of node_modules, which npm deletes, moves that out of its way first, and removes it later', async () => {
  const program = join(project, 'node_modules/node-of-packages/bin/node');
  await mkdir(join(program, '..'), { recursive: true });
  await cp(process.execPath, program);
  // Stands for npm on Windows, which cannot delete a program that runs.
  const npm = join(project, 'npm-cli.js');
  await writeFile(npm, `process.exitCode = require('node:fs').existsSync(${JSON.stringify(program)}) ? 1 : 0;`);
  const outer = `${join(process.execPath, '..')}:${process.env['PATH']}`;
  const { code, output } = await bootstrap({ npm_execpath: npm, PATH: outer }, [], program);
  expect([code, output]).toEqual([0, expect.stringContaining('Packages installed')]);
  const aside = async () =>
    (await readdir(join(project, '.cache'))).filter((name) => name.startsWith('node-in-use-')).length;
  expect(await aside()).toBe(1);
  await bootstrap();
  expect(await aside()).toBe(0);
});

test('says in one sentence that the lock has no place', async () => {
  await writeFile(join(project, '.cache'), 'a file where the folder belongs');
  const { code, output } = await bootstrap();
  expect(code).toBe(1);
  expect(output).toMatch(
    /^The folder .*\.cache cannot be written \(E\w+\); the project's folder must be writable\.\n$/,
  );
});

test('says in one sentence that this Node is too old', async () => {
  const old = `data:text/javascript,${encodeURIComponent("Object.defineProperty(process, 'version', { value: 'v18.20.8' })")}`;
  expect(await bootstrap({ NODE_OPTIONS: `--import=${old}` })).toEqual({
    code: 1,
    output:
      'Alertdesk needs Node.js 20.19 or newer, here is v18.20.8; install the current LTS from https://nodejs.org and run the command again.\n',
  });
});

test('says in one sentence that package.json and the lock do not agree', async () => {
  await writeManifest('1.0.0', { leaf: 'file:leaf', other: '1.0.0' });
  const { code, output } = await bootstrap();
  expect(code).toBe(1);
  expect(output.trimEnd().split('\n').at(-1)).toBe(
    'package.json and package-lock.json do not agree; run "npm install" once and commit the lock file.',
  );
});

test('says in one sentence that the registry cannot be reached', async () => {
  await writeManifest('1.0.0', { leaf: 'file:leaf', other: '1.0.0' });
  await writeLock(
    { leaf: 'file:leaf', other: '1.0.0' },
    {
      'node_modules/other': {
        version: '1.0.0',
        resolved: 'http://127.0.0.1:9/other-1.0.0.tgz',
        integrity: `sha512-${Buffer.alloc(64).toString('base64')}`,
      },
    },
  );
  const { code, output } = await bootstrap({
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_fetch_retries: '0',
    npm_config_cache: join(project, 'cache'),
  });
  expect(code).toBe(1);
  expect(output.trimEnd().split('\n').at(-1)).toMatch(
    /^The packages cannot be fetched from the npm registry \(E\w+\); /,
  );
});

test('runs at most once in a chain of npm scripts', async () => {
  expect(await bootstrap({ ALERTDESK_BOOTSTRAP: '1' })).toEqual({ code: 0, output: '' });
  expect(await readdir(project)).not.toContain('node_modules');
});
