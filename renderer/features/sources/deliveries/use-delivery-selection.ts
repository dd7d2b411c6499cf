import { useMutation } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { type DeliveryFilter, getDeliveryIds } from '#renderer/features/sources/data/get-deliveries.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { EMPTY_SELECTION, type Selection, toggled } from './selection.ts';
import * as texts from './texts.ts';

const selectionOf = (ids: readonly string[]): Selection => ({ ids: new Set(ids), anchor: undefined });

interface Reading {
  filter: DeliveryFilter;
  /** Id of the newest delivery that is loaded: later ones are not selected, whatever the clock of this device says. */
  newest: string;
  signal: AbortSignal;
}

/** Which deliveries of a source are selected. What comes later is not. */
export function useDeliverySelection(sourceId: string) {
  const toasts = useToasts();
  const [selection, setSelection] = useState<Selection>(EMPTY_SELECTION);
  const [isEverything, setEverything] = useState(false);
  const current = useRef<AbortController>(undefined);
  const reading = useMutation({
    mutationFn: async ({ filter, newest, signal }: Reading) =>
      (await getDeliveryIds(sourceId, filter, signal)).filter((id) => id <= newest),
    onError: ({ message }, { signal }) => {
      if (!signal.aborted)
        toasts.show({ variant: 'destructive', title: texts.couldNotSelectAll, description: message });
    },
  });
  const { mutate: read, reset } = reading;
  const stop = useCallback(() => {
    current.current?.abort();
    reset();
  }, [reset]);
  useEffect(() => () => current.current?.abort(), []);
  const clear = useCallback(() => {
    stop();
    setSelection(EMPTY_SELECTION);
    setEverything(false);
  }, [stop]);
  const onToggle = useCallback(
    (rows: readonly string[], id: string, isRange: boolean) => {
      stop();
      setEverything(false);
      setSelection((now) => toggled(now, rows, id, isRange));
    },
    [stop],
  );
  const deselect = useCallback((gone: readonly string[]) => {
    const ids = new Set(gone);
    setSelection((now) => ({ ...now, ids: new Set([...now.ids].filter((id) => !ids.has(id))) }));
  }, []);
  return {
    selection,
    count: selection.ids.size,
    /** All that match were selected at once. */
    isEverything,
    /** What matches is being read. */
    isSelecting: reading.isPending,
    clear,
    deselect,
    onToggle,
    /** Selects what matches up to the newest of the `loaded` ids; `hasMore`: more than these match. */
    selectAll(filter: DeliveryFilter, loaded: readonly string[], hasMore: boolean) {
      stop();
      setEverything(true);
      setSelection(selectionOf(loaded));
      const [newest] = loaded;
      if (!hasMore || newest === undefined) return;
      const { signal } = (current.current = new AbortController());
      read({ filter, newest, signal }, { onSuccess: (ids) => setSelection(selectionOf(ids)) });
    },
  };
}
