import { type ProblemPlay, byState, domainOf, machineName, summaryOf } from '#scripts/demo/problems.ts';
import { type Writer, json, secondsOf, uuid, uuidOf } from '#scripts/demo/webhook-request.ts';
import { COMPANY, CUSTOMERS, HOSTS, PEOPLE } from '#scripts/demo/world.ts';

const PRIORITY = { critical: 'P1', high: 'P2', warning: 'P3', low: 'P4' } as const;

/** PagerDuty's webhooks, version 3: an incident that is triggered, escalated, acknowledged and resolved. */
export const pagerduty: ProblemPlay = {
  nameOf: machineName,
  acknowledges: true,
  write(problem, random) {
    const { trouble, customer, id, number, startedAt, at, person, reports } = problem;
    const incident = `Q${id.slice(0, 13).toUpperCase()}`;
    const site = `https://${COMPANY.slug}.pagerduty.com`;
    const event = byState(problem, {
      firing: reports === 1 ? 'triggered' : 'escalated',
      acknowledged: 'acknowledged',
      resolved: 'resolved',
    });
    return json(
      {
        event: {
          id: `01${random.hex(24).toUpperCase()}`,
          event_type: `incident.${event}`,
          resource_type: 'incident',
          occurred_at: at.toISOString(),
          agent:
            event === 'triggered'
              ? null
              : { html_url: `${site}/users/PLH1HKV`, id: 'PLH1HKV', type: 'user_reference', summary: person },
          client: null,
          data: {
            id: incident,
            type: 'incident',
            self: `https://api.pagerduty.com/incidents/${incident}`,
            html_url: `${site}/incidents/${incident}`,
            number: number % 10_000,
            status: byState(problem, { firing: 'triggered', acknowledged: 'acknowledged', resolved: 'resolved' }),
            incident_key: id,
            created_at: startedAt.toISOString(),
            title: summaryOf(problem),
            service: {
              html_url: `${site}/services/PF9KMXH`,
              id: 'PF9KMXH',
              type: 'service_reference',
              summary: customer,
            },
            assignees: [{ html_url: `${site}/users/PLH1HKV`, id: 'PLH1HKV', type: 'user_reference', summary: person }],
            escalation_policy: { id: 'PUS0KTE', type: 'escalation_policy_reference', summary: 'Operations' },
            teams: [],
            priority: { id: 'PSO75BM', type: 'priority_reference', summary: PRIORITY[trouble.severity] },
            urgency: trouble.severity === 'critical' || trouble.severity === 'high' ? 'high' : 'low',
            resolve_reason: null,
          },
        },
      },
      { 'user-agent': 'PagerDuty-Webhook/V3.0', 'x-webhook-id': uuid(random) },
    );
  },
};

const EVENT_SEVERITY = { critical: 'critical', high: 'error', warning: 'warning', low: 'info' } as const;

/** A tool that speaks PagerDuty's Events API v2. Its source's key takes the place of the routing key. */
export const pagerdutyEvents: ProblemPlay = {
  nameOf: machineName,
  acknowledges: true,
  write(problem) {
    const { trouble, customer, service, at, value } = problem;
    const event = {
      routing_key: '',
      event_action: byState(problem, { firing: 'trigger', acknowledged: 'acknowledge', resolved: 'resolve' }),
      dedup_key: machineName(problem),
    };
    if (problem.state !== 'firing') return json(event);
    return json({
      ...event,
      payload: {
        summary: summaryOf(problem),
        timestamp: at.toISOString(),
        severity: EVENT_SEVERITY[trouble.severity],
        source: domainOf(problem),
        component: service,
        group: customer,
        class: trouble.rule,
        custom_details: { value, limit: trouble.limit, unit: trouble.unit },
      },
      client: 'Checker',
      client_url: 'https://checker.example.org/',
      links: [{ href: `https://checker.example.org/checks/${trouble.metric}`, text: 'Check' }],
      images: [],
    });
  },
};

/** Opsgenie's outgoing webhook. It does not report repetitions, but escalations. */
export const opsgenie: ProblemPlay = {
  nameOf: machineName,
  acknowledges: true,
  write(problem) {
    const { trouble, host, customer, id, number, startedAt, at, person, reports, service } = problem;
    return json({
      action: byState(problem, {
        firing: reports === 1 ? 'Create' : 'Escalate',
        acknowledged: 'Acknowledge',
        resolved: 'Close',
      }),
      integrationId: '37c8f316-17c6-49d7-899b-9c7e540c048d',
      integrationName: 'Alertdesk',
      integrationType: 'Webhook',
      source: { name: '', type: 'API' },
      alert: {
        alertId: `${uuidOf(id)}-${startedAt.getTime()}`,
        message: summaryOf(problem),
        tags: [trouble.rule, service],
        tinyId: String(number % 10_000),
        entity: customer,
        alias: machineName(problem),
        createdAt: startedAt.getTime(),
        // In nanoseconds, which no JavaScript number holds exactly.
        updatedAt: at.getTime() * 1_000_000,
        username: `${person}@example.org`,
        userId: uuidOf(id),
        description: `${trouble.metric} is above ${trouble.limit}.`,
        source: domainOf(problem),
        priority: PRIORITY[trouble.severity],
        details: { host },
        team: '',
        teams: [],
        responders: [],
      },
    });
  },
};

const MESSAGES = [
  (host: string) => `${host} does not answer since the deployment`,
  (host: string, customer: string) => `${customer} cannot sign in, looks like ${host}`,
  (_: string, customer: string) => `${customer} asks for a call back about the invoice`,
  (host: string) => `please look at ${host}, it reboots again and again`,
] as const;

/** A slash command of Slack, which is a form. */
export const slack: Writer = (random, now) => {
  const form = {
    token: random.hex(24),
    team_id: 'T01A2B3C4',
    team_domain: COMPANY.slug,
    channel_id: 'C2147483705',
    channel_name: random.pick(['operations', 'support', 'shop']),
    user_id: `U${random.hex(8).toUpperCase()}`,
    user_name: random.pick(PEOPLE),
    command: '/alert',
    text: random.pick(MESSAGES)(random.pick(HOSTS), random.pick(CUSTOMERS)),
    api_app_id: 'A123456',
    is_enterprise_install: 'false',
    response_url: `https://hooks.slack.com/commands/T01A2B3C4/${secondsOf(now)}`,
    trigger_id: `${random.whole(1_000_000_000, 9_000_000_000)}.${random.whole(1_000, 9_999)}.${random.hex(32)}`,
  };
  return {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
    },
    body: new URLSearchParams(form).toString(),
  };
};
