import { type Problem, type ProblemPlay, byState, machineName, summaryOf } from '#scripts/demo/problems.ts';
import type { Random } from '#scripts/demo/random.ts';
import { type Writer, json, secondsOf, uuid, uuidOf } from '#scripts/demo/webhook-request.ts';
import { COMPANY, CUSTOMERS, REGIONS, SERVICES } from '#scripts/demo/world.ts';

const AWS_ACCOUNT = '123456789012';
const AZURE_SUBSCRIPTION = '0b1f6471-1bf0-4dda-aec3-cb9272f09590';
const GOOGLE_PROJECT = `${COMPANY.slug}-prod`;

/** A CloudWatch alarm is named after its machine: one alarm for each. The region belongs to the name. */
const regionOf = ({ host }: Problem) => REGIONS[host.length % REGIONS.length] ?? REGIONS[0];

/** CloudWatch's alarms by AWS SNS: JSON as text, with the alarm as text in it. */
export const sns: ProblemPlay = {
  nameOf: machineName,
  write(problem, random) {
    const { trouble, host, value, at } = problem;
    const region = regionOf(problem);
    const name = `${host} ${trouble.title}`;
    const state = byState(problem, { firing: 'ALARM', resolved: 'OK' });
    const topic = `arn:aws:sns:${region}:${AWS_ACCOUNT}:operations`;
    const verb = byState(problem, { firing: 'was greater than', resolved: 'was not greater than' });
    const alarm = {
      AlarmName: name,
      AlarmDescription: null,
      AWSAccountId: AWS_ACCOUNT,
      AlarmConfigurationUpdatedTimestamp: '2026-01-04T10:00:00.000+0000',
      NewStateValue: state,
      NewStateReason: `${name}: 1 datapoint [${value}] ${verb} the threshold (${trouble.limit}).`,
      StateChangeTime: at.toISOString().replace('Z', '+0000'),
      Region: region,
      AlarmArn: `arn:aws:cloudwatch:${region}:${AWS_ACCOUNT}:alarm:${name}`,
      // An alarm that is sent once more had no data in between.
      OldStateValue: byState(problem, {
        firing: problem.reports === 1 ? 'OK' : 'INSUFFICIENT_DATA',
        resolved: 'ALARM',
      }),
      Trigger: {
        MetricName: trouble.metric,
        Namespace: 'Lakeside/Machines',
        StatisticType: 'Statistic',
        Statistic: 'AVERAGE',
        Dimensions: [{ name: 'Host', value: host }],
        Period: 300,
        EvaluationPeriods: 1,
        ComparisonOperator: 'GreaterThanThreshold',
        Threshold: trouble.limit,
        TreatMissingData: 'missing',
      },
    };
    const id = uuid(random);
    const site = `https://sns.${region}.amazonaws.com`;
    const envelope = {
      Type: 'Notification',
      MessageId: id,
      TopicArn: topic,
      Subject: `${state}: "${name}" in ${region}`,
      Message: JSON.stringify(alarm),
      Timestamp: at.toISOString(),
      SignatureVersion: '1',
      Signature: Buffer.from(random.hex(128), 'hex').toString('base64'),
      SigningCertURL: `${site}/SimpleNotificationService-${random.hex(32)}.pem`,
      UnsubscribeURL: `${site}/?Action=Unsubscribe&SubscriptionArn=${topic}:${uuid(random)}`,
    };
    return json(envelope, {
      'content-type': 'text/plain; charset=UTF-8',
      'user-agent': 'Amazon Simple Notification Service Agent',
      'x-amz-sns-message-type': 'Notification',
      'x-amz-sns-message-id': id,
      'x-amz-sns-topic-arn': topic,
    });
  },
};

const AZURE_SEVERITY = { critical: 'Sev0', high: 'Sev2', warning: 'Sev3', low: 'Sev4' } as const;

/** Azure Monitor's common alert schema, as an action group posts it. */
export const azureMonitor: ProblemPlay = {
  nameOf: machineName,
  write(problem) {
    const { trouble, host, service, value, startedAt, at, id } = problem;
    const group = `${host.replace(/-.*/, '')}-prod`;
    const target = `/subscriptions/${AZURE_SUBSCRIPTION}/resourcegroups/${group}/providers/microsoft.compute/virtualmachines/${host}`;
    return json({
      schemaId: 'azureMonitorCommonAlertSchema',
      data: {
        essentials: {
          alertId: `/subscriptions/${AZURE_SUBSCRIPTION}/providers/Microsoft.AlertsManagement/alerts/${uuidOf(id)}`,
          alertRule: trouble.rule,
          severity: AZURE_SEVERITY[trouble.severity],
          signalType: 'Metric',
          monitorCondition: byState(problem, { firing: 'Fired', resolved: 'Resolved' }),
          monitoringService: 'Platform',
          alertTargetIDs: [target],
          configurationItems: [host],
          originAlertId: `${AZURE_SUBSCRIPTION}_${group}_Microsoft.Insights_metricAlerts_${trouble.rule}_${host}`,
          firedDateTime: startedAt.toISOString(),
          ...byState(problem, { firing: {}, resolved: { resolvedDateTime: at.toISOString() } }),
          description: summaryOf(problem),
          essentialsVersion: '1.0',
          alertContextVersion: '1.0',
        },
        alertContext: {
          properties: null,
          conditionType: 'SingleResourceMultipleMetricCriteria',
          condition: {
            windowSize: 'PT5M',
            allOf: [
              {
                metricName: trouble.metric,
                metricNamespace: 'Microsoft.Compute/virtualMachines',
                operator: 'GreaterThan',
                threshold: String(trouble.limit),
                timeAggregation: 'Average',
                dimensions: [{ name: 'Service', value: service }],
                metricValue: value,
              },
            ],
          },
        },
        customProperties: null,
      },
    });
  },
};

