import * as texts from './texts.ts';

const KILOBYTE = 1024;

/** Bytes as people read them: `0 B`, `4.1 KB`, `256 KB`, `1.4 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < KILOBYTE) return `${bytes} B`;
  const [amount, unit] =
    bytes < KILOBYTE * KILOBYTE
      ? [bytes / KILOBYTE, 'KB']
      : bytes < KILOBYTE ** 3
        ? [bytes / KILOBYTE ** 2, 'MB']
        : [bytes / KILOBYTE ** 3, 'GB'];
  return `${amount < 100 ? Number(amount.toFixed(1)) : Math.round(amount)} ${unit}`;
}

/** How long something took, given in milliseconds: `9 ms`, `1.2 s`. Below one millisecond it reads `1 ms`. */
export const formatTook = (ms: number): string =>
  ms < 999.5 ? texts.milliseconds(Math.max(1, Math.round(ms))) : `${Number((ms / 1000).toFixed(1))} s`;

/** A count with its noun: `1 alert`, `2 alerts`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;
