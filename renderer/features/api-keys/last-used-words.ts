import type { ApiKey } from '#backend/contract/api-key.ts';
import { formatLongDate } from '#renderer/lib/times.ts';

/** When a key was last used: a long date, or that it never was. */
export const lastUsedWords = ({ lastUsedAt }: ApiKey): string =>
  lastUsedAt === null ? 'Never used' : `Last used ${formatLongDate(new Date(lastUsedAt))}`;
