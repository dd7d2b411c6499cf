import { type EntryTexts, calendars, groups } from './texts.ts';

export const groupEntry: EntryTexts = {
  name: 'Group',
  what: 'The group',
  inText: 'the group',
  list: groups,
  listInText: 'groups',
  all: 'All groups',
  add: 'New group',
  save: 'Save group',
  saved: 'Group saved',
  unsaved: 'Your changes to this group are not saved.',
  notFound: 'Group not found',
  notFoundHint: 'This group may have been deleted.',
  search: 'Search groups',
  searchHint: 'Groups are found by their name and their members.',
  empty: 'No groups yet',
  emptyHint: 'A step of a rule can notify a group of members.',
  deleteQuestion: 'Delete this group?',
};

export const calendarEntry: EntryTexts = {
  name: 'Calendar',
  what: 'The calendar',
  inText: 'the calendar',
  list: calendars,
  listInText: 'calendars',
  all: 'All calendars',
  add: 'New calendar',
  save: 'Save calendar',
  saved: 'Calendar saved',
  unsaved: 'Your changes to this calendar are not saved.',
  notFound: 'Calendar not found',
  notFoundHint: 'This calendar may have been deleted.',
  search: 'Search calendars',
  searchHint: 'Calendars are found by their name and who is on.',
  empty: 'No calendars yet',
  emptyHint: 'A step of a rule can notify whoever is on, as an iCalendar address or file says.',
  deleteQuestion: 'Delete this calendar?',
};

/** Which rules notify a group or a calendar, by their names. */
export const usedBy = (rules: readonly string[]) =>
  rules.length === 0 ? 'Used by no rule' : `Used by ${rules.join(', ')}`;

export const groupNoun = (count: number | undefined) => (count === 1 ? 'group' : 'groups');
export const findMembers = 'Find members';
export const noMemberFound = 'No members found';
export const disabledMembers = (count: number) => `${count} disabled`;

export const giveGroupName = 'Give the group a name.';
export const disabledMember = (name: string) => `${name} (disabled)`;
export const membersHint =
  'Disabled members stay in the group but are not notified until they are enabled again. Each step notifies whoever is in the group at its time.';
export const deleteGroupHint = 'Its members keep their accounts. A group that a rule notifies cannot be deleted.';

export const calendarNoun = (count: number | undefined) => (count === 1 ? 'calendar' : 'calendars');
export const file = 'File';
export const read = 'Read';
export const notRead = 'Not read';
export const until = (time: string) => `until ${time}`;
export const onFrom = (names: string, time: string) => `${names} from ${time}`;

export const giveCalendarName = 'Give the calendar a name.';
export const enterAddressOrFile = 'Enter the address of the calendar, or choose a file.';
export const fileTooLarge = 'The file is larger than 2 MB.';
export const readNow = 'Read now';
export const neverRead = (failure: string) => `${failure} The calendar has never been read.`;
export const copyIsUsed = (failure: string, time: string) => `${failure} The copy of ${time} is used.`;
export const calendarAddress = 'iCalendar address';
export const calendarAddressPlaceholder = 'https:// or webcal://';
export const addressKept = (host: string) => `Kept, at ${host}`;
export const calendarAddressHint = 'It is read every 15 minutes. Anyone who has the address can read the calendar.';
export const orFile = 'Or a file';
export const fileKept = 'A file is kept';
export const chooseFile = 'Choose an .ics file…';
export const calendarHint =
  'Members are found by the emails or names of an event’s guests, or by its title. Repeated events, moved events, and time zones work as in calendar apps.';
export const noMemberCalled = (names: string) => `No member is called ${names}.`;
export const deleteCalendarHint = 'A calendar that a rule uses cannot be deleted.';

export const next48Hours = 'Next 48 hours';
export const whoIsOn = 'Who is on';
export const shiftTimes = (from: string, to: string, isOverride: boolean) =>
  `${from} to ${to}${isOverride ? ', instead of the calendar' : ''}`;
export const nobodyOnHint = 'While nobody is on, steps that use this calendar notify nobody.';
export const onInstead = 'On instead';
export const removeOverride = (name: string) => `Remove the override of ${name}`;
export const who = 'Who';
export const choose = 'Choose…';
export const from = 'From';
export const howLong = 'For';
export const hours = (count: number) => `${count} h`;
export const add = 'Add';
export const overrideHint = 'Without a start time, it starts now.';
