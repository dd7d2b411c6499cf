import { describe, expect, test } from 'vitest';
import { eventOf } from '#tests/support/read-sent.ts';

const aws = (type: string, detail: object, resources: string[] = []) => ({
  version: '0',
  id: crypto.randomUUID(),
  'detail-type': type,
  source: 'aws.any',
  account: '123456789012',
  time: '2026-03-04T10:00:00Z',
  region: 'eu-central-1',
  resources,
  detail,
});
const PLACE = '123456789012:eu-central-1';

describe('a stage or an action of CodePipeline', () => {
  const type = 'CodePipeline Action Execution State Change';
  const action = (name: string, state: string) =>
    eventOf(aws(type, { pipeline: 'shop', stage: 'Deploy', action: name, state }));

  test('is ended by its own success, not by that of one beside it', () => {
    const failed = action('eu', 'FAILED');
    expect(failed).toMatchObject({
      state: 'firing',
      dedupKey: `${type}:${PLACE}:shop/Deploy/eu`,
      title: `${type}: shop/Deploy/eu FAILED`,
    });
    expect(action('eu', 'SUCCEEDED')).toMatchObject({ state: 'resolved', dedupKey: failed.dedupKey });
    expect(action('us', 'SUCCEEDED').dedupKey).not.toBe(failed.dedupKey);
  });

  test('is another thing than the pipeline', () => {
    const stage = eventOf(
      aws('CodePipeline Stage Execution State Change', { pipeline: 'shop', stage: 'Build', state: 'FAILED' }),
    );
    expect(stage.dedupKey).toBe(`CodePipeline Stage Execution State Change:${PLACE}:shop/Build`);
    const pipeline = eventOf(
      aws('CodePipeline Pipeline Execution State Change', { pipeline: 'shop', state: 'FAILED' }),
    );
    expect(pipeline.dedupKey).toBe(`CodePipeline Pipeline Execution State Change:${PLACE}:shop`);
  });
});

describe('a check of Trusted Advisor', () => {
  const type = 'Trusted Advisor Check Item Refresh Notification';
  const check = (detail: object) => eventOf(aws(type, { 'check-name': 'Open ports', ...detail }));

  test('is one problem for each resource', () => {
    const one = check({ status: 'ERROR', resource_id: 'arn:aws:ec2:eu-central-1:123456789012:instance/i-1' });
    expect(one).toMatchObject({ state: 'firing', title: `${type}: Open ports ERROR` });
    expect(one.dedupKey).toContain(':Open ports/arn:aws:ec2:eu-central-1:123456789012:instance/i-1');
    expect(check({ status: 'OK', resource_id: 'i-2' }).dedupKey).not.toBe(one.dedupKey);
  });

  test('of a limit is one for each limit, and of nothing that is named an event', () => {
    const item = { Region: 'us-west-1', Service: 'AutoScaling', 'Limit Name': 'Launch configurations' };
    expect(check({ status: 'WARN', resource_id: '', 'check-item-detail': item })).toMatchObject({
      state: 'firing',
      dedupKey: `${type}:${PLACE}:Open ports/us-west-1/AutoScaling/Launch configurations`,
    });
    expect(check({ status: 'WARN' })).toMatchObject({ state: 'event', dedupKey: null });
  });
});

const finding = (findingArn: string, status: string) =>
  eventOf(aws('Inspector2 Finding', { findingArn, title: 'CVE-2026-1', status, severity: 'HIGH' }, ['i-1']));

test('each finding of Inspector about one machine is a problem of its own', () => {
  const one = finding('arn:aws:inspector2:eu-central-1:123456789012:finding/1', 'ACTIVE');
  expect(one).toMatchObject({ state: 'firing', severity: 'high', title: 'CVE-2026-1' });
  expect(finding('arn:aws:inspector2:eu-central-1:123456789012:finding/2', 'CLOSED').dedupKey).not.toBe(one.dedupKey);
});

