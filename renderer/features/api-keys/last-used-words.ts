import type { ApiKey } from '#backend/contract/api-key.ts';
import { formatLongDate } from '#renderer/lib/times.ts';

/** When a key was last used, in words: a long date, or that it never was (spec.md sections 2 and 9). */
export const lastUsedWords = ({ lastUsedAt }: ApiKey): string =>
  lastUsedAt === null ? 'Never used' : `Last used ${formatLongDate(new Date(lastUsedAt))}`;
