import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { AlertAction } from './action.ts';
import { acceptChange } from './changes.ts';

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