describe('a finding of Security Hub', () => {
  const id = 'arn:aws:securityhub:eu-central-1:123456789012:subscription/x/finding/1';
  const hub = (values: object, type = 'Security Hub Findings - Imported') =>
    eventOf(
      aws(type, {
        findings: [
          {
            Id: id,
            Title: 'S3 buckets should block public access',
            Severity: { Label: 'CRITICAL', Normalized: 90 },
            Workflow: { Status: 'NEW' },
            RecordState: 'ACTIVE',
            Compliance: { Status: 'FAILED' },
            Resources: [{ Type: 'AwsS3Bucket', Id: 'arn:aws:s3:::invoices' }],
            ...values,
          },
        ],
      }),
    );

  test('is named with its resource, and is as bad as it says', () => {
    expect(hub({})).toMatchObject({
      title: 'invoices: S3 buckets should block public access',
      severity: 'critical',
      state: 'firing',
      dedupKey: id,
    });
    expect(hub({}, 'Security Hub Findings - Custom Action').dedupKey).toBe(id);
  });

  test.each([
    { Workflow: { Status: 'RESOLVED' } },
    { Workflow: { Status: 'SUPPRESSED' } },
    { RecordState: 'ARCHIVED' },
    { Compliance: { Status: 'PASSED' } },
  ])('ends with %j', (values) => {
    expect(hub(values)).toMatchObject({ state: 'resolved', dedupKey: id });
  });
});

describe('a resource that AWS Config finds not compliant', () => {
  const type = 'Config Rules Compliance Change';
  const compliance = (complianceType: string, resourceId = 'i-1') =>
    eventOf(aws(type, { resourceId, configRuleName: 'required-tags', newEvaluationResult: { complianceType } }));

  test('is a problem of the rule and the resource', () => {
    const one = compliance('NON_COMPLIANT');
    expect(one).toMatchObject({ title: `${type}: required-tags/i-1 NON_COMPLIANT`, state: 'firing' });
    expect(compliance('NON_COMPLIANT', 'i-2').dedupKey).not.toBe(one.dedupKey);
  });

  test.each(['COMPLIANT', 'NOT_APPLICABLE'])('ends when it is %s', (complianceType) => {
    const { dedupKey } = compliance('NON_COMPLIANT');
    expect(compliance(complianceType)).toMatchObject({ state: 'resolved', dedupKey });
  });
});

test('a failed execution of a state machine is ended by the next that succeeds', () => {
  const machine = 'arn:aws:states:eu-central-1:123456789012:stateMachine:Billing';
  const execution = (name: string, status: string) =>
    eventOf(
      aws('Step Functions Execution Status Change', { stateMachineArn: machine, name, status }, [`${machine}:${name}`]),
    );
  const failed = execution('run-1', 'FAILED');
  expect(failed).toMatchObject({ state: 'firing', title: 'Step Functions Execution Status Change: Billing FAILED' });
  expect(execution('run-2', 'SUCCEEDED')).toMatchObject({ state: 'resolved', dedupKey: failed.dedupKey });
});

test('what names nothing that it is about is an event', () => {
  expect(eventOf(aws('Any Notification', { status: 'FAILED' }))).toMatchObject({ state: 'event', dedupKey: null });
});

const alarm = (value: string) =>
  aws('CloudWatch Alarm State Change', { alarmName: 'db-7-cpu', state: { value, reason: `It is ${value}` } });
const through = (message: object) =>
  eventOf({
    Type: 'Notification',
    MessageId: 'm-1',
    TopicArn: 'arn:aws:sns:eu-central-1:123456789012:desk',
    Message: JSON.stringify(message),
    Timestamp: '2026-03-04T10:00:01.000Z',
  });

test('an event that comes from EventBridge through SNS is read as one that comes directly', () => {
  const { dedupKey, title, customer, alertType, severity, at } = eventOf(alarm('ALARM'));
  const firing = through(alarm('ALARM'));
  expect(firing).toMatchObject({
    dedupKey,
    title,
    customer,
    alertType,
    severity,
    at,
    state: 'firing',
    deliveryId: 'm-1',
  });
  expect(JSON.parse(firing.shared)).toMatchObject({ TopicArn: 'arn:aws:sns:eu-central-1:123456789012:desk' });
  expect(through(alarm('OK'))).toMatchObject({ state: 'resolved', dedupKey });
});
