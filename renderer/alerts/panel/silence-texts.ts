import type { SilenceEnd } from '#backend/contract/silence.ts';

export const atTheSender = 'At the sender';
export const silencedUntil = (source: string, time: string, owner: string): string =>
  `Silenced in ${source} until ${time} by ${owner}`;
export const isBeingSilenced = (source: string): string => `Is being silenced in ${source}`;
export const isNotSilenced = (source: string): string => `Not silenced in ${source}`;
export const silenceIsEnding = (source: string): string => `The silence in ${source} is being ended`;
export const noLabels = 'The alert has no labels by which its sender would know it.';
export const theSender = 'the sender';
export const somebody = 'somebody';
export const tryAgain = 'Try again';
export const ENDED: Record<SilenceEnd, (source: string) => string> = {
  released: (source) => `No longer silenced in ${source}: nobody has it here any more`,
  'ended-here': (source) => `No longer silenced in ${source}: an administrator ended the silence`,
  'ended-there': (source) =>
    `No longer silenced in ${source}: the silence was ended there. Accept the alert again to silence it again.`,
  resolved: (source) => `No longer silenced in ${source}: the alert is over`,
  'switched-off': (source) => `No longer silenced in ${source}: an administrator switched it off`,
};
