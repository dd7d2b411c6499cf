import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findProgram } from '#tests/support/find-program.ts';
import { freePort } from '#tests/support/mariadb.ts';
import { type LoadTarget, loadInTurn, startBenchServer } from './bench-server.ts';
import type { Part } from './part.ts';
import { processorTimeOf } from './processor-time.ts';
import { type Target, cpuRatioOf, judge, measurementRow, ratioOf, verdictRow } from './report.ts';

const TARGET = {
  name: 'CPU per alert against Alertmanager',
  unit: '×',
  required: 1.2,
  goal: 1,
  isAtLeast: false,
} as const satisfies Target;

/** How long it may take to be ready, in milliseconds. */
const START_MS = 10_000;

/** It groups what it gets and sends it nowhere. */
const CONFIG = 'route:\n  receiver: nobody\nreceivers:\n  - name: nobody\n';

/**
 * The same webhook work on Prometheus Alertmanager (Debian's package `prometheus-alertmanager`), which keeps alerts in
 * memory, and on the product, which commits each to SQLite.
 */
export const benchAlertmanager: Part = async (_databases, options, report) => {
  const program = findProgram(['prometheus-alertmanager', 'alertmanager'], ['/usr/bin', '/usr/local/bin']);
  if (program === undefined) {
    report('Alertmanager was left out: install Debian’s package prometheus-alertmanager.');
    return { rows: [], results: undefined, skipped: 'prometheus-alertmanager is not installed' };
  }
  const servers: { name: 'Alertmanager' | 'Alertdesk'; server: LoadTarget }[] = [];
  try {
    servers.push({ name: 'Alertmanager', server: await startAlertmanager(program) });
    servers.push({ name: 'Alertdesk', server: await startBenchServer('group commit', undefined) });
    const measured = await loadInTurn(servers, { ...options, where: 'Alertmanager' }, report);
    const verdict = judge(TARGET, cpuRatioOf('server', measured.Alertdesk, measured.Alertmanager));
    const rate = ratioOf('perSecond', measured.Alertdesk, measured.Alertmanager);
    const [version = ''] = execFileSync(program, ['--version'], { encoding: 'utf8' }).split('\n');
    return {
      rows: [
        measurementRow('memory', 'Alertmanager', measured.Alertmanager),
        measurementRow('SQLite', 'Alertdesk', measured.Alertdesk),
        ['SQLite', 'rate against Alertmanager', `${rate.toFixed(2)} ×`, '', ''],
        verdictRow('SQLite', verdict),
      ],
      results: { version, measured, verdict },
    };
  } finally {
    await Promise.all(servers.map(({ server }) => server.stop()));
  }
};

async function startAlertmanager(program: string): Promise<LoadTarget> {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-bench-alertmanager-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  await writeFile(join(folder, 'config.yml'), CONFIG);
  const child = spawn(
    program,
    [
      `--config.file=${join(folder, 'config.yml')}`,
      `--storage.path=${folder}`,
      `--web.listen-address=${new URL(url).host}`,
      '--cluster.listen-address=',
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  const usage = async () => ({ cpu: processorTimeOf(child.pid ?? 0) ?? Number.NaN, thread: 0, eventLoop: 0 });
  try {
    await waitUntilReady(url);
    return { url, apiKey: 'none is asked for', kind: 'Alertmanager', usage, databasePid: undefined, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function waitUntilReady(url: string): Promise<void> {
  const deadline = performance.now() + START_MS;
  for (;;) {
    const isReady = await fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    if (performance.now() > deadline) throw new Error('Alertmanager did not become ready.');
    await delay(100);
  }
}
