import type { ReactNode } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { useCardFields } from '#renderer/alerts/search/hits.tsx';
import type { CardLayout } from './card-layout.ts';
import { AlertArrival, AlertState, CardTitle, PlainLead, TitledWho, cardClass } from './card-parts.tsx';
import { FieldsZone } from './fields-zone.tsx';
import { SeverityMark } from './severity-mark.tsx';
import * as alertCardStyles from './alert-card.module.css';
import * as styles from './compact-card.module.css';

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
  const { title } = alert;
  return (
    <div className={cardClass(alert, 'compact')}>
      {title !== null && <SeverityMark severity={alert.severity} state={alert.state} />}
      <div className={styles.compactLine}>
        {title === null ? (
          <FieldsZone fields={shown.slice(0, FIRST_FIELDS)} layout={LAYOUT} isLine />
        ) : (
          <CardTitle alert={alert} title={title} id={labelId} />
        )}
        <AlertState alert={alert} isShort />
      </div>
      <div className={`${styles.compactLine} ${styles.compactLine_who}`}>
        {title === null ? <PlainLead alert={alert} id={labelId} isNew={isNew} /> : <TitledWho alert={alert} />}
        <AlertArrival alert={alert} isNew={isNew} />
      </div>
      <div className={alertCardStyles.actions}>{end}</div>
    </div>
  );
}
