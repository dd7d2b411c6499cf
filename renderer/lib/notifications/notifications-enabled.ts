import { useAtom } from 'jotai';
import { atomWithStorage, createJSONStorage, unstable_withStorageValidator as withStorageValidator } from 'jotai/utils';

/** The browser's own flag: 'true' or 'false', on when absent. */
const KEY = 'notifications-enabled';

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** Whether notifications are switched on in this browser; shared by its tabs. */
export const notificationsEnabledAtom = atomWithStorage<boolean>(
  KEY,
  true,
  withStorageValidator(isBoolean)(createJSONStorage()),
  { getOnInit: true },
);

/** Whether notifications are switched on in this browser, and the switch. */
export const useNotificationsEnabled = (): [boolean, (enabled: boolean) => void] => useAtom(notificationsEnabledAtom);

/** What is stored of it, `null` while nothing is. */
export const storedSwitch = (): string | null => localStorage.getItem(KEY);
