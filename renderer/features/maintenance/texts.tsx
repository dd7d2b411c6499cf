import type { ReactNode } from 'react';
import { countText } from '#backend/contract/count-text.ts';

export const maintenance = 'Maintenance';
export const windows = (count: number | undefined) => (count === 1 ? 'window' : 'windows');
export const windowsInText = 'maintenance windows';
export const newWindow = 'New window';
export const noWindowsYet = 'No maintenance windows yet';
export const noWindowsHint = 'In a window alerts are kept and marked, and notify nobody.';
export const on = 'On';
export const planned = 'Planned';
export const past = 'Past';
export const isOn = (until: string, kept: number) => `On until ${until}, ${keptCount(kept)}`;
export const isNext = (time: string) => `Next: ${time}`;
export const isOver = 'Over';
export const pastOf = (times: string, kept: number, stillFiring: number) =>
  `${times}, ${keptCount(kept)}${stillFiring === 0 ? '' : `, ${countText(stillFiring)} still fired`}`;
const keptCount = (kept: number) => `${countText(kept)} ${kept === 1 ? 'alert' : 'alerts'} kept quiet`;
export const endedEarly = (name: string) => `Ended by ${name}`;
export const byWhom = (name: string, time: string) => `by ${name}, changed ${time}`;

export const window = 'Window';
export const windowNotFound = 'Window not found';
export const windowNotFoundHint = 'This window may have been deleted.';
export const allWindows = 'All windows';
export const theWindow = 'The window';
export const theWindowInText = 'the window';
export const planWindow = 'Plan window';
export const startWindow = 'Start window';
export const saveWindow = 'Save window';
export const windowSaved = 'Window saved';
export const savedWhileOn = 'A window that is on keeps the settings it started with until it ends.';
export const unsavedHint = 'Your changes to this window are not saved.';
export const askToDelete = 'Delete…';
export const deleteQuestion = 'Delete this window?';
export const deleteHint = 'What it kept quiet stays as it is.';
export const readOnly = 'Administrators plan and change windows.';

export const nameHint = 'Shown on every card that it keeps quiet.';
export const whichAlerts = 'Which alerts';
export const allAlerts = 'All alerts';
export const inWeekAndOpen = (week: ReactNode, open: ReactNode, isAll: boolean) => (
  <>
    {isAll ? 'All alerts, ' : ''}
    {week} in 7 days, {open} open
  </>
);
export const inWeekAndOpenSpoken = (week: string, open: string) => `${week} in 7 days, ${open} open`;
export const searchHint =
  'The search language of every list: words, customer:, type:, source:, severity:, label:, is:test and is:flapping.';
export const atLeast = (count: string) => `at least ${count}`;

export const starts = 'Starts';
export const date = 'Date';
export const time = 'Time';
export const startNow = 'Now';
export const lasts = 'Lasts';
export const minutes = (count: number) => (count < 60 ? `${count} min` : `${count / 60} h`);
export const until = 'Until…';
export const endDate = 'Last date';
export const endTime = 'End time';
export const toTime = (time: string) => `to ${time}`;
export const repeats = 'Repeats';
export const repeatsOptions = {
  never: 'Never',
  daily: 'Daily',
  weekly: 'Weekly',
  monthly: 'Monthly',
  custom: 'Custom',
} as const;
export const days = 'Days';
export const dayNames = {
  MO: 'Monday',
  TU: 'Tuesday',
  WE: 'Wednesday',
  TH: 'Thursday',
  FR: 'Friday',
  SA: 'Saturday',
  SU: 'Sunday',
} as const;
export const ends = 'Ends';
export const endsOptions = { never: 'Never', on: 'On a date', after: 'After some times' } as const;
export const lastDay = 'Last day';
export const howOften = 'How often';
export const timeZone = 'Time zone';
export const rule = 'Rule (RFC 5545)';
export const ruleExample = 'FREQ=MONTHLY;BYDAY=2TU';
export const meanwhile = 'Meanwhile';
export const meanwhileHint = 'Alerts stay in New Alerts, marked and quiet. Anybody can accept them.';
export const nothingIsDeleted =
  'Nothing is deleted. What still fires when it ends comes back, with one notification for all.';

export const giveName = 'Give the window a name.';
export const chooseTimes = 'Choose a start, and an end after it.';
export const chooseDay = 'Choose a day of the week.';
export const writeCount = 'Write how often it is on: a number from 1 to 9999.';
export const writeRule = 'Write a rule, such as FREQ=MONTHLY;BYDAY=2TU.';

export const nextTimes = 'Next times';
export const overlaps = (names: string) => `Overlaps ${names}`;
export const quoted = (name: string) => `“${name}”`;
export const firstAfterChange = (isOnSummerTime: boolean, length: string) =>
  `First one on ${isOnSummerTime ? 'summer' : 'winter'} time, still ${length}`;
export const noTimesYet = 'Shown once the search and the times are complete and correct.';
export const wouldHaveKept = 'It would have kept quiet';
export const alerts = (count: number) => (count === 1 ? 'alert' : 'alerts');
export const notifications = (count: number) => (count === 1 ? 'notification' : 'notifications');
export const stillFiring = 'still firing at the end';
export const showAll = (count: number) => `Show all ${countText(count)}`;

export const areYouSure = { all: 'Keep all alerts quiet?', long: 'Keep alerts quiet for more than 24 hours?' } as const;
export const sureAll = 'The search is empty: nobody is notified of any alert while this window is on.';
export const sureLong = (length: string) => `Nobody is notified of these alerts for ${length}.`;
