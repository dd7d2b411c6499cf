import type { AlertSeverity, AlertState } from '#backend/contract/alert.ts';
import {
  type Found,
  choice,
  choose,
  find,
  join,
  joinFound,
  linkOf,
  rule,
  severityOf,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';
import { standingOfText } from '#backend/intake/understanding/standing.ts';
import type { Adapter, Draft } from './adapter.ts';
import { readAny } from './generic.ts';

/** Names of what an event's detail is about, across the services of AWS. */
const NAME = choice('alarmName', 'project-name', 'jobName', 'name', 'instance-id', 'stackName', 'SourceIdentifier');
const STATE = choice(
  'state.value',
  'state',
  'status',
  'build-status',
  'statusCode',
  'lastStatus',
  'newEvaluationResult.complianceType',
);
/** What AWS Config says of a resource (https://docs.aws.amazon.com/config/latest/APIReference/API_EvaluationResult.html). */
const COMPLIANCE: ReadonlyMap<string, AlertState> = new Map([
  ['NON_COMPLIANT', 'firing'],
  ['COMPLIANT', 'resolved'],
  ['NOT_APPLICABLE', 'resolved'],
]);
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
    const draft = readAwsEvent(body);
    return { drafts: draft ? [draft] : [] };
  },
};

/** An event as it comes from EventBridge, whatever brings it; undefined for what is none. */
export function readAwsEvent(body: JsonValue): Draft | undefined {
  const type = find(body.get('detail-type'));
  const detail = body.get('detail');
  if (type === undefined || !detail?.isObject) return undefined;
  const finding = findingIn(detail);
  if (finding) return readFinding(body, type, finding);
  const read = readAny(detail);
  const { name, id } = subjectOf(body, detail);
  const word = choose(detail, STATE);
  const state = stateOf(word, id);
  return {
    ...read,
    element: body,
    title: titleOf(detail, type, name),
    customer: joinFound(' ', find(body.get('account')), find(body.get('region'))),
    alertType: type,
    severity: scoreOf(find(detail.get('severity'))) ?? alarmOf(word) ?? read.severity,
    state,
    ignored: state === EVENT ? read.ignored : undefined,
    dedupKey:
      state === EVENT ? undefined : joinFound(':', type, find(body.get('account')), find(body.get('region')), id),
    deliveryId: find(body.get('id')),
    at: timeOf(find(body.get('time'))),
  };
}

const EVENT = rule<AlertState>('event', 'nothing of it opens or ends a problem');

/**
 * The finding of an event of Security Hub: a list that has one
 * (https://docs.aws.amazon.com/securityhub/latest/userguide/securityhub-cwe-event-formats.html).
 */
function findingIn(detail: JsonValue): JsonValue | undefined {
  const [finding, ...others] = detail.get('findings')?.items(2) ?? [];
  return others.length === 0 && find(finding?.get('Id')) && find(finding?.get('Title')) ? finding : undefined;
}

/** A finding is a problem until it is resolved, suppressed or archived, or its control passes, whatever event reports it. */
function readFinding(body: JsonValue, type: Found, finding: JsonValue): Draft {
  const resource = find(finding.get('Resources')?.items(1)[0]?.get('Id'));
  const workflow = find(finding.at(['Workflow', 'Status']));
  const record = find(finding.get('RecordState'));
  const compliance = find(finding.at(['Compliance', 'Status']));
  const end = [workflow, record, compliance].find((word) => word && ENDS.has(word.value));
  return {
    element: body,
    title: joinFound(
      ': ',
      resource && withValue(resource, resource.value.split(/[/:]/).at(-1) ?? ''),
      find(finding.get('Title')),
    ),
    customer: joinFound(' ', find(body.get('account')), find(body.get('region'))),
    alertType: type,
    severity: severityOf(find(finding.at(['Severity', 'Label']))),
    state: end ? withValue(end, 'resolved') : rule('firing', 'nothing ends it', (workflow ?? record)?.path),
    dedupKey: find(finding.get('Id')),
    deliveryId: find(body.get('id')),
    link: linkOf(find(finding.get('SourceUrl'))),
    at: timeOf(find(body.get('time'))),
  };
}
const ENDS = new Set(['RESOLVED', 'SUPPRESSED', 'ARCHIVED', 'PASSED']);

/** What an event is about: the name that people know, and what no other thing has. */
function subjectOf(body: JsonValue, detail: JsonValue): { name: Found | undefined; id: Found | undefined } {
  const pipeline = find(detail.get('pipeline'));
  if (pipeline) {
    // Stages and actions of one pipeline fail and succeed by themselves.
    const part = joinFound('/', pipeline, find(detail.get('stage')), find(detail.get('action')));
    return { name: part, id: part };
  }
  const machine = find(detail.get('stateMachineArn'));
  // The name beside it is that of one execution: the next one has another.
  if (machine) return { name: withValue(machine, machine.value.split(':').at(-1) ?? ''), id: machine };
  const check = find(detail.get('check-name'));
  if (check) return { name: check, id: join('/', check, find(detail.get('resource_id')) ?? limitOf(detail)) };
  const configRule = find(detail.get('configRuleName'));
  if (configRule) {
    // A rule is about many resources.
    const part = join('/', configRule, find(detail.get('resourceId')));
    return { name: part ?? configRule, id: part };
  }
  const name = choose(detail, NAME);
  const resource = find(detail.get('eventArn')) ?? find(body.get('resources')?.items(1)[0]);
  // A resource may have many findings.
  return { name, id: find(detail.get('findingArn')) ?? name ?? resource };
}

/** Which limit of an account a check of Trusted Advisor is about, where it is about no resource. */
function limitOf(detail: JsonValue): Found | undefined {
  const item = detail.get('check-item-detail');
  return join('/', find(item?.get('Region')), find(item?.get('Service')), choose(item, LIMIT));
}
/** The older events have the limit's name in the field for its number. */
const LIMIT = choice('Limit Name', 'Limit Amount');

/** Only what is wrong or right again is a problem: that a machine was stopped is an event, which somebody routed here. */
function stateOf(word: Found | undefined, id: Found | undefined): Found<AlertState> {
  if (id === undefined) return EVENT;
  const compliance = word && COMPLIANCE.get(word.value);
  if (compliance) return withValue(word, compliance);
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
