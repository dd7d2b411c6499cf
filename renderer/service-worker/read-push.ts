import { type PushMessage, pushMessageSchema } from '#backend/contract/push.ts';

/** What came with a push; undefined when this version cannot read it. */
export function readPush(text: string | undefined): PushMessage | undefined {
  try {
    return pushMessageSchema.parse(JSON.parse(text ?? ''));
  } catch {
    return undefined;
  }
}
