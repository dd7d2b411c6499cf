import type { Page } from '@playwright/test';
import { uuidv7 } from 'uuidv7';
import { webhookReceiptSchema } from '#backend/contract/webhook.ts';
import { signIn } from '#scripts/demo/signed-in-client.ts';
import { ADMIN } from '#tests/support/server-process.ts';

/** Posts alerts to the server that a window shows, as a system outside does. Resolves with each alert's id. */
export async function senderTo(page: Page): Promise<(body: object) => Promise<string>> {
  const url = new URL(page.url());
  const admin = await signIn(url, ADMIN);
  const { plainKey } = await admin.createApiKey(`Desktop specs ${uuidv7()}`);
  return async (body) => {
    const response = await fetch(new URL('/webhook', url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-webhook-auth': plainKey },
      body: JSON.stringify(body),
    });
    return webhookReceiptSchema.parse(await response.json()).id;
  };
}