const GOOGLE_SEVERITY = { critical: 'Critical', high: 'Error', warning: 'Warning', low: 'No severity' } as const;

/** Google Cloud Monitoring's webhook, version 1.2. */
export const googleCloud: ProblemPlay = {
  nameOf: machineName,
  write(problem) {
    const { trouble, host, value, startedAt, at, id, number, region } = problem;
    const incidentId = `0.${id.slice(0, 12)}`;
    return json(
      {
        incident: {
          incident_id: incidentId,
          scoping_project_id: GOOGLE_PROJECT,
          scoping_project_number: 482_915_730_164,
          url: `https://console.cloud.google.com/monitoring/alerting/incidents/${incidentId}?project=${GOOGLE_PROJECT}`,
          severity: GOOGLE_SEVERITY[trouble.severity],
          started_at: secondsOf(startedAt),
          ended_at: byState(problem, { firing: null, resolved: secondsOf(at) }),
          state: byState(problem, { firing: 'open', resolved: 'closed' }),
          summary: `${trouble.metric} for ${host} is ${byState(problem, { firing: 'above', resolved: 'no longer above' })} the threshold of ${trouble.limit} with a value of ${value}.`,
          observed_value: String(value),
          threshold_value: String(trouble.limit),
          resource: {
            type: 'gce_instance',
            labels: { instance_id: String(number), project_id: GOOGLE_PROJECT, zone: `${region}-b` },
          },
          resource_type_display_name: 'VM Instance',
          resource_id: '',
          resource_display_name: host,
          resource_name: `${GOOGLE_PROJECT} VM Instance labels {instance_id=${number}}`,
          metric: { type: `custom.googleapis.com/${trouble.metric}`, displayName: trouble.metric, labels: {} },
          metadata: { system_labels: {}, user_labels: {} },
          policy_name: trouble.title,
          policy_user_labels: {},
          documentation: {},
          condition: { name: `projects/${GOOGLE_PROJECT}/alertPolicies/1/conditions/1`, displayName: trouble.rule },
          condition_name: trouble.rule,
        },
        version: '1.2',
      },
      { 'user-agent': 'Google-Alerts' },
    );
  },
};

const orderEvent = (random: Random, now: Date) => {
  const order = random.whole(100_000, 999_999);
  const [type, message, data] = random.pick([
    ['com.example.order.late', `Order ${order} is two days late`, { carrier: 'Kestrel Logistics' }],
    ['com.example.order.failed', `Order ${order} could not be placed`, { reason: 'The stock changed meanwhile' }],
    ['com.example.parcel.returned', `The parcel of order ${order} came back`, { reason: 'Address unknown' }],
    ['com.example.import.failed', `Import of ${random.pick(CUSTOMERS)} stopped at row ${order}`, { rows: order }],
  ] as const);
  const source = `https://events.example.org/${random.pick(SERVICES)}`;
  return { type, source, id: uuid(random), subject: `order ${order}`, time: now, data: { message, order, ...data } };
};

/** CloudEvents in each of their modes: structured, binary, and a batch of two. */
export const cloudevents: Writer = (random, now) => {
  const structured = () => {
    const { time, ...event } = orderEvent(random, now);
    return { specversion: '1.0', ...event, time: time.toISOString(), datacontenttype: 'application/json' };
  };
  const mode = random.pick(['structured', 'structured', 'binary', 'batch']);
  if (mode === 'structured') return json(structured(), { 'content-type': 'application/cloudevents+json' });
  if (mode === 'batch') {
    return json([structured(), structured()], { 'content-type': 'application/cloudevents-batch+json' });
  }
  const { type, source, id, subject, time, data } = orderEvent(random, now);
  return json(data, {
    'ce-specversion': '1.0',
    'ce-type': type,
    'ce-source': source,
    'ce-id': id,
    // Attributes in headers are percent-encoded.
    'ce-subject': encodeURIComponent(subject),
    'ce-time': time.toISOString(),
  });
};
