import { WEBHOOK_MAX_DEPTH } from '#backend/contract/webhook.ts';
import type { AlertState } from '#backend/contract/alert.ts';
import type { Adapter, Delivery, Draft, Reading } from './adapter.ts';
import {
  type Found,
  choice,
  choose,
  find,
  findHeader,
  headerOf,
  joinFound,
  linkOf,
  rule,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';
import { type JsonValue, readJson } from '#backend/intake/json/json-value.ts';
import { sharedMembers } from './shared-members.ts';
import { isSnsAddress } from '#backend/intake/signatures/sns-address.ts';
import { readAwsEvent } from './eventbridge.ts';
import { readAny } from './generic.ts';

/** What is left of the envelope; signatures and addresses of SNS itself say nothing about the alert. */
const SHARED = ['Type', 'MessageId', 'TopicArn', 'Subject', 'Timestamp', 'MessageAttributes'];

const REASON = choice('NewStateReason', 'AlarmDescription', 'AlarmName');
const ARN = choice('AlarmArn', 'AlarmName');

/** AWS SNS, and CloudWatch's alarms in it. The message is the alert; the envelope is what it shares. */
export const sns: Adapter = {
  sender: 'sns',
  // Whoever opens one of the addresses subscribes or unsubscribes.
  secretNames: ['Token', 'SubscribeURL', 'UnsubscribeURL'],
  read(delivery: Delivery): Reading {
    const { body, headers } = delivery;
    const type = headerOf(headers, 'x-amz-sns-message-type') || (body.get('Type')?.string ?? '');
    if (type === 'SubscriptionConfirmation' || type === 'UnsubscribeConfirmation') return confirmation(body, type);
    const message = body.get('Message');
    // With raw delivery the body is the message.
    if (message === undefined) return { drafts: body.isObject ? [readMessage(body, body, headers)] : [] };
    return { drafts: [{ ...readMessage(parsed(message), body, headers), shared: sharedMembers(body, SHARED, 1) }] };
  },
};

/** A message that is a JSON object, read as such; its paths begin with `Message`. */
function parsed(message: JsonValue): JsonValue {
  const text = message.string;
  if (text === undefined || !text.startsWith('{')) return message;
  const value = readJson(text, WEBHOOK_MAX_DEPTH, message.path);
  return typeof value === 'string' ? message : value;
}

function readMessage(message: JsonValue, envelope: JsonValue, headers: Delivery['headers']): Draft {
  const subject = find(envelope.get('Subject'));
  const ids = { deliveryId: findHeader(headers, 'x-amz-sns-message-id') ?? find(envelope.get('MessageId')) };
  const event = message.get('source') && readAwsEvent(message);
  if (event) return { ...event, ...ids };
  const topic = partsOfArn(find(envelope.get('TopicArn')) ?? findHeader(headers, 'x-amz-sns-topic-arn'));
  if (message.get('AlarmName') === undefined) {
    const draft = readAny(message);
    return {
      ...draft,
      ...ids,
      title: message.isObject ? (draft.title ?? subject) : find(message),
      customer: accountAndRegion(topic?.account, topic?.region),
      alertType: subject ?? draft.alertType,
      at: draft.at ?? timeOf(find(envelope.get('Timestamp'))),
    };
  }
  const alarm = choose(message, ARN);
  const arn = partsOfArn(find(message.get('AlarmArn')));
  const region = arn?.region ?? topic?.region;
  const state = find(message.get('NewStateValue'));
  return {
    ...ids,
    element: message,
    title: choose(message, REASON),
    customer: accountAndRegion(
      find(message.get('AWSAccountId')) ?? arn?.account,
      region ?? find(message.get('Region')),
    ),
    alertType: find(message.get('AlarmName')),
    severity: state?.value === 'ALARM' ? withValue(state, 'high', 'ALARM is high') : undefined,
    state: stateOf(state),
    dedupKey: alarm,
    link: linkOf(consoleLink(find(message.get('AlarmName')), region)),
    at: timeOf(find(message.get('StateChangeTime')) ?? find(envelope.get('Timestamp'))),
  };
}

function stateOf(state: Found | undefined): Found<AlertState> {
  if (state === undefined) return rule('firing', 'there is no NewStateValue');
  return withValue(state, state.value === 'OK' ? 'resolved' : 'firing');
}

const accountAndRegion = (account: Found | undefined, region: Found | undefined): Found | undefined =>
  joinFound(' ', account, region);

/** `arn:aws:cloudwatch:eu-west-1:123456789012:alarm:name` */
function partsOfArn(arn: Found | undefined): { region: Found | undefined; account: Found | undefined } | undefined {
  if (!arn?.value.startsWith('arn:')) return undefined;
  const [, , , region, account] = arn.value.split(':');
  return {
    region: region ? withValue(arn, region, 'the region of the ARN') : undefined,
    account: account ? withValue(arn, account, 'the account of the ARN') : undefined,
  };
}

/** The alarm's page; a region that is a name of a place, not a code, has no console of its own. */
function consoleLink(name: Found | undefined, region: Found | undefined): Found | undefined {
  if (!name || !region || !/^[a-z]{2}(-[a-z]+)+-\d$/.test(region.value)) return undefined;
  const host = region.value.startsWith('cn-') ? 'console.amazonaws.cn' : 'console.aws.amazon.com';
  const place = `cloudwatch/home?region=${region.value}#alarmsV2:alarm/${encodeURIComponent(name.value.toWellFormed())}`;
  return { value: `https://${region.value}.${host}/${place}`, path: name.path, note: 'the alarm in the console' };
}

function confirmation(body: JsonValue, type: string): Reading {
  const address = body.get('SubscribeURL')?.string;
  const isSubscription = type === 'SubscriptionConfirmation';
  const topic = (body.get('TopicArn')?.string ?? '').slice(0, 300);
  return {
    drafts: [],
    handshake: {
      kind: isSubscription ? 'subscription' : 'unsubscription',
      summary: isSubscription ? `SNS asks to confirm the topic ${topic}` : `SNS ended the topic ${topic}`,
      answer: { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8' }, body: '' },
      // Requesting the address of an unsubscription would subscribe again.
      ...(isSubscription && address && isSnsAddress(address) ? { confirmUrl: address } : {}),
    },
  };
}
