import type { AlertState } from '#backend/contract/alert.ts';
import type { Adapter } from './adapter.ts';
import { type Found, choice, choose, find, rule, severityOf, timeOf, withValue } from '#backend/intake/json/found.ts';

const CUSTOMER = choice('entity', 'source');
const KEY = choice('alias', 'alertId');
const TIME = choice('updatedAt', 'createdAt');

const STATES: Readonly<Record<string, AlertState>> = {
  close: 'resolved',
  delete: 'resolved',
  acknowledge: 'acknowledged',
};

/** Opsgenie's outgoing webhook. */
export const opsgenie: Adapter = {
  sender: 'opsgenie',
  read({ body }) {
    const alert = body.get('alert');
    const action = find(body.get('action'));
    if (!alert?.isObject) return { drafts: [] };
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
        },
      ],
    };
  },
};

function stateOf(action: Found | undefined): Found<AlertState> {
  if (action === undefined) return rule('firing', 'there is no action');
  const name = action.value.toLowerCase();
  return withValue(action, Object.hasOwn(STATES, name) ? STATES[name]! : 'firing');
}

/** Opsgenie's `updatedAt` counts nanoseconds, its `createdAt` milliseconds. */
const milliseconds = (time: Found | undefined): Found | undefined =>
  time && /^\d{16,}$/.test(time.value) ? withValue(time, time.value.slice(0, 13)) : time;
