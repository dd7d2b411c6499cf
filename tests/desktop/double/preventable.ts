/** An event as Electron hands it to listeners: what follows can be prevented. */
export interface PreventableEvent {
  preventDefault: () => void;
  readonly defaultPrevented: boolean;
}

/** A new event, with what belongs to it. */
export function preventable<T extends object>(details: T): T & PreventableEvent {
  let isPrevented = false;
  return Object.defineProperties(
    {
      ...details,
      preventDefault: () => {
        isPrevented = true;
      },
      defaultPrevented: false,
    },
    { defaultPrevented: { get: () => isPrevented, enumerable: true } },
  );
}
