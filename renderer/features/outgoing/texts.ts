export const destinations = 'Destinations';
export const rules = 'Rules';
export const groups = 'Groups';
export const calendars = 'Calendars';
export const members = 'Members';
export const allAlerts = 'All alerts';
export const nobody = 'Nobody';
export const shownOf = (shown: number, all: number) => `${shown} of ${all} shown`;
export const nothingMatches = (search: string) => `Nothing matches “${search}”`;
export const actionsFor = (name: string) => `Actions for ${name}`;
export const edit = 'Edit';
export const duplicate = 'Duplicate';
export const times = (count: number) => `${count} times`;
export const notChanged = 'Nothing was changed';
export const health = 'Health';
export const all = 'All';
export const askToDelete = 'Delete…';
export const discard = 'Discard';
export const on = 'On';
export const off = 'Off';
export const chooseWhomEachStepNotifies = 'Choose whom each step notifies.';

/** What the pages of destinations, rules, groups and calendars say in the same places. */
export interface EntryTexts {
  /** One of them, the same as a sentence begins with it, and inside a sentence. */
  name: string;
  what: string;
  inText: string;
  /** All of them, and inside a sentence. */
  list: string;
  listInText: string;
  all: string;
  add: string;
  /** On the button; `create` of a new one, where that differs. */
  save: string;
  create?: string;
  saved: string;
  unsaved: string;
  notFound: string;
  notFoundHint: string;
  search: string;
  /** What the search finds them by. */
  searchHint: string;
  empty: string;
  emptyHint: string;
  deleteQuestion: string;
}
