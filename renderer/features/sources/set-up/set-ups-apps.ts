import type { Sender } from '#backend/contract/sender.ts';
import { type SetUp, formTab, keySetUp, signedSetUp, signingStep } from './set-up-texts.ts';

const HOLDS_TOKEN = 'It contains a token. Treat it like a password.';

/** Set-up of repositories, trackers, shops and other applications. */
export const APP_SET_UPS = {
  github: {
    ways: 'Signed',
    created: 'An address, and a signing secret that {sender} uses to sign every request',
    scheme: 'github',
    signing: 'ours',
    docs: 'https://docs.github.com/en/webhooks/using-webhooks/creating-webhooks',
    tabs: [
      formTab(
        'Webhook',
        { text: 'In the repository or organization open **Settings**, **Webhooks**, **Add webhook**.' },
        {
          text: 'Fill in the form.',
          fields: [
            {
              name: 'Payload URL',
              value: '{i}',
              note: 'Shown once. The address contains a token. Treat it like a password.',
            },
            { name: 'Content type', value: 'application/json', note: 'The form type works too.' },
            { name: 'Secret', value: '{g}' },
            { name: 'SSL verification', value: 'Enable' },
          ],
        },
        {
          text: 'Choose **Let me select individual events** and tick what should become alerts.',
          tags: [
            'Workflow runs',
            'Check runs',
            'Dependabot alerts',
            'Secret scanning alerts',
            'Code scanning alerts',
            'Issues',
          ],
        },
        { text: 'Save. GitHub sends a ping at once; it shows under Deliveries as a handshake.' },
      ),
    ],
  },
  gitlab: keySetUp({
    ways: 'Key, signed',
    docs: 'https://docs.gitlab.com/user/project/integrations/webhooks/',
    tabs: [
      formTab(
        'Webhook',
        { text: 'In the project or group open **Settings**, **Webhooks**, **Add new webhook**.' },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'URL', value: '{w}' },
            { name: 'Secret token', value: '{s}' },
          ],
        },
        { text: 'Tick what should become alerts.', tags: ['Pipeline events', 'Job events', 'Issues events'] },
        { text: 'Press **Add webhook**, then **Test**.' },
      ),
    ],
  }),
  jira: {
    ways: 'Signed',
    created: 'An address, and a signing secret that {sender} uses to sign every request',
    scheme: 'jira',
    signing: 'ours',
    docs: 'https://support.atlassian.com/jira-cloud-administration/docs/manage-webhooks/',
    tabs: [
      formTab(
        'WebHook',
        { text: 'Open **Settings**, **System**, **WebHooks**, **Create a WebHook**.' },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'URL', value: '{i}', note: HOLDS_TOKEN },
            { name: 'Secret', value: '{g}' },
          ],
        },
        { text: 'Tick what should become alerts.', tags: ['Issue created', 'Issue updated', 'Issue deleted'] },
        { text: 'Press **Create**.' },
      ),
    ],
  },
  sentry: signedSetUp({
    scheme: 'sentry',
    docs: 'https://docs.sentry.io/organization/integrations/integration-platform/webhooks/',
    tabs: [
      formTab(
        'Internal integration',
        { text: 'Open **Settings**, **Custom Integrations**, **Create New Integration**, **Internal Integration**.' },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'Webhook URL', value: '{i}', note: HOLDS_TOKEN },
            { name: 'Alert Rule Action', value: 'On', note: 'Alert rules can then send to the integration.' },
            { name: 'Permissions', value: 'Issue & Event: Read' },
            { name: 'Webhooks', value: 'issue' },
          ],
        },
        signingStep('Save. The page of the integration has a **Client Secret**. Enter it here.'),
      ),
    ],
  }),
  stripe: signedSetUp({
    scheme: 'stripe',
    docs: 'https://docs.stripe.com/webhooks',
    tabs: [
      formTab(
        'Event destination',
        { text: 'Open **Developers**, **Webhooks**, **Add destination**, and choose the events.' },
        { text: 'Choose **Webhook endpoint**.', fields: [{ name: 'Endpoint URL', value: '{i}', note: HOLDS_TOKEN }] },
        signingStep('The page of the destination has a **Signing secret** that begins with `whsec_`. Enter it here.'),
      ),
    ],
  }),
  shopify: signedSetUp({
    scheme: 'shopify',
    docs: 'https://help.shopify.com/en/manual/fulfillment/setup/notifications/webhooks',
    tabs: [
      formTab(
        'Webhook',
        { text: 'Open **Settings**, **Notifications**, **Webhooks**, **Create webhook**.' },
        {
          text: 'Fill in the form, once for each event.',
          fields: [
            { name: 'Format', value: 'JSON' },
            { name: 'URL', value: '{i}', note: HOLDS_TOKEN },
          ],
        },
        signingStep('Below the list Shopify shows what your webhooks are signed with. Enter it here.'),
      ),
    ],
  }),
  sendgrid: signedSetUp({
    scheme: 'sendgrid',
    docs: 'https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook',
    waits: 'SendGrid collects events and sends them within a few seconds.',
    tabs: [
      formTab(
        'Event Webhook',
        { text: 'Open **Settings**, **Mail Settings**, **Event Webhooks**, **Create new webhook**.' },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'Post URL', value: '{i}', note: HOLDS_TOKEN },
            { name: 'Signed Event Webhook', value: 'Enabled', note: 'Under Security features.' },
          ],
        },
        { text: 'Choose what should become alerts.', tags: ['Dropped', 'Bounced', 'Spam reports'] },
        signingStep('SendGrid shows a **Verification Key**. Enter it here.'),
      ),
    ],
  }),
  slack: signedSetUp({
    scheme: 'slack',
    docs: 'https://docs.slack.dev/interactivity/implementing-slash-commands/',
    tabs: [
      formTab(
        'Slash command',
        { text: 'Open **api.slack.com/apps**, create an app, and open **Slash Commands**, **Create New Command**.' },
        {
          text: 'Fill in the form.',
          fields: [
            { name: 'Command', value: '/alert' },
            { name: 'Request URL', value: '{i}', note: HOLDS_TOKEN },
          ],
        },
        signingStep('**Basic Information** has a **Signing Secret**. Enter it here, then install the app.'),
      ),
    ],
  }),
} satisfies Partial<Record<Sender, SetUp>>;
