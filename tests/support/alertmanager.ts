import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { findProgram } from './find-program.ts';
import { installPackage } from './install-package.ts';
import { freePort, isListening } from './plain-proxy.ts';

const find = () => findProgram(['prometheus-alertmanager', 'alertmanager'], ['/usr/bin', '/usr/local/bin']);

/** Prometheus Alertmanager's program, installed when that is allowed; undefined when there is none. */
export async function provideAlertmanager(): Promise<string | undefined> {
  const found = find();
  if (found !== undefined) return found;
  return (await installPackage({ 'apt-get': [['prometheus-alertmanager']] })) ? find() : undefined;
}

/** An alert as Prometheus posts it. Without `endsAt` it fires until Alertmanager's own timeout. */
export interface PrometheusAlert {
  labels: Record<string, string>;
  annotations?: Record<string, string>;
  endsAt?: string;
}

/** A running Alertmanager. */
export interface Alertmanager {
  readonly url: string;
  /** Posts alerts as Prometheus does. */
  post(alerts: readonly PrometheusAlert[]): Promise<void>;
  /** Silences what has this value of a label, for an hour. @returns the id of the silence */
  silence(label: string, value: string): Promise<string>;
  /** Ends a silence. */
  unsilence(id: string): Promise<void>;
  /** Ends it as a deploy does and starts it again: it knows its silences and what it sent, and alerts once they are posted again. */
  restart(): Promise<void>;
}

/** How it sends what it groups, as its configuration has it. */
export interface Pace {
  groupInterval: string;
  repeatInterval: string;
}

/** A receiver that posts to a webhook with a bearer key. */
export const webhookReceiver = (webhook: string, key: string): string => `
    webhook_configs:
      - url: ${webhook}
        send_resolved: true
        http_config: { authorization: { credentials: "${key}" } }
`;

/** A receiver that calls Opsgenie's API at `origin`. */
export const opsgenieReceiver = (origin: string, key: string): string => `
    opsgenie_configs:
      - api_url: ${origin}/
        api_key: ${key}
        send_resolved: true
        update_alerts: true
        message: '{{ .CommonLabels.alertname }} in {{ .GroupLabels.group }}'
        description: '{{ len .Alerts.Firing }} firing'
        priority: P2
        tags: disk, {{ .GroupLabels.group }}
`;

/**
 * Starts the real Alertmanager, which sends what it gets to `receiver`. It groups by the label `group` and repeats each group
 * every second, unless `pace` says otherwise. It ends with the test.
 */
export async function startAlertmanager(
  program: string,
  receiver: string,
  { groupInterval, repeatInterval }: Pace = { groupInterval: '500ms', repeatInterval: '1s' },
): Promise<Alertmanager> {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-alertmanager-'));
  const port = await freePort();
  const config = `
global: { resolve_timeout: 1h }
route: { receiver: desk, group_by: [group], group_wait: 100ms, group_interval: ${groupInterval}, repeat_interval: ${repeatInterval} }
receivers:
  - name: desk${receiver}`;
  const file = join(folder, 'alertmanager.yml');
  await writeFile(file, config);
  const args = [
    `--config.file=${file}`,
    `--storage.path=${folder}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--cluster.listen-address=',
  ];
  const start = async (): Promise<() => Promise<void>> => {
    const child = spawn(program, args, { stdio: 'ignore' });
    const ended = once(child, 'exit');
    while (!(await isListening(port))) {
      if (child.exitCode !== null) throw new Error(`Alertmanager ended with code ${child.exitCode}.`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT);
      await ended;
      clearTimeout(timer);
    };
  };
  let stop = await start();
  onTestFinished(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v2${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Alertmanager refused ${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  return {
    url: `http://127.0.0.1:${port}`,
    async post(alerts) {
      for (let at = 0; at < alerts.length; at += POSTED) await call('POST', '/alerts', alerts.slice(at, at + POSTED));
    },
    async silence(name, value) {
      const [startsAt, endsAt] = [0, 3_600_000].map((from) => new Date(Date.now() + from).toISOString());
      const matchers = [{ name, value, isRegex: false, isEqual: true }];
      const made = await call('POST', '/silences', { matchers, startsAt, endsAt, createdBy: 'test', comment: 'test' });
      return (made as { silenceID: string }).silenceID;
    },
    async unsilence(id) {
      await call('DELETE', `/silence/${id}`);
    },
    async restart() {
      await stop();
      stop = await start();
    },
  };
}

/** Alerts in one request. */
const POSTED = 500;

/** How long it may take to end, in milliseconds. */
const STOP_TIMEOUT = 10_000;
