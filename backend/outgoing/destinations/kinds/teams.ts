import { wordsOf } from '#backend/outgoing/destinations/message-content.ts';
import type { AlertSeverity } from '#backend/contract/alert.ts';
import type { OutgoingPayload } from '#backend/contract/outgoing.ts';
import { type KindModule, json, objectOf } from './kind.ts';

/** Colors of an Adaptive Card, which follow the reader's theme (https://adaptivecards.io/explorer/TextRun.html, "Colors"). */
const CARD_COLORS: Record<AlertSeverity, string> = {
  critical: 'attention',
  high: 'attention',
  warning: 'warning',
  low: 'accent',
  info: 'accent',
  none: 'default',
};

/** Lines of a note that stay lines; those after them follow each other. */
const MAX_LINES = 20;

/** `{{DATE(…)}}` and `{{TIME(…)}}` would be replaced (https://learn.microsoft.com/adaptive-cards/authoring-cards/text-features). */
const inert = (text: string): string => text.replaceAll('{{', '{\u200B{');

const run = (text: string, more: object = {}) => ({ type: 'TextRun', text: inert(text), ...more });

/** Of text runs no character is Markdown, other than in a `TextBlock` (https://adaptivecards.io/explorer/TextRun.html). */
const block = (inlines: object[], more: object = {}) => ({ type: 'RichTextBlock', inlines, ...more });

const linesOf = (text: string): string[] => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return [...lines.slice(0, MAX_LINES - 1), lines.slice(MAX_LINES - 1).join(' ')].filter((line) => line !== '');
};

/** Links: of what nobody has, one that asks in the app whether to accept it, after sign-in. */
const actionsOf = ({ data: { alert } }: OutgoingPayload, link: string | null): object[] =>
  link === null
    ? []
    : [
        ...(alert.status === 'pending' ? [openUrl('Accept in Alertdesk', `${link}?accept`)] : []),
        openUrl(alert.status === 'pending' ? 'Open' : 'Open in Alertdesk', link),
      ];

const openUrl = (title: string, url: string) => ({ type: 'Action.OpenUrl', title, url });

/** Codes of Azure Logic Apps, on which Workflows run (https://learn.microsoft.com/azure/logic-apps/logic-apps-http-endpoint). */
const codeOf = (body: string): string => {
  const { error } = objectOf(body) ?? {};
  const { code } = (typeof error === 'object' && error !== null ? error : {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
};

/**
 * A channel or chat of Microsoft Teams, by a workflow that begins with "When a Teams webhook request is received"
 * (https://support.microsoft.com/office/create-incoming-webhooks-with-workflows-for-microsoft-teams-8ae491c7-0394-4861-ba59-055e33f75498).
 * It takes Adaptive Cards of up to 28 KB, version 1.4 included, and answers before it posts them. A posted card cannot be
 * changed, so each event is one short card. Connectors, which Teams had before, have ended.
 */
export const teamsKind: KindModule = {
  label: 'Microsoft Teams',
  isForPeople: true,
  // The step that posts is held to 300 messages in 300 seconds (https://learn.microsoft.com/connectors/teams, "Throttling Limits").
  pauseMs: 1_000,
  faultOf: (field, value) =>
    field === 'url' && /^https:\/\/([\w-]+\.webhook|outlook)\.office(365)?\.com\//i.test(value)
      ? 'The address is that of a connector, which Teams has ended. Make a workflow "When a Teams webhook request is received" and enter its address.'
      : undefined,
  render({ secrets }, { payload }) {
    const words = wordsOf(payload);
    return json(secrets.url ?? '', {
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: {
            $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
            type: 'AdaptiveCard',
            version: '1.4',
            fallbackText: inert(words.title),
            body: [
              block([run(words.title, { weight: 'bolder', color: CARD_COLORS[payload.data.alert.severity] })]),
              ...words.lines.flatMap(linesOf).map((line) => block([run(line)], { spacing: 'small' })),
              ...words.fields.map(({ name, value }) =>
                block([run(`${name}: `, { isSubtle: true }), run(value)], { spacing: 'small' }),
              ),
            ],
            actions: actionsOf(payload, words.link),
          },
        },
      ],
    });
  },
  explain(status, body) {
    const code = codeOf(body);
    if (code === 'WorkflowTriggerIsNotEnabled' || code === 'WorkflowDisabled')
      return 'The workflow is turned off or was deleted. Turn it on in Teams, in the app Workflows, or make another one and enter its address.';
    if (status === 404 || status === 410)
      return 'The workflow is gone. Make another one in Teams, in the app Workflows, and enter its address.';
    if (status === 401 || status === 403)
      return 'The address is not complete, or the workflow does not let anyone trigger it. Set "Who can trigger the flow" to Anyone and copy the address again.';
    return undefined;
  },
};
