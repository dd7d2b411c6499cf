import type { Sender } from '#backend/contract/sender.ts';
import { type SetUp, addressSetUp, bearerSetUp, formTab, keySetUp } from './set-up-texts.ts';

const HOLDS_TOKEN = 'It contains a token. Treat it like a password.';

/** Set-up of what builds and deploys, and of what watches logs and clouds. */
export const BUILD_SET_UPS = {
  'azure-devops': keySetUp({
    ways: 'Basic',
    created: 'An API key that {sender} sends as a password',
    docs: 'https://learn.microsoft.com/azure/devops/service-hooks/services/webhooks',
    tabs: [
      formTab(
        'Service hook',
        { text: 'In the project open **Project settings**, **Service hooks**, and add **Web Hooks**.' },
        {
          text: 'Choose the event, once for each. A failure ends with the next success of the same pipeline and branch.',
          tags: ['Build completed', 'Release deployment completed', 'Work item created'],
        },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'URL', value: '{w}' },
            { name: 'Basic authentication username', value: 'alertdesk' },
            { name: 'Basic authentication password', value: '{s}' },
          ],
        },
        { text: 'Press **Test**, then **Finish**.' },
      ),
    ],
  }),
  bitbucket: addressSetUp({
    docs: 'https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/',
    tabs: [
      formTab(
        'Webhook',
        { text: 'In the repository open **Repository settings**, **Webhooks**, **Add webhook**.' },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'Title', value: 'Alertdesk' },
            { name: 'URL', value: '{i}', note: HOLDS_TOKEN },
          ],
        },
        {
          text: 'Choose from the full list of triggers.',
          tags: ['Build status created', 'Build status updated', 'Issue created', 'Issue updated'],
        },
        { text: 'Press **Save**.' },
      ),
    ],
  }),
  circleci: addressSetUp({
    docs: 'https://circleci.com/docs/webhooks/',
    tabs: [
      formTab(
        'Webhook',
        { text: 'In the project open **Project Settings**, **Webhooks**, **Add Webhook**.' },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'Webhook name', value: 'Alertdesk' },
            { name: 'Receiver URL', value: '{i}', note: HOLDS_TOKEN },
          ],
        },
        { text: 'Choose the events.', tags: ['Workflow Completed'] },
        { text: 'Press **Test Ping Event**, then **Add Webhook**.' },
      ),
    ],
  }),
  jenkins: addressSetUp({
    docs: 'https://plugins.jenkins.io/notification/',
    tabs: [
      formTab(
        'Notification plugin',
        { text: 'Install the plugin **Notification**, then open **Configure** in a job.' },
        {
          text: 'Under **Job Notifications** add an endpoint.',
          fields: [
            { name: 'Format', value: 'JSON' },
            { name: 'Protocol', value: 'HTTP' },
            { name: 'Event', value: 'Job Completed' },
            { name: 'URL', value: '{i}', note: HOLDS_TOKEN },
          ],
        },
        { text: 'Press **Save**. A failed build is one alert until the job succeeds.' },
      ),
    ],
  }),
  // Argo CD sends when a condition becomes true, not while it stays true: each change needs a condition of its own.
  argocd: bearerSetUp({
    docs: 'https://argo-cd.readthedocs.io/en/stable/operator-manual/notifications/services/webhook/',
    waits: 'Argo CD sends when an application that subscribes becomes degraded, or healthy again.',
    tabs: [
      {
        label: 'ConfigMap',
        intro:
          'Add it to `argocd-notifications-cm`, and subscribe applications: `notifications.argoproj.io/subscribe.on-alertdesk.alertdesk: ""`',
        code: {
          language: 'yaml',
          text: `service.webhook.alertdesk: |
  url: {w}
  headers:
    - name: Authorization
      value: Bearer {s}
    - name: Content-Type
      value: application/json
template.alertdesk: |
  webhook:
    alertdesk:
      method: POST
      body: |
        {
          "app": {{toJson .app.metadata.name}},
          "namespace": {{toJson .app.metadata.namespace}},
          "project": {{toJson .app.spec.project}},
          "health_status": {{toJson .app.status.health.status}},
          "sync_status": {{toJson .app.status.sync.status}},
          "phase": {{toJson .app.status.operationState.phase}},
          "message": {{toJson .app.status.operationState.message}},
          "url": "{{.context.argocdUrl}}/applications/{{.app.metadata.name}}"
        }
trigger.on-alertdesk: |
  - when: app.status.health.status == 'Degraded'
    send: [alertdesk]
  - when: app.status.operationState != nil and app.status.operationState.phase in ['Error', 'Failed']
    send: [alertdesk]
  - when: app.status.sync.status == 'Unknown'
    send: [alertdesk]
  - when: app.status.health.status == 'Healthy' and app.status.sync.status != 'Unknown' and (app.status.operationState == nil or app.status.operationState.phase == 'Succeeded')
    send: [alertdesk]`,
        },
      },
    ],
  }),
  flux: addressSetUp({
    docs: 'https://fluxcd.io/flux/components/notification/providers/#generic-webhook',
    tabs: [
      {
        label: 'Provider and alert',
        intro: 'Apply it in the namespace of Flux. The severity `info` also sends the end of what went wrong.',
        code: {
          language: 'yaml',
          text: `apiVersion: v1
kind: Secret
metadata:
  name: alertdesk
  namespace: flux-system
stringData:
  address: {i}
---
apiVersion: notification.toolkit.fluxcd.io/v1beta3
kind: Provider
metadata:
  name: alertdesk
  namespace: flux-system
spec:
  type: generic
  secretRef:
    name: alertdesk
---
apiVersion: notification.toolkit.fluxcd.io/v1beta3
kind: Alert
metadata:
  name: alertdesk
  namespace: flux-system
spec:
  providerRef:
    name: alertdesk
  eventSeverity: info
  eventSources:
    - kind: Kustomization
      name: '*'
    - kind: HelmRelease
      name: '*'`,
        },
      },
    ],
  }),
  sonarqube: addressSetUp({
    docs: 'https://docs.sonarsource.com/sonarqube-server/latest/project-administration/webhooks/',
    tabs: [
      formTab(
        'Webhook',
        { text: 'Open **Administration**, **Configuration**, **Webhooks**, **Create**.' },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'Name', value: 'Alertdesk' },
            { name: 'URL', value: '{i}', note: HOLDS_TOKEN },
          ],
        },
        { text: 'A quality gate that failed is one alert until it passes.' },
      ),
    ],
  }),
  netdata: bearerSetUp({
    docs: 'https://learn.netdata.cloud/docs/alerting/notifications/centralized-cloud-notifications/webhook',
    tabs: [
      formTab(
        'Webhook',
        { text: 'Open the settings of the space, **Alerts & Notifications**, **Add configuration**, **Webhook**.' },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'Webhook URL', value: '{w}' },
            { name: 'Authentication Mechanism', value: 'Bearer' },
            { name: 'Token', value: '{s}' },
          ],
        },
      ),
    ],
  }),
  graylog: addressSetUp({
    docs: 'https://go2docs.graylog.org/current/interacting_with_your_log_data/notifications.html',
    tabs: [
      formTab(
        'Notification',
        { text: 'Open **Alerts**, **Notifications**, **Create notification**.' },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'Notification Type', value: 'HTTP Notification' },
            { name: 'URL', value: '{i}', note: HOLDS_TOKEN },
          ],
        },
        { text: 'Add the address to the URL allowlist when Graylog asks, and choose it in event definitions.' },
      ),
    ],
  }),
  wazuh: keySetUp({
    docs: 'https://documentation.wazuh.com/current/user-manual/manager/integration-with-external-apis.html',
    tabs: [
      {
        label: 'Integration',
        intro: 'Save it on the manager, then restart it.',
        steps: [
          {
            text: 'Save the script as `/var/ossec/integrations/custom-alertdesk`, owned by `root:wazuh`, mode 750.',
            code: {
              language: 'plain',
              text: [
                '#!/bin/sh',
                '# Wazuh gives the file of the alert, the key and the address.',
                'curl -fsS "$3" -H "X-Webhook-Auth: $2" -H \'Content-Type: application/json\' --data-binary "@$1"',
              ].join('\n'),
            },
          },
          {
            text: 'Add the integration to `/var/ossec/etc/ossec.conf`.',
            code: {
              language: 'plain',
              text: `<integration>
  <name>custom-alertdesk</name>
  <hook_url>{w}</hook_url>
  <api_key>{s}</api_key>
  <level>7</level>
  <alert_format>json</alert_format>
</integration>`,
            },
          },
        ],
      },
    ],
  }),
  eventbridge: keySetUp({
    docs: 'https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-api-destinations.html',
    tabs: [
      formTab(
        'API destination',
        { text: 'Open **Amazon EventBridge**, **API destinations**, **Create API destination**.' },
        {
          text: 'Fill in the form, with a new connection.',
          fields: [
            { name: 'API destination endpoint', value: '{w}' },
            { name: 'HTTP method', value: 'POST' },
            { name: 'Authorization type', value: 'API key' },
            { name: 'API key name', value: 'X-Webhook-Auth' },
            { name: 'Value', value: '{s}' },
          ],
        },
        {
          text: 'Create a rule with the destination as its target. Choose **Matched events** as the input.',
          tags: ['CloudWatch Alarm State Change', 'AWS Health Event', 'GuardDuty Finding'],
        },
      ),
    ],
  }),
} satisfies Partial<Record<Sender, SetUp>>;
