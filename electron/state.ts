/** A value that others can watch: one writer, many subscribers. */
export interface State<T> {
  get(): T;
  /** Takes the value; subscribers receive it when it differs. */
  set(value: T): void;
  /** Calls at once with the present value, then with each that follows, until the returned function is called. */
  subscribe(listener: (value: T) => void): () => void;
}

/** A {@link State} whose values are plain data, compared by what they hold. */
export function createState<T>(initial: T): State<T> {
  let current = initial;
  const listeners = new Set<(value: T) => void>();
  return {
    get: () => current,
    set(value) {
      if (JSON.stringify(value) === JSON.stringify(current)) return;
      current = value;
      for (const listener of listeners) listener(current);
    },
    subscribe(listener) {
      listeners.add(listener);
      listener(current);
      return () => listeners.delete(listener);
    },
  };
}
