import type { LadderChannel } from '#backend/contract/ladder.ts';

export const untilTaken = 'Until somebody takes it';
export const notifyStepByStep = 'Notify people step by step';
export const notifyStepByStepHint =
  'It starts when an alert is new, gets worse, or comes back, and ends at once when somebody accepts or snoozes it, or when it resolves. Times count from the start.';
export const addStep = 'Add a step';
export const thenRepeat = 'Then repeat';
export const repeats = (count: number) => (count === 0 ? 'never' : count === 1 ? 'once' : `${count} times`);
export const repeatHint = (minutes: number) =>
  `${minutes} min after the last step. Then it is marked as not taken, and every administrator is notified once.`;
export const urgent = 'Urgent';
export const urgentHint =
  'Also during people’s quiet hours and pauses, but never for alerts that they muted, nor for who chose “Nothing”.';

export const people = 'People';
export const everybodyOnline = 'Everybody online';
export const onNowBy = 'On now by';
export const onNow = (calendar: string) => `On now: ${calendar}`;
export const group = (name: string) => `Group ${name}`;
export const unavailableRecipient = 'Unavailable recipient';

export const stepName = (number: number, count: number, after: string) =>
  `Step ${number} of ${count}, ${after.toLowerCase()}`;
export const whenStepComes = (number: number) => `When step ${number} comes`;
export const notify = 'notify';
export const by = 'by';
export const byWhatStepNotifies = (number: number) => `By what step ${number} notifies`;
export const theirOwnChoice = 'their own choice';
export const CHANNELS: Record<LadderChannel, string> = {
  app: 'page, push, desktop',
  phone: 'phone',
  mail: 'mail',
  ntfy: 'ntfy',
  gotify: 'Gotify',
  telegram: 'Telegram',
  webhook: 'webhook',
};
export const removeFromStep = (name: string, number: number) => `Remove ${name} from step ${number}`;
export const whomElseStepNotifies = (number: number) => `Whom else step ${number} notifies`;
export const findRecipient = 'Find whom to notify';
export const chooseWhom = 'Choose whom…';
export const and = 'and…';
export const removeStep = (number: number) => `Remove step ${number}`;

export const ifAlertCameNow = 'If an alert came now';
export const ifAlertCameThen = 'If an alert came then';
export const dryRunFrom = 'From';
export const dryRunFromNow = 'Now, until a time is chosen.';
export const clocksChange = 'The clocks change before this step.';
export const dryRunHint = 'A dry run: nobody is notified.';
export const moreSteps = (count: number) =>
  `${count} more ${count === 1 ? 'step' : 'steps'} of repeats ${count === 1 ? 'is' : 'are'} not shown.`;
