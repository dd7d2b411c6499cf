import { useAtomValue, useSetAtom } from 'jotai';
import { useRef } from 'react';
import { createPortal } from 'react-dom';
import { useLocation, useNavigate } from 'react-router-dom';
import { alertToShowAtom } from '#renderer/alerts/data/list-state.ts';
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
  const close = useClose(id);
  const panel = useRef<HTMLElement>(null);
  const leave = steps.next ?? steps.previous ?? close;
  usePanelKeys({ panel, id, onRemoved: leave, list: { ...steps, close } });
  if (!slot) return null;
  return createPortal(
    <aside
      ref={panel}
      className={classNames(styles.alertPanel, styles[`alertPanel_${place}`])}
      aria-label={texts.alertDetails}
    >
      <HoverTip className={styles.tips}>
        <PanelBar id={id} steps={steps} onClose={close} />
        <AlertView key={id} id={id} onRemoved={leave} takesFocus />
      </HoverTip>
    </aside>,
    slot,
  );
}

/** Goes back to the list, where the alert's row takes the focus. */
function useClose(id: string): () => void {
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const show = useSetAtom(alertToShowAtom);
  return () => {
    show({ id, path: pathname });
    void navigate(-1);
  };
}
