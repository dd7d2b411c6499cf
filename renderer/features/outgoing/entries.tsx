import { CalendarIcon, FilterIcon, FlowsIcon, PeopleIcon, SendMessageIcon } from '@blueprintjs/icons';
import type { ReactElement } from 'react';
import { PATHS } from '#renderer/lib/paths.ts';
import { destinationEntry } from './destinations-texts.tsx';
import { incomingRuleEntry } from './incoming-rules-texts.ts';
import { calendarEntry, groupEntry } from './people-texts.ts';
import { ruleEntry } from './rules-texts.tsx';
import type { EntryTexts } from './texts.ts';

/** What there is a list of, and a page for each: destinations, rules, groups, or calendars. */
export interface Entry extends EntryTexts {
  /** The address of the list. */
  to: string;
  /** What the list is called. */
  title: string;
  icon: ReactElement;
  /** The address of the page of one; `new` is where one is made. */
  pathOf: (id: string) => string;
}

const entry = (name: string, icon: ReactElement, said: EntryTexts, to = `${PATHS.outgoing}/${name}`): Entry => ({
  ...said,
  to,
  title: said.list,
  icon,
  pathOf: (id) => `${to}/${encodeURIComponent(id)}`,
});

export const DESTINATIONS = entry('destinations', <SendMessageIcon size={40} />, destinationEntry);
export const RULES = entry('rules', <FlowsIcon size={40} />, ruleEntry);
export const GROUPS = entry('groups', <PeopleIcon size={40} />, groupEntry);
export const CALENDARS = entry('calendars', <CalendarIcon size={40} />, calendarEntry);

/** Rules on what arrives, and not on what goes out. */
export const INCOMING_RULES = entry('', <FilterIcon size={40} />, incomingRuleEntry, PATHS.incomingRules);

/** Their lists are tabs of each other. */
export const OUTGOING_PAGES: readonly Entry[] = [DESTINATIONS, RULES, GROUPS, CALENDARS];
