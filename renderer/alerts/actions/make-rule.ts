import { MANAGER_ROLES, PATHS } from '#renderer/lib/paths.ts';
import type { AlertAction } from './action.ts';
import { lazyIcon } from './lazy-icon.tsx';
import * as texts from './texts.ts';

/** Opens the page of a new rule on what arrives, which begins with alerts like this one. */
export const MAKE_RULE: AlertAction = {
  id: 'make-rule',
  label: texts.makeRule,
  group: texts.act,
  Icon: lazyIcon(async () => {
    const { FilterIcon: Icon } = await import('@blueprintjs/icons');
    return Icon;
  }),
  lists: ['inbox', 'queue', 'snoozed', 'all'],
  isOffered: (_alert, { me }) => MANAGER_ROLES.includes(me.role),
  run: ({ id }, { go }) => go(`${PATHS.incomingRules}/new?alert=${id}`),
};
