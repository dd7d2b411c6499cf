import { useQuery } from '@tanstack/react-query';
import { useAtomValue } from 'jotai';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Delivery, type DeliverySummary, LOOKED_AT } from '#backend/contract/delivery.ts';
import { deliveryQuery, getDeliveryPage } from '#renderer/features/sources/data/get-deliveries.ts';
import { SOURCES } from '#renderer/features/sources/data/get-sources.ts';
import { connectionAtom } from '#renderer/lib/connection.ts';

/** After so long without a delivery the hints are pointed at, in milliseconds. */
const LONG_MS = 5 * 60 * 1000;

/** What came of waiting for the first delivery of a source. */
export interface FirstDelivery {
  /** The first that was taken, with how it is read. */
  delivery: Delivery | undefined;
  /** The latest that was refused, while none was taken. */
  refused: DeliverySummary | undefined;
  /** From the first byte at the server to its being drawn here, in milliseconds; undefined of one that was here before. */
  latencyMs: number | undefined;
  /** It has been long. */
  isLate: boolean;
  isConnected: boolean;
}

/** Watches for the first delivery of a source until one was taken. It never gives up by itself. */
export function useFirstDelivery(sourceId: string): FirstDelivery {
  const isConnected = useAtomValue(connectionAtom) !== 'disconnected';
  const [isLate, setLate] = useState(false);
  const [firstId, setFirstId] = useState<string>();
  const askedAt = useRef<number>(undefined);
  const newest = useQuery({
    queryKey: [SOURCES, sourceId, 'first'],
    queryFn: async ({ signal }) => {
      askedAt.current = performance.now();
      return (await getDeliveryPage(sourceId, {}, { limit: 20, signal })).rows;
    },
    enabled: firstId === undefined,
    refetchOnMount: 'always',
  });
  const sent = newest.data?.filter(({ outcome, summary }) => outcome !== 'handshake' || summary !== LOOKED_AT);
  const taken = sent?.findLast(({ outcome }) => outcome !== 'refused');
  if (taken && firstId === undefined) setFirstId(taken.id);
  const { data: delivery } = useQuery({ ...deliveryQuery(firstId ?? ''), enabled: firstId !== undefined });

  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LONG_MS);
    return () => clearTimeout(timer);
  }, []);

  const latencyMs = useLatency(delivery, askedAt);
  const refused = taken ? undefined : sent?.[0];
  return { delivery, refused, latencyMs, isLate: isLate && delivery === undefined, isConnected };
}

/**
 * The server's time, half of a measured round trip, and the time to paint. Two clocks are never compared.
 *
 * @param askedAt when the call began whose answer brought the delivery, a moment of `performance.now()`.
 */
function useLatency(delivery: Delivery | undefined, askedAt: { current: number | undefined }): number | undefined {
  const [latencyMs, setLatency] = useState<number>();
  const isMeasured = useRef(false);
  useLayoutEffect(() => {
    if (!delivery || isMeasured.current) return;
    isMeasured.current = true;
    // What an earlier page of this screen has fetched took no time here.
    if (askedAt.current === undefined) return;
    const answeredAt = performance.now();
    const halfTrip = (answeredAt - askedAt.current) / 2;
    requestAnimationFrame(() => {
      setLatency(delivery.durationMs + halfTrip + (performance.now() - answeredAt));
    });
  }, [delivery, askedAt]);
  return latencyMs;
}
