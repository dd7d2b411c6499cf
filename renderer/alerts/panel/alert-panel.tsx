import { useAtomValue } from 'jotai';
import { useRef } from 'react';
import { createPortal } from 'react-dom';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { AlertView } from './alert-view.tsx';
import { panelPlaceAtom, panelSlotAtom } from './open-alert.tsx';
import { PanelBar } from './panel-bar.tsx';
import { usePanelKeys } from './panel-keys.ts';
import { useSteps } from './panel-steps.ts';
import type { PanelProps } from '#renderer/alerts/list/list-fold.ts';
import classNames from 'classnames';
import * as texts from './texts.ts';
import * as styles from './alert-panel.module.css';

/** An alert beside the list that it was opened from; over the list where there is no space for both. */
export function AlertPanel(props: PanelProps) {
  const { id } = props;
  const slot = useAtomValue(panelSlotAtom);
  const place = useAtomValue(panelPlaceAtom);
  const steps = useSteps(props);
  const panel = useRef<HTMLElement>(null);
  const leave = steps.next ?? steps.previous ?? steps.close;
  usePanelKeys({ panel, id, onRemoved: leave, list: steps });
  if (!slot) return null;
  return createPortal(
    <aside
      ref={panel}
      className={classNames(styles.alertPanel, styles[`alertPanel_${place}`])}
      aria-label={texts.alertDetails}
    >
      <HoverTip className={styles.tips}>
        <PanelBar id={id} steps={steps} />
        <AlertView key={id} id={id} onRemoved={leave} takesFocus />
      </HoverTip>
    </aside>,
    slot,
  );
}
