import type { AlertState } from '#backend/contract/alert.ts';
import { SENDER_MARK } from '#backend/contract/silence.ts';
import { type Adapter, OWN_COMMENT } from './adapter.ts';
import { type Found, find, join, linkOf, rule, severityOf, timeOf, withValue } from '#backend/intake/json/found.ts';

const ENDS = new Set(['ok', 'resolved']);

/** Zabbix: a media type that posts `trigger`, `status`, `hostname`, `item`, `severity` and `link`. */
export const zabbix: Adapter = {
  sender: 'zabbix',
  read({ body }) {
    const trigger = find(body.get('trigger'));
    const hostname = find(body.get('hostname'));
    if (trigger === undefined) return { drafts: [] };
    const link = linkOf(find(body.get('link')));
    const state = stateOf(find(body.get('status')));
    const isOwn = find(body.get('update'))?.value.includes(SENDER_MARK);
    return {
      drafts: [
        {
          element: body,
          title: trigger,
          customer: hostname,
          alertType: find(body.get('item')),
          severity: severityOf(find(body.get('severity'))),
          state,
          dedupKey: triggerId(link) ?? join(':', hostname, trigger),
          link,
          at: timeOf(find(body.get('timestamp'))),
          ...(isOwn && state.value === 'firing' && { ignored: OWN_COMMENT }),
        },
      ],
    };
  },
};

/** The link names the trigger by number; its name may change with the values in it. */
function triggerId(link: Found | undefined): Found | undefined {
  const address = link && URL.parse(link.value);
  const id = address?.searchParams.get('triggerid') ?? address?.searchParams.get('filter_triggerids[]');
  return link && id ? withValue(link, id, 'the triggerid of the link') : undefined;
}

function stateOf(status: Found | undefined): Found<AlertState> {
  if (status === undefined) return rule('firing', 'there is no status');
  return withValue(status, ENDS.has(status.value.toLowerCase()) ? 'resolved' : 'firing');
}
