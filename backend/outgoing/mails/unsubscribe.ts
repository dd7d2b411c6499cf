import type { MailSubjects } from '#backend/platform/mail/mail-queue.ts';
import type { MailSettings } from '#backend/platform/mail/mail-config.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { announce } from '#backend/platform/live/event-bus.ts';
import { hash } from 'node:crypto';
import * as z from 'zod/mini';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { unsubscribeQuerySchema } from '#backend/contract/notification-settings.ts';
import { type Endpoint, endpoint, okText } from '#backend/platform/endpoint/endpoint.ts';
import { notFound } from '#backend/platform/endpoint/errors.ts';
import { NotificationSettingsEntity } from '#backend/outgoing/notifications/notification-settings.ts';
import { escapeHtml } from '#backend/platform/mail/mail-texts.ts';

/** What mails are about that members choose. */
const mailKindSchema = z.enum(['mentions', 'digest']);
export type MailKind = z.infer<typeof mailKindSchema>;

const subscriptionSchema = z.object({ kind: mailKindSchema, userId: z.uuid() });

/** What each kind is called. */
const KIND_LABELS: Record<MailKind, string> = { mentions: 'mails of mentions', digest: 'the daily digest' };

/** Says whether a member has still chosen mails of a kind, for the queue that sends them. */
export const createIsChosen =
  ({ reads }: Pick<Database, 'reads'>): MailSubjects['isChosen'] =>
  async (userId, kind) => {
    const settings = await reads.getRepository(NotificationSettingsEntity).findOneBy({ userId });
    return kind === 'mentions' ? settings?.mailMentions === true : settings?.digestAt != null;
  };

const PATH = '/api/unsubscribe';

/** Tokens are sealed for this, so that nothing else that is sealed is taken for one. */
const PURPOSE = 'unsubscribe';

/**
 * What a mail of a kind has for one member: its kind, and the address that ends mails of it. Its token is encrypted and authenticated: it says nothing to
 * whoever reads it, cannot be made by anybody else, and does nothing else.
 */
export function chosenAs(
  { config, sealing }: { config: MailSettings; sealing: Sealing },
  kind: MailKind,
  userId: string,
): { kind: MailKind; unsubscribeUrl: string } {
  const url = new URL(PATH, config.publicUrl);
  url.searchParams.set('token', sealing.seal(JSON.stringify({ kind, userId }), PURPOSE));
  return { kind, unsubscribeUrl: url.href };
}

/** @throws {ProblemError} 404 for what this server has not made */
function readToken({ sealing }: { sealing: Sealing }, token: string): z.infer<typeof subscriptionSchema> {
  try {
    return subscriptionSchema.parse(JSON.parse(sealing.open(token, PURPOSE)));
  } catch {
    throw notFound('This link is not valid. Change what is mailed to you in Settings.');
  }
}

const STYLE = `
html { background: Canvas; color: CanvasText; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 20vh auto 0; max-width: 26rem; padding: 0 1.5rem; }
h1 { font-size: 1.25rem; }
button { font: inherit; padding: 0.5rem 1rem; }
`;

/** What the page may do: look like this, and post its form. */
const POLICY = {
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash('sha256', STYLE, 'base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
};

/** A page of its own, for who is not signed in. */
const page = (content: string) =>
  okText(
    'text/html',
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Unsubscribe · ${PRODUCT_NAME}</title>
<style>${STYLE}</style>
</head>
<body><main>
${content}
</main></body>
</html>
`,
    POLICY,
  );

/**
 * Ends mails without signing in: by one click of a mail program (RFC 8058), or on the page that a browser opens. A GET
 * changes nothing, since programs that look through mails open links.
 */
export function unsubscribeRoutes(context: { database: Database; sealing: Sealing }): Endpoint[] {
  const { database } = context;
  return [
    endpoint({
      method: 'GET',
      path: PATH,
      tag: 'notifications',
      summary: 'Shows a page on which whoever got a mail ends mails of its kind.',
      access: 'anyone',
      query: unsubscribeQuerySchema,
      responses: { 200: 'text/html' },
      errors: [404],
      handle: async ({ query: { token } }) => {
        const { kind } = readToken(context, token);
        const action = `${PATH}?${new URLSearchParams({ token })}`;
        return page(`<h1>Unsubscribe</h1>
<p>Stop ${KIND_LABELS[kind]} from ${PRODUCT_NAME}?</p>
<form method="post" action="${escapeHtml(action)}"><button type="submit">Unsubscribe</button></form>`);
      },
    }),
    endpoint({
      method: 'POST',
      path: PATH,
      tag: 'notifications',
      summary: 'Ends the mails that a link in them is about, by one click (RFC 8058) and without a sign-in.',
      access: 'anyone',
      csrf: false,
      query: unsubscribeQuerySchema,
      responses: { 200: 'text/html' },
      errors: [404],
      handle: async ({ query: { token } }) => {
        const { kind, userId } = readToken(context, token);
        await database.transaction(async (tx) => {
          await tx
            .getRepository(NotificationSettingsEntity)
            .update({ userId }, kind === 'mentions' ? { mailMentions: false } : { digestAt: null });
          announce(tx, { type: 'notification_settings_changed', userId });
        });
        return page(`<h1>Done</h1>
<p>You no longer receive ${KIND_LABELS[kind]}. In the settings of ${PRODUCT_NAME} you can turn them on again.</p>`);
      },
    }),
  ];
}
