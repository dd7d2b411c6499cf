import type { Sender } from '#backend/contract/sender.ts';
import { CURL_TAB, type SetUp, addressSetUp, formTab, keySetUp, signedSetUp, signingStep } from './set-up-texts.ts';

/** Set-up of clouds, on-call tools, formats, and a service that checks from outside. */
export const CLOUD_SET_UPS = {
  sns: keySetUp({
    ways: 'Basic, signed',
    created: 'An address with a password for {sender}',
    scheme: 'sns',
    docs: 'https://docs.aws.amazon.com/sns/latest/dg/sns-http-https-endpoint-as-subscriber.html',
    tabs: [
      formTab(
        'Subscription',
        { text: 'Open the topic in **Amazon SNS** and press **Create subscription**.' },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'Protocol', value: 'HTTPS' },
            { name: 'Endpoint', value: '{h}/webhook', note: 'It contains the API key as the password.' },
            { name: 'Raw message delivery', value: 'Off' },
          ],
        },
        {
          text: 'SNS sends a confirmation, which is answered by itself and shows under Deliveries as a handshake. While the subscription reads **Pending confirmation**, Deliveries says why; press **Request confirmation** in SNS once this server reaches SNS.',
        },
      ),
    ],
  }),
  'azure-monitor': addressSetUp({
    docs: 'https://learn.microsoft.com/azure/azure-monitor/alerts/action-groups',
    tabs: [
      formTab(
        'Action group',
        { text: 'Open **Monitor**, **Alerts**, **Action groups**, and create one or edit one.' },
        {
          text: 'Add an action.',
          fields: [
            { name: 'Action type', value: 'Webhook' },
            { name: 'URI', value: '{i}', note: 'It contains a token. Treat it like a password.' },
            { name: 'Enable the common alert schema', value: 'Yes' },
          ],
        },
        { text: 'Save, press **Test** in the action group, and choose the group in alert rules.' },
      ),
    ],
  }),
  'google-cloud': keySetUp({
    ways: 'Basic',
    created: 'An API key that {sender} sends as a password',
    docs: 'https://cloud.google.com/monitoring/support/notification-options#webhooks',
    tabs: [
      formTab(
        'Notification channel',
        { text: 'Open **Monitoring**, **Alerting**, **Edit notification channels**, and add one under **Webhooks**.' },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'Endpoint URL', value: '{w}' },
            { name: 'Use HTTP Basic Auth', value: 'On' },
            { name: 'Auth Username', value: 'alertdesk' },
            { name: 'Auth Password', value: '{s}' },
          ],
        },
        { text: 'Press **Test connection**, then **Save**, and choose the channel in alerting policies.' },
      ),
    ],
  }),
  pingdom: addressSetUp({
    docs: 'https://documentation.solarwinds.com/en/success_center/pingdom/content/topics/webhooks.htm',
    tabs: [
      formTab(
        'Integration',
        { text: 'Open **Settings**, **Integrations**, **Add integration**.' },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'Type', value: 'Webhook' },
            { name: 'URL', value: '{i}', note: 'It contains a token. Treat it like a password.' },
          ],
        },
        { text: 'Save, and choose it under **Connect Integrations** in each check.' },
      ),
    ],
  }),
  pagerduty: signedSetUp({
    scheme: 'pagerduty',
    docs: 'https://support.pagerduty.com/main/docs/webhooks',
    tabs: [
      formTab(
        'Webhook v3',
        { text: 'Open **Integrations**, **Generic Webhooks (v3)**, **New Webhook**.' },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'Webhook URL', value: '{i}', note: 'It contains a token. Treat it like a password.' },
            { name: 'Event Subscription', value: 'incident.*', note: 'Choose the incident events.' },
          ],
        },
        signingStep('PagerDuty shows a signing secret once. Enter it here so that every request is verified.'),
      ),
    ],
  }),
  'pagerduty-events': keySetUp({
    ways: 'Key in the body',
    created: 'An API key to use as the `routing_key`',
    path: '/v2/enqueue',
    waits: 'The tool sends only when something happens. Send test checks everything after the sender.',
    docs: 'https://developer.pagerduty.com/docs/send-alert-event',
    tabs: [
      {
        label: 'Events API v2',
        intro: 'For tools that send to PagerDuty’s Events API v2: change the address and the integration key.',
        steps: [
          {
            text: 'In the tool’s PagerDuty settings enter:',
            fields: [
              { name: 'Events API URL', value: '{o}/v2/enqueue' },
              { name: 'Integration key', value: '{s}', note: 'Sent as routing_key.' },
            ],
          },
          { text: 'Trigger an event: `trigger` makes an alert, `resolve` with the same `dedup_key` resolves it.' },
        ],
      },
      {
        label: 'curl',
        intro: 'Paste it into a shell.',
        code: {
          language: 'plain',
          text: [
            'curl -i {o}/v2/enqueue \\',
            "  -H 'Content-Type: application/json' \\",
            '  -d \'{"routing_key":"{s}","event_action":"trigger","dedup_key":"db-7","payload":{"summary":"Disk almost full","source":"db-7","severity":"critical"}}\'',
          ].join('\n'),
        },
      },
    ],
  }),
  opsgenie: keySetUp({
    ways: 'Key',
    created: 'An API key that is sent as `Authorization: GenieKey`; you can keep the one your senders have',
    path: '/v2/alerts',
    waits: 'Clients send only when something happens. Send test checks everything after the sender.',
    docs: 'https://docs.opsgenie.com/docs/alert-api',
    tabs: [
      {
        label: 'API clients',
        intro: 'Tools that send to Opsgenie’s API: change the host, and nothing else.',
        steps: [
          {
            text: 'To keep the API key that your senders have, enter it here. Otherwise give them the new one.',
            asksForKey: true,
          },
          {
            text: 'In the tool’s Opsgenie settings enter:',
            fields: [
              { name: 'API URL', value: '{o}/', note: 'Instead of https://api.opsgenie.com/.' },
              { name: 'API key', value: '{s}', note: 'Sent as Authorization: GenieKey.' },
            ],
          },
          { text: 'Create an alert, then close it by the same alias: it is resolved.' },
        ],
      },
      {
        label: 'Alertmanager',
        intro: 'Put this receiver into `alertmanager.yml`, or change `api_url` and `api_key` of the one that is there.',
        code: {
          language: 'yaml',
          text: [
            'receivers:',
            '  - name: alertdesk',
            '    opsgenie_configs:',
            '      - api_url: {o}/',
            '        api_key: {s}',
            '        update_alerts: true',
          ].join('\n'),
        },
      },
      formTab(
        'Webhook',
        {
          text: 'For alerts that still arrive in Opsgenie: open **Settings**, **Integrations**, **Add integration**, and choose **Webhook**.',
        },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'Webhook URL', value: '{w}' },
            { name: 'Custom header', value: 'X-Webhook-Auth' },
            { name: 'Value', value: '{s}' },
          ],
        },
        {
          text: 'Choose the alert actions that should be sent. Priorities and messages that are changed later are not followed.',
          tags: ['Create', 'Acknowledge', 'Close', 'Delete'],
        },
        { text: 'Turn the integration on.' },
      ),
      {
        label: 'curl',
        intro: 'Paste it into a shell. The response is 202 with the ID of the request.',
        code: {
          language: 'plain',
          text: [
            'curl -i {o}/v2/alerts \\',
            "  -H 'Authorization: GenieKey {s}' \\",
            "  -H 'Content-Type: application/json' \\",
            '  -d \'{"message":"Disk almost full","alias":"db-7/disk","priority":"P2"}\'',
          ].join('\n'),
        },
      },
    ],
  }),
  cloudevents: keySetUp({
    ways: 'Key or address',
    docs: 'https://github.com/cloudevents/spec/blob/main/cloudevents/http-webhook.md',
    waits: 'The sender posts only when something happens. Send test checks everything after the sender.',
    tabs: [
      {
        label: 'curl',
        intro: 'Structured, binary, and batched events are supported.',
        code: {
          language: 'plain',
          text: [
            'curl -i {w} \\',
            "  -H 'Authorization: Bearer {s}' \\",
            "  -H 'Content-Type: application/cloudevents+json' \\",
            '  -d \'{"specversion":"1.0","id":"1","source":"/shop/orders","type":"order.failed","data":{"message":"Card issuer declined"}}\'',
          ].join('\n'),
        },
      },
      formTab('Address only', {
        text: 'A broker that cannot set a header sends to this address.',
        fields: [{ name: 'URL', value: '{i}', note: 'It contains a token. Treat it like a password.' }],
      }),
    ],
  }),
  'standard-webhooks': signedSetUp({
    scheme: 'standard-webhooks',
    docs: 'https://www.standardwebhooks.com/',
    waits: 'The sender posts only when something happens. Send test checks everything after the sender.',
    tabs: [
      formTab(
        'Endpoint',
        {
          text: 'Add an endpoint in the webhook settings of the sender.',
          fields: [{ name: 'Endpoint URL', value: '{i}', note: 'It contains a token. Treat it like a password.' }],
        },
        signingStep('The sender shows a signing secret that begins with `whsec_`. Enter it here.'),
      ),
    ],
  }),
  generic: keySetUp({
    ways: 'Key or address',
    created: 'An API key to send in a header, and an address for senders that cannot set one',
    tabs: [
      CURL_TAB,
      formTab(
        'Address and header',
        {
          text: 'Have the sender post JSON to this address, with the API key in a header.',
          fields: [
            { name: 'URL', value: '{w}' },
            { name: 'X-Webhook-Auth', value: '{s}', note: 'Or Authorization: Bearer.' },
            { name: 'Content-Type', value: 'application/json' },
          ],
        },
        {
          text: 'A sender that cannot set a header posts to this address instead.',
          fields: [{ name: 'URL', value: '{i}', note: 'It contains a token. Treat it like a password.' }],
        },
      ),
    ],
  }),
} satisfies Partial<Record<Sender, SetUp>>;
