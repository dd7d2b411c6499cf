import type { Sender } from '#backend/contract/sender.ts';
import { CURL_TAB, type SetUp, addressSetUp, bearerSetUp, formTab, keySetUp } from './set-up-texts.ts';

/** Set-up of monitoring systems. */
export const MONITORING_SET_UPS = {
  alertmanager: bearerSetUp({
    docs: 'https://prometheus.io/docs/alerting/latest/configuration/#webhook_config',
    waits: 'Alertmanager waits `group_wait` (30 s) before it sends.',
    tabs: [
      {
        label: 'alertmanager.yml',
        intro: 'Add the receiver and point a route at it, then reload: `curl -X POST localhost:9093/-/reload`',
        code: {
          language: 'yaml',
          text: `receivers:
  - name: alertdesk
    webhook_configs:
      - url: {w}
        send_resolved: true
        max_alerts: 5000
        http_config:
          authorization:
            credentials: {s}

route:
  receiver: alertdesk`,
        },
      },
      {
        label: 'Helm values',
        intro:
          'For the chart kube-prometheus-stack: add it to the values, then upgrade the release. The list replaces that of the chart, whose route for the alert Watchdog needs the receiver "null".',
        code: {
          language: 'yaml',
          text: `alertmanager:
  config:
    receivers:
      - name: "null"
      - name: alertdesk
        webhook_configs:
          - url: {w}
            send_resolved: true
            max_alerts: 5000
            http_config:
              authorization:
                credentials: {s}
    route:
      receiver: alertdesk`,
        },
      },
      CURL_TAB,
    ],
  }),
  grafana: bearerSetUp({
    docs: 'https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/',
    waits: 'Grafana waits the **Group wait** of its notification policy (30 s) before it sends.',
    tabs: [
      formTab(
        'Contact point',
        { text: 'Open **Alerting**, **Contact points**, **Add contact point**.' },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'Integration', value: 'Webhook' },
            { name: 'URL', value: '{w}' },
            { name: 'HTTP method', value: 'POST', note: 'Under Optional Webhook settings.' },
            { name: 'Authorization scheme', value: 'Bearer' },
            { name: 'Credentials', value: '{s}' },
          ],
        },
        { text: 'Press **Test**, then **Save contact point**, and choose it in a notification policy.' },
      ),
      {
        label: 'Provisioning',
        intro: 'Save it as a file in `provisioning/alerting`, then restart Grafana.',
        code: {
          language: 'yaml',
          text: `apiVersion: 1
contactPoints:
  - orgId: 1
    name: alertdesk
    receivers:
      - uid: alertdesk
        type: webhook
        settings:
          url: {w}
          httpMethod: POST
          authorization_scheme: Bearer
          authorization_credentials: {s}`,
        },
      },
      CURL_TAB,
    ],
  }),
  'grafana-legacy': keySetUp({
    ways: 'Basic',
    created: 'An API key that {sender} sends as a password',
    docs: 'https://grafana.com/docs/grafana/v8.5/alerting/old-alerting/notifications/',
    tabs: [
      formTab(
        'Notification channel',
        { text: 'Open **Alerting**, **Notification channels**, **Add channel**.' },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'Type', value: 'webhook' },
            { name: 'Url', value: '{w}' },
            { name: 'HTTP Method', value: 'POST', note: 'Under Optional Webhook settings.' },
            { name: 'Username', value: 'alertdesk' },
            { name: 'Password', value: '{s}' },
          ],
        },
        { text: 'Press **Test**, then **Save**.' },
      ),
      CURL_TAB,
    ],
  }),
  zabbix: keySetUp({
    docs: 'https://www.zabbix.com/documentation/current/en/manual/config/notifications/media/webhook',
    tabs: [
      formTab(
        'Media type',
        { text: 'Open **Alerts**, **Media types**, **Create media type**, and choose the type **Webhook**.' },
        {
          text: 'Replace its parameters.',
          fields: [
            { name: 'trigger', value: '{EVENT.NAME}' },
            { name: 'status', value: '{EVENT.STATUS}' },
            { name: 'hostname', value: '{HOST.NAME}' },
            { name: 'item', value: '{ITEM.NAME}' },
            { name: 'severity', value: '{EVENT.SEVERITY}' },
            { name: 'eventid', value: '{EVENT.ID}' },
            { name: 'update', value: '{EVENT.UPDATE.MESSAGE}' },
            {
              name: 'link',
              value: '{$ZABBIX.URL}/tr_events.php?triggerid={TRIGGER.ID}&eventid={EVENT.ID}',
              note: 'Set the global macro {$ZABBIX.URL} to the address of your Zabbix.',
            },
          ],
        },
        {
          text: 'Paste the script.',
          code: {
            language: 'plain',
            text: `var request = new HttpRequest();
request.addHeader('Content-Type: application/json');
request.addHeader('X-Webhook-Auth: {s}');
request.post('{w}', value);
if (request.getStatus() !== 202) throw 'Alertdesk answered ' + request.getStatus();
return 'OK';`,
          },
        },
        {
          text: 'Under **Message templates** add **Problem** and **Problem recovery**: Zabbix sends nothing without them.',
        },
        { text: 'Give the media type to a user, and choose both in a trigger action, recovery operations included.' },
      ),
      CURL_TAB,
    ],
  }),
  'new-relic': bearerSetUp({
    docs: 'https://docs.newrelic.com/docs/alerts/get-notified/notification-integrations/#webhook',
    tabs: [
      formTab(
        'Destination',
        { text: 'Open **Alerts**, **Destinations**, and add a **Webhook**.' },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'Endpoint URL', value: '{w}' },
            { name: 'Authentication', value: 'Bearer token' },
            { name: 'Token', value: '{s}' },
          ],
        },
        {
          text: 'Add the destination to a workflow, with this payload template.',
          code: {
            language: 'json',
            text: `{
  "incident_id": {{ json issueId }},
  "account_id": {{ json nrAccountId }},
  {{#if accumulations.tag.account}}"account_name": {{ json accumulations.tag.account.[0] }},{{/if}}
  "condition_name": {{ json accumulations.conditionName.[0] }},
  "details": {{ json annotations.title.[0] }},
  "severity": {{ json priority }},
  "current_state": {{#if issueClosedAt}}"closed"{{else if issueAcknowledgedAt}}"acknowledged"{{else}}"open"{{/if}},
  "incident_url": {{ json issuePageUrl }}
}`,
          },
        },
        { text: 'Press **Send test notification**.' },
      ),
      CURL_TAB,
    ],
  }),
  datadog: keySetUp({
    docs: 'https://docs.datadoghq.com/integrations/webhooks/',
    waits: 'Datadog sends when a monitor that mentions `@webhook-alertdesk` changes.',
    tabs: [
      formTab(
        'Webhook',
        { text: 'Open **Integrations**, **Webhooks**, and add a webhook.' },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'Name', value: 'alertdesk' },
            { name: 'URL', value: '{w}' },
            { name: 'Custom Headers', value: '{"X-Webhook-Auth":"{s}"}' },
          ],
        },
        {
          text: 'Paste the payload.',
          code: {
            language: 'json',
            text: `{
  "title": "$EVENT_TITLE",
  "body": "$EVENT_MSG",
  "event_type": "$EVENT_TYPE",
  "alert_id": "$ALERT_ID",
  "alert_cycle_key": "$ALERT_CYCLE_KEY",
  "alert_scope": "$ALERT_SCOPE",
  "alert_priority": "$ALERT_PRIORITY",
  "alert_transition": "$ALERT_TRANSITION",
  "aggreg_key": "$AGGREG_KEY",
  "last_updated": "$LAST_UPDATED",
  "link": "$LINK",
  "tags": "$TAGS",
  "org": { "id": "$ORG_ID", "name": "$ORG_NAME" }
}`,
          },
        },
        { text: 'Write `@webhook-alertdesk` into the message of each monitor that should report.' },
      ),
      CURL_TAB,
    ],
  }),
  'uptime-kuma': keySetUp({
    ways: 'Key or address',
    docs: 'https://github.com/louislam/uptime-kuma/wiki/Notification-Methods',
    tabs: [
      formTab(
        'Notification',
        { text: 'Open **Settings**, **Notifications**, **Setup Notification**.' },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'Notification Type', value: 'Webhook' },
            { name: 'Post URL', value: '{w}' },
            { name: 'HTTP Method', value: 'POST', note: 'In older versions there is no choice.' },
            { name: 'Request Body', value: 'application/json', note: 'The preset of Uptime Kuma.' },
            { name: 'Additional Headers', value: '{"X-Webhook-Auth":"{s}"}' },
          ],
        },
        { text: 'Press **Test**, then **Save**, and turn it on in each monitor.' },
      ),
      CURL_TAB,
    ],
  }),
  uptimerobot: addressSetUp({
    docs: 'https://help.uptimerobot.com/en/articles/11361356-webhook-integration-with-uptimerobot',
    tabs: [
      formTab(
        'Integration',
        { text: 'Open **Integrations & API** and add a **Webhook**.' },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'URL to Notify', value: '{i}', note: 'It contains a token. Treat it like a password.' },
            { name: 'Send as JSON', value: 'On', note: 'application/json' },
          ],
        },
        {
          text: 'Paste the POST value.',
          code: {
            language: 'json',
            text: `{
  "monitor_id": "*monitorID*",
  "monitor_url": "*monitorURL*",
  "monitor_friendly_name": "*monitorFriendlyName*",
  "alert_type_friendly_name": "*alertTypeFriendlyName*",
  "alert_details": "*alertDetails*",
  "alert_datetime": "*alertDateTime*"
}`,
          },
        },
        { text: 'Save, and choose the integration in each monitor.' },
      ),
    ],
  }),
} satisfies Partial<Record<Sender, SetUp>>;
