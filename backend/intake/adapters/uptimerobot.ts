import type { AlertState } from '#backend/contract/alert.ts';
import type { Adapter } from './adapter.ts';
import {
  type Found,
  choice,
  choose,
  find,
  joinFound,
  linkOf,
  rule,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';

/** Two monitors may watch one address. */
const KEY = choice('monitor_id', 'monitor_url', 'monitor_friendly_name');

/** UptimeRobot's webhook, as JSON or as a form. */
export const uptimerobot: Adapter = {
  sender: 'uptimerobot',
  read({ body }) {
    const name = find(body.get('monitor_friendly_name'));
    const type = find(body.get('alert_type_friendly_name'));
    if (name === undefined && type === undefined) return { drafts: [] };
    const isDown = type?.value.toLowerCase() === 'down';
    return {
      drafts: [
        {
          element: body,
          title: titleOf(name, type, find(body.get('alert_details'))),
          customer: name,
          alertType: type && withValue(type, `monitor.${type.value.toLowerCase()}`, 'monitor. and the type'),
          severity: type && isDown ? withValue(type, 'high', 'Down is high') : undefined,
          state: stateOf(type),
          dedupKey: joinFound(' ', choose(body, KEY), isStanding(type) ? undefined : type),
          link: linkOf(find(body.get('monitor_url'))),
          at: timeOf(find(body.get('alert_datetime'))),
        },
      ],
    };
  },
};

/** Whether it answers says nothing of what else is reported of a monitor, such as the end of its certificate. */
const isStanding = (type: Found | undefined): boolean => type === undefined || /^(?:down|up)$/i.test(type.value);

function titleOf(name: Found | undefined, type: Found | undefined, details: Found | undefined): Found | undefined {
  const parts = [name, type, details].filter((part) => part !== undefined);
  if (name === undefined || type === undefined) return parts[0];
  const text = `${name.value} is ${type.value}${details ? `: ${details.value}` : ''}`;
  return { value: text, path: parts.map(({ path }) => path).join(' + ') };
}

function stateOf(type: Found | undefined): Found<AlertState> {
  if (type === undefined) return rule('firing', 'there is no type');
  return withValue(type, type.value.toLowerCase() === 'up' ? 'resolved' : 'firing');
}
