import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { AlertAction } from './action.ts';
import { acceptChange } from './changes.ts';
import { lazyIcon } from './lazy-icon.tsx';

/** From the inbox into one's own queue. */
export const ACCEPT: AlertAction = {
  id: 'accept',
  label: 'Accept',
  key: 'a',
  group: 'Act',
  lists: ['inbox'],
  isOffered: isEverybodys,
  inMenu: false,
  many: 'change',
  change: (_alert, me) => acceptChange(me),
};

/** The same, and it is in progress. Its key is that of the status. */
export const ACCEPT_AND_START: AlertAction = {
  ...ACCEPT,
  id: 'accept-and-start',
  label: 'Accept and start',
  key: '2',
  Icon: lazyIcon(async () => {
    const { PlayIcon: Icon } = await import('@blueprintjs/icons');
    return Icon;
  }),
  inMenu: {},
  change: (_alert, me) => acceptChange(me, 'in-progress'),
};

/** The same, and it is done. Its key is that of Complete. */
export const ACCEPT_AND_COMPLETE: AlertAction = {
  ...ACCEPT,
  id: 'accept-and-complete',
  label: 'Accept and complete',
  key: 'e',
  Icon: lazyIcon(async () => {
    const { TickCircleIcon: Icon } = await import('@blueprintjs/icons');
    return Icon;
  }),
  inMenu: {},
  change: (_alert, me) => acceptChange(me, 'completed'),
};
