import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { AlertAction } from './action.ts';
import { accepting } from './changes.ts';
import { lazyIcon } from './lazy-icon.tsx';
import * as texts from './texts.ts';

/** From the inbox into one's own queue. */
export const ACCEPT: AlertAction = {
  id: 'accept',
  label: texts.accept,
  key: 'a',
  group: texts.act,
  lists: ['inbox'],
  isOffered: isEverybodys,
  inMenu: false,
  many: 'change',
  change: accepting(),
};

/** The same, and it is in progress. Its key is that of the status. */
export const ACCEPT_AND_START: AlertAction = {
  ...ACCEPT,
  id: 'accept-and-start',
  label: texts.acceptAndStart,
  key: '2',
  Icon: lazyIcon(async () => {
    const { PlayIcon: Icon } = await import('@blueprintjs/icons');
    return Icon;
  }),
  inMenu: {},
  change: accepting('in-progress'),
};

/** The same, and it is done. Its key is that of Complete. */
export const ACCEPT_AND_COMPLETE: AlertAction = {
  ...ACCEPT,
  id: 'accept-and-complete',
  label: texts.acceptAndComplete,
  key: 'e',
  Icon: lazyIcon(async () => {
    const { TickCircleIcon: Icon } = await import('@blueprintjs/icons');
    return Icon;
  }),
  inMenu: {},
  change: accepting('completed'),
};
