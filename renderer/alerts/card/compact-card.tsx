import type { ReactNode } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { useCardFields } from '#renderer/alerts/search/hits.tsx';
import type { CardLayout } from './card-layout.ts';
import { AlertLead, AlertTime, headlineClass } from './card-parts.tsx';
import { FieldsZone } from './fields-zone.tsx';

interface CompactCardProps {
  alert: Alert;
  labelId: string;
  isNew?: boolean;
  /** What stands at the end: the one thing to do, or the status. */
  end: ReactNode;
}

/** A card without a title has its first fields in that place. */
const FIRST_FIELDS = 2;
const LAYOUT: CardLayout = { kind: 'compact', isComfortable: false, valueWidth: 0 };

/** An alert in two lines, beside the one that is open: the rest of it is there. */
export function CompactCard({ alert, labelId, isNew = false, end }: CompactCardProps) {
  const { shown } = useCardFields(alert);
  return (
    <div className={`ad-card ad-card--compact${headlineClass(alert)}`}>
      <AlertLead alert={alert} id={labelId} isNew={isNew && alert.title === null} />
      {alert.title === null && <FieldsZone fields={shown.slice(0, FIRST_FIELDS)} layout={LAYOUT} isLine />}
      <AlertTime alert={alert} isNew={isNew} isShort />
      <div className="ad-card-actions">{end}</div>
    </div>
  );
}
