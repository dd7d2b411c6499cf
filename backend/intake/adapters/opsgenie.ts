import type { AlertState } from '#backend/contract/alert.ts';
import { SENDER_MARK } from '#backend/contract/silence.ts';
import { type Adapter, type Draft, type MayEcho, OWN_COMMENT } from './adapter.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';
import {
  CUSTOMER_LABELS,
  type Found,
  choice,
  choose,
  find,
  firstSeverity,
  linkOf,
  rule,
  severityOf,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';

const CUSTOMER = choice('entity', 'source');
const KEY = choice('alias', 'alertId');
const TIME = choice('updatedAt', 'createdAt');

const STATES: Readonly<Record<string, AlertState>> = {
  close: 'resolved',
  delete: 'resolved',
  acknowledge: 'acknowledged',
  // Somebody has put it off: at its end it is open again.
  snooze: 'acknowledged',
};

/**
 * Actions that change what is written in an alert, not where it stands. A changed priority or message is not followed: what is
 * sent does not say where the alert stands, and a report that it fires would reopen what somebody has acknowledged.
 */
const EDITS = new Set(
  (
    'addnote addtags removetags adddetails removedetails addteam addrecipient addresponder assignownership ' +
    'takeownership updatepriority updatemessage updatedescription'
  ).split(' '),
);

/** https://support.atlassian.com/opsgenie/docs/opsgenie-edge-connector-alert-action-data/ */
const ECHOES: Readonly<Record<string, MayEcho>> = {
  acknowledge: 'quieted',
  snooze: 'quieted',
  unacknowledge: 'unquieted',
  snoozeended: 'unquieted',
};

/** Opsgenie's outgoing webhook, and what is posted to its API to create an alert. */
export const opsgenie: Adapter = {
  sender: 'opsgenie',
  read({ body }) {
    const alert = body.get('alert');
    const action = find(body.get('action'));
    if (!alert?.isObject) return { drafts: body.get('message')?.isString ? [createdAlert(body)] : [] };
    const name = action?.value.toLowerCase() ?? '';
    // The note of what Alertdesk did beside it is no reason to drop what happened.
    const isOwn = name === 'addnote' && find(alert.get('note'))?.value.includes(SENDER_MARK);
    return {
      drafts: [
        {
          element: body,
          title: find(alert.get('message')),
          customer: choose(alert, CUSTOMER),
          alertType: action && withValue(action, `alert.${action.value}`, 'alert. and the action'),
          severity: severityOf(find(alert.get('priority'))),
          state: stateOf(action),
          dedupKey: choose(alert, KEY),
          at: timeOf(milliseconds(choose(alert, TIME))),
          mayEcho: ECHOES[name],
          ...(EDITS.has(name) && { ignored: isOwn ? OWN_COMMENT : `Nothing to do: ${action?.value}` }),
        },
      ],
    };
  },
};

const ENTITY = choice('entity');
const DETAIL_TYPES = choice('alertname', 'alertType', 'alert_type');

/** The body of `POST /v2/alerts`. */
function createdAlert(body: JsonValue): Draft {
  const details = body.get('details');
  const source = find(body.get('source'));
  const link = linkOf(source);
  return {
    element: body,
    title: find(body.get('message')),
    customer: choose(body, ENTITY) ?? choose(details, CUSTOMER_LABELS) ?? (link ? undefined : source),
    alertType: choose(details, DETAIL_TYPES),
    severity: firstSeverity(find(body.get('priority')), find(details?.get('severity'))),
    state: rule('firing', 'an alert is created'),
    dedupKey: find(body.get('alias')),
    link,
  };
}

function stateOf(action: Found | undefined): Found<AlertState> {
  if (action === undefined) return rule('firing', 'there is no action');
  const name = action.value.toLowerCase();
  return withValue(action, Object.hasOwn(STATES, name) ? STATES[name]! : 'firing');
}

/** Opsgenie's `updatedAt` counts nanoseconds, its `createdAt` milliseconds. */
const milliseconds = (time: Found | undefined): Found | undefined =>
  time && /^\d{16,}$/.test(time.value) ? withValue(time, time.value.slice(0, 13)) : time;
