import type { AlertState } from '#backend/contract/alert.ts';
import { SENDER_MARK } from '#backend/contract/silence.ts';
import { type Adapter, type MayEcho, OWN_COMMENT } from './adapter.ts';
import {
  type Found,
  choice,
  choose,
  find,
  findHeader,
  firstSeverity,
  joinFound,
  linkOf,
  rule,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';

const OBJECTS = ['issue', 'event', 'error', 'metric_alert', 'comment', 'installation'];
const CUSTOMER = choice('project.slug', 'project.name', 'project_slug', 'project_name', 'alert_rule.name');
const TITLE = choice('title', 'metadata.title', 'message', 'comment');
const ID = choice('issue_id', 'id');
const LINK = ['web_url', 'permalink', 'issue_url', 'url'];
const TIME = choice('lastSeen', 'datetime', 'date_detected', 'timestamp', 'firstSeen');

/** Actions and statuses of what has ended. Actions of metric alerts are severities; those of issues are not. */
const ENDS = new Set(['resolved', 'archived', 'ignored']);

const ARCHIVES = new Set(['archived', 'ignored']);

/** Sentry's integration platform: the header names the resource, `data` holds the object under its name. */
export const sentry: Adapter = {
  sender: 'sentry',
  read({ headers, body }) {
    const resource = findHeader(headers, 'sentry-hook-resource');
    const data = body.get('data');
    if (!body.isObject || data === undefined) return { drafts: [] };
    const action = find(body.get('action'));
    const object = OBJECTS.map((name) => data.get(name)).find((value) => value?.isObject);
    const isMetric = data.get('metric_alert') !== undefined;
    const id = object && (isMetric ? find(object.get('id')) : choose(object, ID));
    const key = id && (resource?.value === 'comment' ? undefined : id);
    // Archived until a time, it comes back by itself: that is no end.
    const until = find(object?.get('statusDetails')?.get('ignoreUntil'));
    // A comment has no object: its fields are those of `data`.
    const fields = object ?? data;
    const isOwn = find(data.get('comment'))?.value.includes(SENDER_MARK);
    const projects = object?.get('projects')?.items(1)[0];
    return {
      drafts: [
        {
          element: body,
          title: find(data.get('description_title')) ?? choose(fields, TITLE),
          customer: find(projects) ?? choose(fields, CUSTOMER) ?? projectOf(object),
          alertType: joinFound('.', resource, action),
          severity: isMetric
            ? firstSeverity(action)
            : firstSeverity(find(object?.get('level')), find(object?.get('priority'))),
          state: key
            ? stateOf(action, find(object?.get('status')), until)
            : rule<AlertState>('event', 'no id names the problem'),
          dedupKey: key,
          link: linkOf(find(data.get('web_url')), ...LINK.map((name) => find(object?.get(name)))),
          deliveryId: findHeader(headers, 'request-id'),
          at: timeOf(choose(fields, TIME)),
          mayEcho: echoOf(action, until, find(object?.get('substatus'))),
          ...(isOwn && { ignored: OWN_COMMENT }),
        },
      ],
    };
  },
};

/** An event of a rule has its project as a number; the name is in the event's address in the API. */
function projectOf(object: JsonValue | undefined): Found | undefined {
  const address = find(object?.get('url'));
  const slug = address && /\/projects\/[^/]+\/([^/]+)\//.exec(address.value)?.[1];
  return address && slug ? withValue(address, slug, 'the project of the address') : find(object?.get('project'));
}

/** Somebody who is assigned to a resolved issue does not open it again. */
function stateOf(action: Found | undefined, status: Found | undefined, until: Found | undefined): Found<AlertState> {
  const end = [action, status].find((word) => word && ENDS.has(word.value));
  if (end === undefined) return action ? withValue(action, 'firing') : rule('firing', 'nothing ends it');
  return until !== undefined && ARCHIVES.has(end.value) ? withValue(until, 'acknowledged') : withValue(end, 'resolved');
}

/** Unresolved by hand it is `ongoing`; `regressed` and `escalating` are news. */
function echoOf(
  action: Found | undefined,
  until: Found | undefined,
  substatus: Found | undefined,
): MayEcho | undefined {
  if (until !== undefined && ARCHIVES.has(action?.value ?? '')) return 'quieted';
  const isOngoing = substatus === undefined || substatus.value === 'ongoing';
  return action?.value === 'unresolved' && isOngoing ? 'unquieted' : undefined;
}
