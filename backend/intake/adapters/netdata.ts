import type { AlertState } from '#backend/contract/alert.ts';
import {
  type Found,
  choice,
  choose,
  find,
  joinFound,
  linkOf,
  rule,
  severityOf,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';
import type { Adapter } from './adapter.ts';

const ALERT = choice('alert', 'alarm');
const TITLE = choice('message', 'info');
const LINK = choice('alert_url', 'alarm_url', 'url');
const NODE = choice('node', 'host', 'hostname');

/** Where a message names the node: "on node db-7", "on db-7". */
const NO_NAMES = '(?!(?:the|an?|average|node|host|is|was|has|are|in|of|on|with|for|and)(?![\\w.-]))';
const NAMED = new RegExp(`\\b(?:node|host)\\s+${NO_NAMES}["']?(\\w[\\w.-]*)`, 'i');
const PLACED = new RegExp(`\\bon\\s+${NO_NAMES}["']?(\\w[\\w.-]*)`, 'i');

/** Which node it is. Netdata Cloud has no field for it. */
function nodeOf(body: JsonValue): Found | undefined {
  const field = choose(body, NODE);
  const message = find(body.get('message'));
  if (field || !message) return field;
  const name = (NAMED.exec(message.value) ?? PLACED.exec(message.value))?.[1]?.replace(/[.-]+$/, '');
  return name ? withValue(message, name, 'the node that the message names') : undefined;
}

const EVENT = rule<AlertState>('event', 'nothing names the node');

/** Alerts of Netdata Cloud: the same alert of the same chart has the severity `clear` when it is over. */
export const netdata: Adapter = {
  sender: 'netdata',
  read({ body }) {
    const alert = choose(body, ALERT);
    const severity = find(body.get('severity'));
    if (alert === undefined || severity === undefined) return { drafts: [] };
    const node = nodeOf(body);
    const isOver = severity.value.toLowerCase() === 'clear';
    return {
      drafts: [
        {
          element: body,
          title: choose(body, TITLE),
          customer: find(body.get('space')),
          alertType: alert,
          severity: isOver ? undefined : severityOf(severity),
          // Without the node an alert that is over would end those of all others.
          state: node ? withValue(severity, isOver ? 'resolved' : 'firing') : EVENT,
          dedupKey: node && joinFound('|', alert, find(body.get('chart')), node),
          ignored: isOver && !node ? 'Nothing to do: clear, and nothing names the node' : undefined,
          link: linkOf(choose(body, LINK)),
          at: timeOf(find(body.get('date'))),
        },
      ],
    };
  },
};
