import { createHash } from 'node:crypto';
import {
  type Problem,
  type ProblemPlay,
  byState,
  domainOf,
  machineName,
  ruleNumber,
  summaryOf,
} from '#scripts/demo/problems.ts';
import { json } from '#scripts/demo/webhook-request.ts';
import { COMPANY, HOSTS } from '#scripts/demo/world.ts';

/** Times of what goes on still. */
const NEVER = '0001-01-01T00:00:00Z';

const GRAFANA = 'https://grafana.example.org';

/** As Prometheus and Grafana do it: of the labels, so that the same alert has the same one. */
const fingerprintOf = (labels: Record<string, string>) =>
  createHash('sha256').update(JSON.stringify(labels)).digest('hex').slice(0, 16);

/** Prometheus has words of its own for severities, and most rules use no more than these. */
const RULE_SEVERITY = { critical: 'critical', high: 'critical', warning: 'warning', low: 'info' } as const;

/** The machines of a group: that of the problem, and up to two others, the last of which recovers before. */
function groupOf({ host, number, state, reports, value, trouble: { low } }: Problem) {
  const from = HOSTS.findIndex((known) => known === host);
  return Array.from({ length: 1 + (number % 3) }, (_, index) => ({
    host: HOSTS[(from + index) % HOSTS.length] ?? host,
    value: Number((low + (value - low) / (index + 1)).toFixed(1)),
    isResolved: state === 'resolved' || (index === 2 && reports > 2),
  }));
}

/** Prometheus Alertmanager's webhook, version 4: one group of one to three alerts. */
export const alertmanager: ProblemPlay = {
  nameOf: ({ trouble }) => trouble.rule,
  write(problem) {
    const { trouble, service, customer, startedAt, at } = problem;
    const status = byState(problem, { firing: 'firing', resolved: 'resolved' });
    const common = {
      alertname: trouble.rule,
      customer,
      job: service,
      severity: RULE_SEVERITY[trouble.severity],
    };
    const expression = `${trouble.metric} > ${trouble.limit}`;
    const alerts = groupOf(problem).map(({ host, value, isResolved }) => {
      const labels = { ...common, instance: `${host}:9100` };
      return {
        status: isResolved ? 'resolved' : 'firing',
        labels,
        annotations: {
          summary: summaryOf({ ...problem, host, value }),
          runbook_url: `https://runbooks.example.org/${trouble.rule.toLowerCase()}`,
        },
        startsAt: startedAt.toISOString(),
        endsAt: isResolved ? at.toISOString() : NEVER,
        generatorURL: `http://prometheus.example.org:9090/graph?g0.expr=${encodeURIComponent(expression)}&g0.tab=1`,
        fingerprint: fingerprintOf(labels),
      };
    });
    return json(
      {
        receiver: 'alertdesk',
        status,
        alerts,
        groupLabels: { alertname: trouble.rule },
        commonLabels: common,
        commonAnnotations: {},
        externalURL: 'http://alertmanager.example.org:9093',
        version: '4',
        groupKey: `{}:{alertname="${trouble.rule}"}`,
        truncatedAlerts: 0,
      },
      { 'user-agent': 'Alertmanager/0.28.1' },
    );
  },
};

