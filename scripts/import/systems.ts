import {
  type Fields,
  type ImportRecord,
  adapterOf,
  isFields,
  sourceRecord,
  textOf,
  timeOf,
  userRecord,
} from './records.ts';

const SEVERITIES = { p1: 'critical', p2: 'high', p3: 'warning', p4: 'low', p5: 'info' } as const;
const WORDS = ['critical', 'high', 'warning', 'low', 'info'] as const;

/** A priority or a word as a severity; `none` for any other. */
export function severityOf(word: string): (typeof WORDS)[number] | 'none' {
  const name = word.toLowerCase();
  return SEVERITIES[name as keyof typeof SEVERITIES] ?? WORDS.find((known) => known === name) ?? 'none';
}

/** Reads one record of a system: an object of a list, and the name of that list or of its folder. */
export type ReadRecord = (fields: Fields, where: string, list: string) => ImportRecord;

const unknown = (where: string, list: string, name: string): ImportRecord => ({
  kind: 'none',
  what: 'other',
  where,
  name,
  reason: `Alertdesk has no counterpart of ${list || 'this record'}.`,
});

/**
 * Opsgenie: answers of its REST API (https://docs.opsgenie.com/docs/alert-api, /user-api, /integration-api), and files of
 * its backup tool (https://github.com/opsgenie/opsgenie-configuration-backup), which wrap users and integrations.
 */
export const readOpsgenie: ReadRecord = (fields, where, list) => {
  if (isFields(fields['user']) && textOf(fields['user'], 'username'))
    return readOpsgenie(fields['user'], where, 'users');
  if (textOf(fields, 'tinyId') || list === 'alerts') return opsgenieAlert(fields, where);
  if (isFields(fields['integration'])) return readOpsgenie(fields['integration'], where, 'integrations');
  if (list === 'users' || textOf(fields, 'username')) {
    const [id, email, name] = [textOf(fields, 'id'), textOf(fields, 'username'), textOf(fields, 'fullName')];
    if (fields['blocked'] === true) return { kind: 'none', what: 'user', where, name: email, reason: 'It is blocked.' };
    const role = textOf(fields['role'], 'name') || textOf(fields, 'role');
    return userRecord(where, { id: id || email, email, name, isAdmin: /^(owner|admin)$/i.test(role) });
  }
  if (list !== 'integrations') return unknown(where, list, textOf(fields, 'name') || textOf(fields, 'id'));
  const [id, name, type] = [textOf(fields, 'id'), textOf(fields, 'name'), textOf(fields, 'type')];
  return sourceRecord(where, { id, name, type, isPaused: fields['enabled'] === false });
};

function opsgenieAlert(fields: Fields, where: string): ImportRecord {
  const name = textOf(fields, 'message') || textOf(fields, 'tinyId');
  const createdAt = timeOf(textOf(fields, 'createdAt'));
  const key = textOf(fields, 'alias') || textOf(fields, 'id');
  const skipped = (reason: string): ImportRecord => ({ kind: 'none', what: 'alert', where, name, reason });
  if (textOf(fields, 'status') === 'closed') return skipped('It is closed.');
  if (key === '') return skipped('It has neither alias nor id.');
  if (!createdAt) return skipped('It has no time of creation.');
  const isAcknowledged = fields['acknowledged'] === true;
  const owner = (isAcknowledged && textOf(fields['report'], 'acknowledgedBy')) || textOf(fields, 'owner');
  const integration = fields['integration'];
  return {
    kind: 'alert',
    where,
    source: {
      id: textOf(integration, 'id'),
      name: (textOf(integration, 'name') || 'Opsgenie').slice(0, 100),
      adapter: integration ? adapterOf(textOf(integration, 'type')) : 'opsgenie',
    },
    owner: owner || undefined,
    alert: {
      dedupKey: key,
      title: name,
      severity: severityOf(textOf(fields, 'priority')),
      state: isAcknowledged ? 'acknowledged' : 'firing',
      customer: textOf(fields, 'entity') || null,
      createdAt,
      payload: fields,
    },
    ...(fields['snoozed'] === true && { remark: 'Its snooze is not taken over.' }),
  };
}

/** Grafana OnCall: answers of its HTTP API (https://grafana.com/docs/oncall/latest/oncall-api-reference/). */
export const readOnCall: ReadRecord = (fields, where, list) => {
  const id = textOf(fields, 'id');
  if (list === 'alert_groups' || (textOf(fields, 'integration_id') !== '' && textOf(fields, 'state') !== ''))
    return onCallAlert(fields, where);
  if (list === 'users' || textOf(fields, 'email')) {
    return userRecord(where, {
      id,
      email: textOf(fields, 'email'),
      name: textOf(fields, 'name') || textOf(fields, 'username'),
      isAdmin: textOf(fields, 'role') === 'admin',
    });
  }
  const type = textOf(fields, 'type');
  const isIntegration = list === 'integrations' || isFields(fields['default_route']);
  if (!isIntegration) return unknown(where, list, textOf(fields, 'name') || id);
  return sourceRecord(where, { id, name: textOf(fields, 'name'), type, isPaused: false });
};

function onCallAlert(fields: Fields, where: string): ImportRecord {
  const id = textOf(fields, 'id');
  const name = textOf(fields, 'title') || id;
  const createdAt = timeOf(textOf(fields, 'created_at'));
  const skipped = (reason: string): ImportRecord => ({ kind: 'none', what: 'alert', where, name, reason });
  if (textOf(fields, 'state') === 'resolved') return skipped('It is resolved.');
  if (id === '' || !createdAt) return skipped('It has no id, or no time of creation.');
  const last = isFields(fields['last_alert']) ? fields['last_alert']['payload'] : undefined;
  const labels = isFields(last) ? (last['commonLabels'] ?? last['labels']) : undefined;
  const isAcknowledged = textOf(fields, 'state') === 'acknowledged';
  return {
    kind: 'alert',
    where,
    source: { id: textOf(fields, 'integration_id'), name: 'Grafana OnCall', adapter: 'generic' },
    owner: (isAcknowledged && textOf(fields, 'acknowledged_by')) || undefined,
    alert: {
      dedupKey: id,
      title: name,
      severity: severityOf(textOf(labels, 'severity')),
      state: isAcknowledged ? 'acknowledged' : 'firing',
      link: textOf(fields['permalinks'], 'web') || null,
      createdAt,
      payload: fields,
    },
    ...(textOf(fields, 'state') === 'silenced' && { remark: 'Its silence is not taken over.' }),
  };
}
