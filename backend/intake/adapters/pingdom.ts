import type { AlertState } from '#backend/contract/alert.ts';
import type { Adapter } from './adapter.ts';
import {
  type Found,
  choice,
  choose,
  find,
  linkOf,
  rule,
  severityOf,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';

const CUSTOMER = choice('check_params.hostname', 'check_params.url', 'check_name');
const DETAILS = choice('description', 'long_description');
const LINK = ['full_url', 'url'];

/** How an uptime check is when all is well, and how a transaction check is. */
const ENDS = new Set(['UP', 'SUCCESS']);

/** Pingdom's webhook. */
export const pingdom: Adapter = {
  sender: 'pingdom',
  read({ body }) {
    const state = find(body.get('current_state'));
    if (state === undefined) return { drafts: [] };
    const params = body.get('check_params');
    const type = find(body.get('check_type'));
    const severity = severityOf(find(body.get('importance_level')));
    return {
      drafts: [
        {
          element: body,
          title: titleOf(find(body.get('check_name')), state, choose(body, DETAILS)),
          customer: choose(body, CUSTOMER),
          alertType: type && withValue(type, `check.${type.value}`, 'check. and the type'),
          severity:
            severity && severity.value !== 'none' ? severity : rule('high', 'importance_level: empty or missing'),
          state: withValue<AlertState>(state, ENDS.has(state.value.toUpperCase()) ? 'resolved' : 'firing'),
          dedupKey: find(body.get('check_id')),
          link: linkOf(find(body.get('full_url')), ...LINK.map((name) => find(params?.get(name)))),
          at: timeOf(find(body.get('state_changed_timestamp'))),
        },
      ],
    };
  },
};

function titleOf(name: Found | undefined, state: Found, details: Found | undefined): Found {
  const text = `${name?.value ?? 'The check'} is ${state.value}${details ? `: ${details.value}` : ''}`;
  const paths = [name, state, details].flatMap((part) => part?.path ?? []);
  return { value: text, path: paths.join(' + ') };
}
