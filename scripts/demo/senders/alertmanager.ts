import type { Random } from '#scripts/demo/random.ts';
import { type Sender, jsonRequest, secondsBefore } from '#scripts/demo/webhook-request.ts';
import { HOSTS, REGIONS, SERVICES } from '#scripts/demo/world.ts';

interface Rule {
  name: string;
  severity: 'critical' | 'warning' | 'info';
  expression: string;
  summary: (random: Random, instance: string) => string;
}

const RULES: readonly [Rule, ...Rule[]] = [
  {
    name: 'HostDiskAlmostFull',
    severity: 'warning',
    expression: 'node_filesystem_avail_bytes / node_filesystem_size_bytes < 0.08',
    summary: (random, instance) => `${random.decimal(2, 8, 1)} % left on /var of ${instance}`,
  },
  {
    name: 'HighRequestLatency',
    severity: 'critical',
    expression: 'histogram_quantile(0.99, rate(http_request_duration_seconds_bucket[5m])) > 1',
    summary: (random, instance) => `p99 latency of ${instance} is ${random.decimal(1.1, 6, 2)} s`,
  },
  {
    name: 'ReplicationLag',
    severity: 'critical',
    expression: 'mysql_slave_status_seconds_behind_master > 60',
    summary: (random, instance) => `${instance} is ${random.whole(61, 900)} s behind its primary`,
  },
  {
    name: 'CertificateExpiresSoon',
    severity: 'info',
    expression: 'probe_ssl_earliest_cert_expiry - time() < 86400 * 14',
    summary: (random, instance) => `The certificate of ${instance} ends in ${random.whole(2, 13)} days`,
  },
];

/** Prometheus Alertmanager's webhook, version 4: one group of one to three alerts, most of them firing. */
export const alertmanager: Sender = (random, now) => {
  const rule = random.pick(RULES);
  const status = random.whole(1, 5) === 1 ? 'resolved' : 'firing';
  const common = {
    alertname: rule.name,
    job: random.pick(SERVICES),
    region: random.pick(REGIONS),
    severity: rule.severity,
  };
  const alerts = Array.from({ length: random.whole(1, 3) }, () => {
    const instance = `${random.pick(HOSTS)}:9100`;
    return {
      status,
      labels: { ...common, instance },
      annotations: {
        summary: rule.summary(random, instance),
        runbook_url: `https://runbooks.example.org/${rule.name.toLowerCase()}`,
      },
      startsAt: secondsBefore(now, random.whole(60, 1800)).toISOString(),
      endsAt: status === 'resolved' ? now.toISOString() : '0001-01-01T00:00:00Z',
      generatorURL: `http://prometheus.example.org:9090/graph?g0.expr=${encodeURIComponent(rule.expression)}&g0.tab=1`,
      fingerprint: random.hex(16),
    };
  });
  const body = {
    receiver: 'alertdesk',
    status,
    alerts,
    groupLabels: { alertname: rule.name },
    commonLabels: common,
    commonAnnotations: {},
    externalURL: 'http://alertmanager.example.org:9093',
    version: '4',
    groupKey: `{}:{alertname="${rule.name}"}`,
    truncatedAlerts: 0,
  };
  return jsonRequest('Prometheus Alertmanager', body, { 'user-agent': 'Alertmanager/0.28.1' });
};
