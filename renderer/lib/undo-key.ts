import { useAtom, useAtomValue } from 'jotai';
import { atomWithStorage, createJSONStorage, unstable_withStorageValidator as withStorageValidator } from 'jotai/utils';

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** The only key that works anywhere without a modifier. Who speaks to the device, or types by accident, switches it off. */
const undoKeyAtom = atomWithStorage<boolean>(
  'undo-key-enabled',
  true,
  withStorageValidator(isBoolean)(createJSONStorage()),
  { getOnInit: true },
);

/** Whether Z undoes in this browser, and the switch; shared by its tabs. */
export const useUndoKeyChoice = (): [boolean, (isOn: boolean) => void] => useAtom(undoKeyAtom);

/** Whether Z undoes in this browser. */
export const useIsUndoKeyOn = (): boolean => useAtomValue(undoKeyAtom);
