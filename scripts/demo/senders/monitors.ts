import {
  type ProblemPlay,
  byState,
  domainOf,
  machineName,
  ruleNumber,
  siteName,
  summaryOf,
} from '#scripts/demo/problems.ts';
import { json, secondsOf, uuidOf } from '#scripts/demo/webhook-request.ts';

const ZABBIX_SEVERITY = { critical: 'Disaster', high: 'High', warning: 'Average', low: 'Information' } as const;

/** A media type of Zabbix with the parameters of the product's set-up. */
export const zabbix: ProblemPlay = {
  nameOf: machineName,
  write(problem) {
    const { trouble, host, number } = problem;
    const trigger = 14_000 + ruleNumber(problem) * 100 + host.length;
    return json(
      {
        trigger: summaryOf(problem),
        status: byState(problem, { firing: 'PROBLEM', resolved: 'RESOLVED' }),
        hostname: domainOf(problem),
        item: trouble.title,
        severity: ZABBIX_SEVERITY[trouble.severity],
        link: `https://zabbix.example.org/tr_events.php?triggerid=${trigger}&eventid=${number}`,
      },
      { 'user-agent': 'Zabbix 7.0.6' },
    );
  },
};

const NEW_RELIC_PRIORITY = { critical: 'CRITICAL', high: 'HIGH', warning: 'MEDIUM', low: 'LOW' } as const;

/** A workflow of New Relic with the payload template of the product's set-up. */
export const newRelic: ProblemPlay = {
  nameOf: machineName,
  acknowledges: true,
  write(problem) {
    const { trouble, customer, id } = problem;
    const issue = uuidOf(id);
    return json({
      incident_id: issue,
      account_id: 2_941_966,
      account_name: customer,
      condition_name: trouble.title,
      details: summaryOf(problem),
      severity: NEW_RELIC_PRIORITY[trouble.severity],
      current_state: byState(problem, { firing: 'open', acknowledged: 'acknowledged', resolved: 'closed' }),
      incident_url: `https://radar-api.service.eu.newrelic.com/accounts/2941966/issues/${issue}`,
    });
  },
};

const localTime = (date: Date) => date.toISOString().replace('T', ' ').replace('Z', '');

/** Uptime Kuma's webhook: a monitor that went down, is still down, or came back. */
export const uptimeKuma: ProblemPlay = {
  nameOf: siteName,
  write(problem, random) {
    const { site, fault, at } = problem;
    const isUp = problem.state === 'resolved';
    const message = isUp ? '200 - OK' : fault;
    return json(
      {
        heartbeat: {
          monitorID: site.id,
          status: isUp ? 1 : 0,
          time: localTime(at),
          msg: message,
          ...(isUp ? { ping: random.whole(12, 240) } : {}),
          important: true,
          duration: random.whole(20, 3_600),
          timezone: 'UTC',
          timezoneOffset: '+00:00',
          localDateTime: localTime(at).slice(0, 19),
        },
        monitor: {
          id: site.id,
          name: site.name,
          description: null,
          pathName: site.name,
          parent: null,
          childrenIDs: [],
          url: `https://${site.host}${site.path}`,
          method: 'GET',
          hostname: null,
          port: null,
          maxretries: 1,
          weight: 2000,
          active: true,
          type: 'http',
          interval: 20,
          retryInterval: 20,
          accepted_statuscodes: ['200-299'],
          tags: [],
          maintenance: false,
        },
        msg: `[${site.name}] [${isUp ? '✅ Up' : '🔴 Down'}] ${message}`,
      },
      { 'user-agent': 'Uptime-Kuma/1.23.16' },
    );
  },
};

/** UptimeRobot's webhook with the POST value of the product's set-up. */
export const uptimerobot: ProblemPlay = {
  nameOf: siteName,
  write(problem) {
    const { site, fault } = problem;
    return json({
      monitor_url: `https://${site.host}${site.path}`,
      monitor_friendly_name: site.name,
      alert_type_friendly_name: byState(problem, { firing: 'Down', resolved: 'Up' }),
      alert_details: byState(problem, { firing: fault, resolved: 'HTTP 200 - OK' }),
    });
  },
};

const PROBES = [
  { ip: '192.0.2.41', ipv6: '2001:db8::41', location: 'Stockholm, Sweden' },
  { ip: '192.0.2.72', ipv6: '2001:db8::72', location: 'Frankfurt, Germany' },
  { ip: '198.51.100.9', ipv6: '2001:db8::9', location: 'Denver, CO' },
] as const;

/** Pingdom's webhook of an uptime check. */
export const pingdom: ProblemPlay = {
  nameOf: siteName,
  write(problem, random) {
    const { site, fault, at } = problem;
    const [current, previous] = byState(problem, { firing: ['DOWN', 'UP'], resolved: ['UP', 'DOWN'] });
    const description = byState(problem, { firing: fault, resolved: 'OK' });
    return json(
      {
        check_id: 2_051_800 + site.id,
        check_name: site.name,
        check_type: 'HTTP',
        check_params: {
          basic_auth: false,
          encryption: true,
          full_url: `https://${site.host}${site.path}`,
          header: 'User-Agent:Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)',
          hostname: site.host,
          ipv6: false,
          port: 443,
          url: site.path,
        },
        tags: ['production'],
        previous_state: previous,
        current_state: current,
        importance_level: site.id % 2 === 0 ? 'HIGH' : 'LOW',
        state_changed_timestamp: secondsOf(at),
        state_changed_utc_time: at.toISOString().slice(0, 19),
        long_description: description,
        description,
        first_probe: random.pick(PROBES),
        second_probe: random.pick(PROBES),
      },
      { 'user-agent': 'Pingdom' },
    );
  },
};
