import { Tag } from '@blueprintjs/core';
import { FolderCloseIcon } from '@blueprintjs/icons';
import { useDndContext } from '@dnd-kit/core';
import { type Ref, useImperativeHandle, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import type { Alert } from '#backend/contract/alert.ts';
import { alertHeadline } from '#renderer/lib/alerts/alert-name.ts';
import { STATUS_WORDS } from '#renderer/lib/alerts/status-words.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import type { TargetData } from './announcements.ts';
import type { HitTest } from './hit-test.ts';
import './drag-overlay.css';

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
  const type = alert.alertType === null ? '' : inertLine(alert.alertType);
  return createPortal(
    <div ref={element} className="ad-drag-overlay" aria-hidden>
      <div className={`ad-drag-overlay-customer${customer === '' ? ' ad-card-customer--none' : ''}`}>
        <bdi>{customer || 'No customer'}</bdi>
      </div>
      {headline !== undefined && (
        <div className="ad-drag-overlay-headline" dir="auto">
          {headline}
        </div>
      )}
      <div className="ad-drag-overlay-tags">
        {type !== '' && (
          <Tag className="ad-card-type" minimal>
            <bdi>{type}</bdi>
          </Tag>
        )}
        <span className={`ad-drag-overlay-status ad-status--${alert.status}`}>{STATUS_WORDS[alert.status]}</span>
      </div>
      <div className={`ad-drag-overlay-target${target === undefined ? '' : ' ad-drag-overlay-target--set'}`}>
        <FolderCloseIcon size={14} />
        <span className="ad-drag-overlay-words">
          {target === undefined ? (
            'Drag to a folder'
          ) : (
            <>
              Move to <bdi>{target}</bdi>
            </>
          )}
        </span>
      </div>
    </div>,
    document.body,
  );
}
