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
  /** Posts alerts as Prometheus does. */
  post(alerts: readonly PrometheusAlert[]): Promise<void>;
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
 * every second. It ends with the test.
 */
export async function startAlertmanager(program: string, receiver: string): Promise<Alertmanager> {
  const folder = await mkdtemp(join(tmpdir(), 'alertdesk-alertmanager-'));
  const port = await freePort();
  const config = `
global: { resolve_timeout: 1h }
route: { receiver: desk, group_by: [group], group_wait: 100ms, group_interval: 500ms, repeat_interval: 1s }
receivers:
  - name: desk${receiver}`;
  const file = join(folder, 'alertmanager.yml');
  await writeFile(file, config);
  const child = spawn(
    program,
    [
      `--config.file=${file}`,
      `--storage.path=${folder}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ],
    { stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  while (!(await isListening(port))) {
    if (child.exitCode !== null) throw new Error(`Alertmanager ended with code ${child.exitCode}.`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    async post(alerts) {
      const response = await fetch(`http://127.0.0.1:${port}/api/v2/alerts`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(alerts),
      });
      if (!response.ok) throw new Error(`Alertmanager refused alerts: ${response.status} ${await response.text()}`);
    },
  };
}
