import type { AlertSeverity, AlertState } from '#backend/contract/alert.ts';
import { type Found, choice, choose, find, joinFound, rule, timeOf, withValue } from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';
import { standingOfText } from '#backend/intake/understanding/standing.ts';
import type { Adapter, Draft } from './adapter.ts';
import { readAny } from './generic.ts';

/** Names of what an event's detail is about, across the services of AWS. */
const NAME = choice(
  'alarmName',
  'pipeline',
  'project-name',
  'jobName',
  'name',
  'instance-id',
  'stackName',
  'SourceIdentifier',
);
const STATE = choice('state.value', 'state', 'status', 'build-status', 'statusCode', 'lastStatus');
const TEXT = choice(
  'title',
  'state.reason',
  'eventDescription.0.latestDescription',
  'Message',
  'cause',
  'stoppedReason',
  'reason',
);

/** Findings of GuardDuty: https://docs.aws.amazon.com/guardduty/latest/ug/guardduty_findings-severity.html. */
const SCALE: readonly (readonly [from: number, severity: AlertSeverity])[] = [
  [9, 'critical'],
  [7, 'high'],
  [4, 'warning'],
  [1, 'low'],
];

/** Events of AWS as EventBridge sends them to an API destination: the news is in `detail`, whose shape is each service's own. */
export const eventbridge: Adapter = {
  sender: 'eventbridge',
  read({ body }) {
    const type = find(body.get('detail-type'));
    const detail = body.get('detail');
    if (type === undefined || !detail?.isObject) return { drafts: [] };
    const read = readAny(detail);
    const name = choose(detail, NAME);
    const word = choose(detail, STATE);
    const state = stateOf(word);
    const draft: Draft = {
      ...read,
      element: body,
      title: titleOf(detail, type, name),
      customer: joinFound(' ', find(body.get('account')), find(body.get('region'))),
      alertType: type,
      severity: scoreOf(find(detail.get('severity'))) ?? alarmOf(word) ?? read.severity,
      state,
      dedupKey:
        state === EVENT
          ? undefined
          : joinFound(':', type, find(body.get('account')), find(body.get('region')), name ?? resourceOf(body, detail)),
      deliveryId: find(body.get('id')),
      at: timeOf(find(body.get('time'))),
    };
    return { drafts: [draft] };
  },
};

const EVENT = rule<AlertState>('event', 'no word of it opens or ends a problem');

const resourceOf = (body: JsonValue, detail: JsonValue): Found | undefined =>
  find(detail.get('eventArn')) ?? find(body.get('resources')?.items(1)[0]);

/** Only what is wrong or right again is a problem: that a machine was stopped is an event, which somebody routed here. */
function stateOf(word: Found | undefined): Found<AlertState> {
  const standing = word && standingOfText(word.value);
  if (word === undefined || standing === undefined || standing === 'unremarkable') return EVENT;
  const isOver = standing === 'resolved' || standing === 'succeeded';
  return withValue(word, isOver ? 'resolved' : 'firing');
}

const alarmOf = (word: Found | undefined): Found<AlertSeverity> | undefined =>
  word?.value === 'ALARM' ? withValue(word, 'high', 'ALARM is high') : undefined;

function titleOf(detail: JsonValue, type: Found, name: Found | undefined): Found | undefined {
  const text = TEXT.map((path) => find(detail.at(path.map((part) => (part === '0' ? 0 : part))))).find(Boolean);
  const state = choose(detail, STATE);
  if (text) return find(detail.get('title')) ?? joinFound(': ', name ?? type, text);
  return joinFound(': ', type, joinFound(' ', name, state));
}

function scoreOf(score: Found | undefined): Found<AlertSeverity> | undefined {
  const found = score && SCALE.find(([from]) => Number(score.value) >= from);
  return found && withValue(score, found[1], `severity ${score.value}: from ${found[0]} on ${found[1]}`);
}
