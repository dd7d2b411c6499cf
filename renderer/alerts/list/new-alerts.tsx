import { Button } from '@blueprintjs/core';
import { ArrowUpIcon } from '@blueprintjs/icons';
import { useSetAtom } from 'jotai';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { countedAboveAtom } from '#renderer/alerts/data/list-state.ts';
import * as texts from './texts.tsx';
import * as styles from './alert-list.module.css';

interface NewAlertsPillProps {
  count: number;
  /** How far below the upper end of what scrolls it stands, in pixels. */
  top: number;
  onSelect: () => void;
}

/** "12 new alerts", over the list's top edge while that is out of sight. */
export function NewAlertsPill({ count, top, onSelect }: NewAlertsPillProps) {
  if (count === 0) return null;
  return (
    <div className={styles.pillPlace} style={{ top }}>
      <Button
        className={styles.pill}
        intent="primary"
        icon={<ArrowUpIcon size={16} />}
        text={texts.newAlertsAbove(count)}
        onClick={onSelect}
      />
    </div>
  );
}

/**
 * How many alerts came on top of the list while its top was out of sight, and are still there. Seen are all of them as
 * soon as the top is in view. Which they are is known to others, too (`countedAboveAtom`).
 */
export function useUnseen(alerts: readonly Alert[], isTopInView: boolean): number {
  const setCounted = useSetAtom(countedAboveAtom);
  const [state, setState] = useState<{ alerts: readonly Alert[]; unseen: ReadonlySet<string> }>({
    alerts,
    unseen: new Set(),
  });
  if (isTopInView && state.unseen.size > 0) setState({ alerts, unseen: new Set() });
  else if (state.alerts !== alerts) {
    setState({ alerts, unseen: isTopInView ? new Set() : stillUnseen(state.unseen, state.alerts, alerts) });
  }
  const { unseen } = state;
  useEffect(() => {
    setCounted(unseen);
    return () => setCounted(new Set());
  }, [setCounted, unseen]);
  return unseen.size;
}

/** The unseen ones among the rows above the first one that was there before. */
function stillUnseen(
  unseen: ReadonlySet<string>,
  before: readonly Alert[],
  now: readonly Alert[],
): ReadonlySet<string> {
  const known = new Set(before.map(({ id }) => id));
  const firstKnown = now.findIndex(({ id }) => known.has(id) && !unseen.has(id));
  const above = firstKnown === -1 ? [] : now.slice(0, firstKnown);
  return new Set(above.map(({ id }) => id).filter((id) => unseen.has(id) || !known.has(id)));
}

/** A storm is more than so many arrivals within so many milliseconds; then nothing moves. */
const STORM_COUNT = 3;
const STORM_MS = 1000;

/** Lets the cards of alerts that just arrived fade in from 8 px above. */
export function useArrivals(list: RefObject<HTMLElement | null>, alerts: readonly Alert[]): void {
  const known = useRef<ReadonlySet<string> | undefined>(undefined);
  const arrivedAt = useRef<number[]>([]);
  useLayoutEffect(() => {
    const before = known.current;
    known.current = new Set(alerts.map(({ id }) => id));
    if (!before) return;
    const newest = alerts.find(({ id }) => before.has(id))?.id ?? '';
    const arrived = alerts.filter(({ id }) => !before.has(id) && id > newest);
    const now = performance.now();
    arrivedAt.current = [...arrivedAt.current, ...arrived.map(() => now)].filter((at) => now - at < STORM_MS);
    if (arrivedAt.current.length > STORM_COUNT || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    for (const { id } of arrived) {
      const card = list.current?.querySelector(`[data-alert-id="${CSS.escape(id)}"] > *`);
      card?.animate(
        { opacity: [0, 1], transform: ['translateY(-8px)', 'none'] },
        { duration: 160, easing: 'cubic-bezier(0.4, 1, 0.75, 0.9)' },
      );
    }
  }, [list, alerts]);
}
