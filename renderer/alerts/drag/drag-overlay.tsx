import { FolderCloseIcon } from '@blueprintjs/icons';
import { useDndContext } from '@dnd-kit/core';
import { type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import type { Alert } from '#backend/contract/alert.ts';
import { StatusTag } from '#renderer/alerts/card/card-parts.tsx';
import { alertHeadline, typeBeside } from '#renderer/alerts/data/alert-labels.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import type { TargetData } from './announcements.ts';
import type { HitTest } from './drop-targets.tsx';
import classNames from 'classnames';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.tsx';
import * as alertCardStyles from '#renderer/alerts/card/alert-card.module.css';
import * as styles from './drag-overlay.module.css';

interface DragOverlayProps {
  alert: Alert;
  /** Where the drag is; known when this is drawn. */
  pointOf: HitTest['point'];
  ref: Ref<HTMLDivElement | null>;
}

/** The dragged alert beside the pointer, with what a drop would do. */
export function DragOverlay({ alert, pointOf, ref }: DragOverlayProps) {
  const { active, over } = useDndContext();
  const element = useRef<HTMLDivElement>(null);
  useImperativeHandle<HTMLDivElement | null, HTMLDivElement | null>(ref, () => element.current);
  useLayoutEffect(() => {
    const point = pointOf();
    if (!element.current || !point) return;
    element.current.style.translate = `${point.x}px ${point.y}px`;
    element.current.style.visibility = 'visible';
  });
  if (!active) return null;

  const target = (over?.data.current as TargetData | undefined)?.name;
  const customer = alert.customer === null ? '' : inertLine(alert.customer);
  const headline = alertHeadline(alert);
  const type = typeBeside(alert) ?? '';
  return createPortal(
    <div ref={element} className={styles.dragOverlay} aria-hidden>
      <div className={classNames(styles.customer, customer === '' && alertCardStyles.customer_none)}>
        <bdi>{customer || common.noCustomer}</bdi>
      </div>
      {headline !== undefined && (
        <div className={styles.headline} dir="auto">
          {headline}
        </div>
      )}
      <div className={styles.tags}>
        {type !== '' && (
          <span className={alertCardStyles.type}>
            <bdi>{type}</bdi>
          </span>
        )}
        <StatusTag status={alert.status} />
      </div>
      <div className={classNames(styles.target, target !== undefined && styles.target_set)}>
        <FolderCloseIcon size={14} />
        <span className={styles.words}>
          {target === undefined ? texts.dragToFolder : <>{texts.moveToFolder(<bdi>{target}</bdi>)}</>}
        </span>
      </div>
    </div>,
    document.body,
  );
}

/** Duration of the drop animation in milliseconds; the same as `--ad-duration-drop`. */
const DROP_MS = 140;

/** Marks the copy that plays a drop, which is nobody's overlay any more. */
const GHOST = 'ad-drag-ghost';

/** Ends the drop that is still being played: the next drag has begun, and shows the only overlay. */
export function endPlayedDrop(): void {
  for (const ghost of document.querySelectorAll(`.${GHOST}`)) ghost.remove();
}

/** Lets a copy of the overlay shrink to the dot of the folder that it was dropped on. */
export function playDrop(overlay: HTMLElement, target: string): void {
  endPlayedDrop();
  const place = document.querySelector(`[data-drop-target="${CSS.escape(target)}"]`);
  const dot = (place?.querySelector('[data-folder-dot], svg') ?? place)?.getBoundingClientRect();
  if (!dot || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const from = overlay.getBoundingClientRect();
  const ghost = overlay.cloneNode(true) as HTMLElement;
  ghost.classList.add(GHOST);
  ghost.style.transformOrigin = '0 0';
  document.body.append(ghost);
  const move = `translate(${dot.x - from.x}px, ${dot.y - from.y}px) scale(${dot.width / from.width})`;
  const animation = ghost.animate(
    { transform: ['none', move], opacity: [1, 0.4] },
    { duration: DROP_MS, easing: 'cubic-bezier(0.4, 1, 0.75, 0.9)' },
  );
  animation.addEventListener('finish', () => ghost.remove());
  animation.addEventListener('cancel', () => ghost.remove());
}
