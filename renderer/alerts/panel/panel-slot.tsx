import { useSetAtom } from 'jotai';
import { useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { panelPlaceAtom, panelSlotAtom } from './open-alert.tsx';
import * as styles from './panel-slot.module.css';

/** From this width on, in pixels, the content has space for a list and an alert beside each other. */
const BESIDE = 1024;

/** Where the open alert is drawn: it stands beside the content, which scrolls by itself. */
export function PanelSlot() {
  const slot = useRef<HTMLDivElement>(null);
  const setSlot = useSetAtom(panelSlotAtom);
  const setPlace = useSetAtom(panelPlaceAtom);
  useLayoutEffect(() => {
    const around = slot.current?.parentElement;
    if (!around) return undefined;
    // Called for the first time once the page is laid out and before it is painted.
    const observer = new ResizeObserver(() =>
      flushSync(() => setPlace(around.clientWidth >= BESIDE ? 'beside' : 'over')),
    );
    observer.observe(around);
    setSlot(slot.current);
    return () => {
      observer.disconnect();
      setSlot(null);
    };
  }, [setSlot, setPlace]);
  return <div ref={slot} className={styles.alertPanelSlot} />;
}