/** Grafana Alerting's webhook contact point, version 1. */
export const grafana: ProblemPlay = {
  nameOf: machineName,
  write(problem) {
    const { trouble, service, customer, host, value, startedAt, at } = problem;
    const status = byState(problem, { firing: 'firing', resolved: 'resolved' });
    const folder = 'Machines';
    const labels = {
      alertname: trouble.title,
      customer,
      grafana_folder: folder,
      instance: domainOf(problem),
      severity: trouble.severity,
      team: service,
    };
    const fingerprint = fingerprintOf(labels);
    const dashboard = `${GRAFANA}/d/${fingerprint.slice(0, 10)}?orgId=1`;
    const summary = summaryOf(problem);
    return json(
      {
        receiver: 'Alertdesk',
        status,
        alerts: [
          {
            status,
            labels,
            annotations: { summary },
            startsAt: startedAt.toISOString(),
            endsAt: byState(problem, { firing: NEVER, resolved: at.toISOString() }),
            generatorURL: `${GRAFANA}/alerting/grafana/${fingerprint.slice(0, 12)}/view?orgId=1`,
            fingerprint,
            silenceURL: `${GRAFANA}/alerting/silence/new?alertmanager=grafana&orgId=1`,
            dashboardURL: dashboard,
            panelURL: `${dashboard}&viewPanel=${ruleNumber(problem)}`,
            values: { A: value, C: byState(problem, { firing: 1, resolved: 0 }) },
            valueString: `[ var='A' labels={instance=${host}} value=${value} ]`,
          },
        ],
        groupLabels: { alertname: trouble.title, grafana_folder: folder },
        commonLabels: labels,
        commonAnnotations: { summary },
        externalURL: `${GRAFANA}/`,
        version: '1',
        groupKey: `{}:{alertname="${trouble.title}", grafana_folder="${folder}"}`,
        truncatedAlerts: 0,
        orgId: 1,
        title: `[${status.toUpperCase()}:1] ${trouble.title} ${folder} (${host})`,
        state: byState(problem, { firing: 'alerting', resolved: 'ok' }),
        message: `**${byState(problem, { firing: 'Firing', resolved: 'Resolved' })}**\n\nValue: A=${value}\n`,
      },
      { 'user-agent': 'Grafana' },
    );
  },
};

/** The notification channel of Grafana before version 9: a rule is one alert, whatever machine it is about. */
export const grafanaLegacy: ProblemPlay = {
  nameOf: ({ trouble }) => trouble.rule,
  write(problem) {
    const { trouble, host, customer, value } = problem;
    const ruleId = ruleNumber(problem);
    return json(
      {
        dashboardId: 3,
        evalMatches: byState(problem, {
          firing: [{ value, metric: trouble.metric, tags: { host } }],
          resolved: [],
        }),
        message: summaryOf(problem),
        orgId: 2,
        panelId: ruleId,
        ruleId,
        ruleName: trouble.title,
        ruleUrl: `https://old-grafana.example.org/d/abc/machines?tab=alert&viewPanel=${ruleId}&orgId=2`,
        state: byState(problem, { firing: 'alerting', resolved: 'ok' }),
        tags: { severity: trouble.severity, customer },
        title: `[${byState(problem, { firing: 'Alerting', resolved: 'OK' })}] ${trouble.title}`,
      },
      { 'user-agent': 'Grafana' },
    );
  },
};

const DATADOG_PRIORITY = { critical: 'P1', high: 'P2', warning: 'P3', low: 'P4' } as const;

/** Datadog's webhook integration with the payload of the product's set-up. Its bodies are compressed. */
export const datadog: ProblemPlay = {
  nameOf: ({ trouble }) => trouble.rule,
  write(problem) {
    const { trouble, host, customer, region, service, at, id, reports } = problem;
    const transition = byState(problem, { firing: 'Triggered', resolved: 'Recovered' });
    const monitor = 18_692_900 + ruleNumber(problem);
    const link = `https://app.datadoghq.eu/monitors/${monitor}`;
    return json(
      {
        title: `[${transition} on {host:${host}}] ${trouble.title}`,
        body: `%%%\n${summaryOf(problem)}\n\n[[Monitor Status](${link})]\n%%%`,
        event_type: 'query_alert_monitor',
        alert_id: String(monitor),
        alert_priority: DATADOG_PRIORITY[trouble.severity],
        alert_transition: problem.state === 'firing' && reports > 1 ? 'Re-Triggered' : transition,
        aggreg_key: id,
        last_updated: String(at.getTime()),
        link,
        tags: `env:prod,host:${host},region:${region},service:${service},customer:${customer}`,
        org: { id: '415600', name: COMPANY.name },
      },
      { 'content-encoding': 'gzip' },
    );
  },
};
