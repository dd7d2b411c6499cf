import type { ImportedAlert } from '#backend/contract/alert-import.ts';
import type { AdapterSetting } from '#backend/contract/source.ts';

/** A record of another system, and where it stands: a file and the place in it. */
export type ImportRecord = { where: string } & (
  | { kind: 'user'; id: string; email: string; displayName: string; role: 'user' | 'admin' }
  | { kind: 'source'; id: string; name: string; adapter: AdapterSetting; isPaused: boolean; remark?: string }
  | { kind: 'alert'; source: SourceOfAlert; owner: string | undefined; alert: ImportedAlert; remark?: string }
  | { kind: 'none'; what: 'user' | 'source' | 'alert' | 'other'; name: string; reason: string }
);

/** The source of an alert, by its id there or by its name; made where it is in no list of sources. */
export interface SourceOfAlert {
  id: string;
  name: string;
  /** Undefined where the alert does not say it: the source is taken as it is. */
  adapter: AdapterSetting | undefined;
}

/** The systems that are read, and what they are called in histories. */
export const SYSTEMS = { opsgenie: 'Opsgenie', oncall: 'Grafana OnCall', csv: 'CSV' } as const;
export type System = keyof typeof SYSTEMS;

/** A JSON object of a file. */
export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text or number of an object as text; empty for anything else. */
export const textOf = (fields: unknown, name: string): string => {
  const value = isFields(fields) ? fields[name] : undefined;
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
};

/**
 * The adapters of other systems' integrations, by the type in small letters without punctuation and version
 * (https://docs.opsgenie.com/docs/integration-api, https://grafana.com/docs/oncall/latest/oncall-api-reference/integrations/).
 */
const ADAPTERS: Readonly<Record<string, AdapterSetting>> = {
  prometheus: 'alertmanager',
  alertmanager: 'alertmanager',
  legacyalertmanager: 'alertmanager',
  grafana: 'grafana',
  grafanaalerting: 'grafana',
  legacygrafanaalerting: 'grafana',
  datadog: 'datadog',
  newrelic: 'new-relic',
  pagerduty: 'pagerduty',
  pingdom: 'pingdom',
  sentry: 'sentry',
  sentryplatform: 'sentry',
  stackdriver: 'google-cloud',
  googlestackdriver: 'google-cloud',
  zabbix: 'zabbix',
  uptimerobot: 'uptimerobot',
  amazonsns: 'sns',
  cloudwatch: 'sns',
  azure: 'azure-monitor',
  azuremonitor: 'azure-monitor',
  github: 'github',
  gitlab: 'gitlab',
  jira: 'jira',
  opsgenie: 'opsgenie',
  // Only Opsgenie has it: its senders call Opsgenie’s API.
  api: 'opsgenie',
  webhook: 'generic',
  formattedwebhook: 'generic',
};

const BY_MAIL = 'Make a source of this name, and use its e-mail address (SMTP_PORT).';

/** Integrations that take what no webhook of a source does, and what to do. */
const WITHOUT_WEBHOOK: Readonly<Record<string, string>> = {
  email: BY_MAIL,
  inboundemail: BY_MAIL,
  directpaging: 'It pages people and takes no alerts.',
  manual: 'It pages people and takes no alerts.',
  maintenance: 'It takes no alerts.',
  heartbeat: 'Make a heartbeat of this name, and give it to its source.',
};

const plain = (type: string): string =>
  type
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replace(/v\d+$/, '');

/** The adapter of an integration's type; `generic` reads any JSON. */
export const adapterOf = (type: string): AdapterSetting => ADAPTERS[plain(type)] ?? 'generic';

/** A record of an integration that both systems describe alike. */
export function sourceRecord(
  where: string,
  { id, name, type, isPaused }: Record<'id' | 'name' | 'type', string> & { isPaused: boolean },
): ImportRecord {
  const reason = name === '' ? 'It has no name.' : WITHOUT_WEBHOOK[plain(type)];
  if (reason !== undefined) return { kind: 'none', what: 'source', where, name, reason };
  const isKnown = plain(type) in ADAPTERS;
  return {
    kind: 'source',
    where,
    id,
    name: name.slice(0, 100),
    adapter: adapterOf(type),
    isPaused,
    ...(!isKnown && { remark: `The type ${type || '(none)'} is not known: it is read as any JSON.` }),
  };
}

/** A record of a person; without an e-mail nobody can be invited. */
export function userRecord(
  where: string,
  { id, email, name, isAdmin }: { id: string; email: string; name: string; isAdmin: boolean },
): ImportRecord {
  if (!email.includes('@')) return { kind: 'none', what: 'user', where, name: name || id, reason: 'It has no e-mail.' };
  return {
    kind: 'user',
    where,
    id,
    email,
    displayName: (name || email).slice(0, 100),
    role: isAdmin ? 'admin' : 'user',
  };
}

/** ISO 8601; or milliseconds, or seconds, since 1970. */
const ISO_TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$/i;
const EPOCH = /^(\d{10})(\d{3})?$/;

/**
 * A time as the API takes it; undefined when it is none. One without a time zone is in UTC: the import may run on any machine.
 * Others, such as 01.11.2026, are read differently by whoever reads them.
 */
export function timeOf(text: string): string | undefined {
  const [, seconds = '', milliseconds = '000'] = EPOCH.exec(text) ?? [];
  const [, date, time = '00:00', zone = 'Z'] = ISO_TIME.exec(text) ?? [];
  const offset = /^(Z|UTC)$/i.test(zone)
    ? 'Z'
    : zone.replace(/^(.\d{2}):?(\d{2})?$/, (_, hours, minutes) => `${hours}:${minutes ?? '00'}`);
  const moment = seconds === '' ? Date.parse(`${date}T${time}${offset}`) : Number(seconds + milliseconds);
  return Number.isNaN(moment) ? undefined : new Date(moment).toISOString();
}
