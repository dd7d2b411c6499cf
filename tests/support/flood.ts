/**
 * Posts as fast as answers come, over many connections, in a process of its own: `node flood.ts URL API_KEY CONNECTIONS
 * SECONDS ALERTS`, with so many alerts in each body. Writes JSON, a {@link Flood}.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import autocannon from 'autocannon';

/** What came back. */
export interface Flood {
  /** Answers by status. */
  statuses: Record<string, number>;
  /** Answers with 429 or 503 that did not say when to send again. */
  withoutRetryAfter: number;
  /** Connections that were reset or ended without an answer, and answers that took longer than {@link PATIENCE_SECONDS}. */
  errors: number;
  /** Seconds that it really took. */
  seconds: number;
}

/** As long as the most patient senders wait for an answer, in seconds. */
const PATIENCE_SECONDS = 30;

/** Floods from another process. */
export async function flood(
  url: string,
  apiKey: string,
  load: { connections: number; seconds: number; alerts: number },
): Promise<Flood> {
  const args = [url, apiKey, load.connections, load.seconds, load.alerts].map(String);
  const { stdout } = await promisify(execFile)(process.execPath, [import.meta.filename, ...args]);
  return JSON.parse(stdout) as Flood;
}

/** Stands where each request has a number of its own. */
export const NUMBER = '#';

/** One group of Alertmanager's, whose alerts are problems of their own in every request. */
export const groupBody = (alerts: number): string =>
  JSON.stringify({
    version: '4',
    status: 'firing',
    receiver: 'alertdesk',
    groupKey: '{}:{alertname="DiskFull"}',
    groupLabels: { alertname: 'DiskFull' },
    commonLabels: { alertname: 'DiskFull', severity: 'critical' },
    commonAnnotations: {},
    externalURL: 'http://alertmanager.example.org',
    alerts: Array.from({ length: alerts }, (_alert, index) => ({
      status: 'firing',
      labels: { alertname: 'DiskFull', severity: 'critical', instance: `host-${NUMBER}-${index}.example.org` },
      annotations: { summary: 'The disk is 95 % full' },
      startsAt: '2026-01-01T00:00:00Z',
      endsAt: '0001-01-01T00:00:00Z',
      generatorURL: 'http://prometheus.example.org/graph',
      fingerprint: `${NUMBER}-${index}`,
    })),
  });

async function run([url = '', apiKey = '', connections = '', seconds = '', alerts = '']: string[]): Promise<Flood> {
  const result: Flood = { statuses: {}, withoutRetryAfter: 0, errors: 0, seconds: 0 };
  const onResponse = (status: number, _body: string, _context: unknown, headers: Record<string, string>) => {
    result.statuses[status] = (result.statuses[status] ?? 0) + 1;
    const names = Object.keys(headers).map((name) => name.toLowerCase());
    if ((status === 429 || status === 503) && !names.includes('retry-after')) result.withoutRetryAfter += 1;
  };
  const body = groupBody(Number(alerts));
  let number = 0;
  const { errors, duration } = await autocannon({
    url: `${url}/webhook`,
    connections: Number(connections),
    duration: Number(seconds),
    timeout: PATIENCE_SECONDS,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-webhook-auth': apiKey },
    requests: [
      {
        setupRequest(request) {
          number += 1;
          return { ...request, body: body.replaceAll(NUMBER, `${process.pid}-${number}`) };
        },
        onResponse,
      },
    ],
  });
  return { ...result, errors, seconds: duration };
}

if (import.meta.main) process.stdout.write(JSON.stringify(await run(process.argv.slice(2))));
