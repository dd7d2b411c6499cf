import type { ReactNode } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import { shortStateOf } from '#renderer/alerts/data/problem-labels.ts';
import type { CardLayout } from './card-layout.ts';
import { AlertArrival, AlertState, CardLead, CardTitle, NewDot, cardClass } from './card-parts.tsx';
import { SeverityMark } from './severity-mark.tsx';
import * as alertCardStyles from './alert-card.module.css';
import * as styles from './compact-card.module.css';

interface CompactCardProps {
  alert: Alert;
  layout: CardLayout;
  labelId: string;
  isNew: boolean;
  /** What stands at the end: the one thing to do, or the status. */
  end: ReactNode;
}

/** An alert in two lines, beside the one that is open: the rest of it is there. */
export const CompactCard = ({ alert, layout, labelId, isNew, end }: CompactCardProps) => (
  <div className={cardClass(alert, layout)}>
    <SeverityMark severity={alert.severity} state={alert.state} />
    <CardTitle alert={alert} id={labelId} isNew={isNew}>
      <span className={styles.end}>
        <AlertState alert={alert} stateOf={shortStateOf} />
      </span>
    </CardTitle>
    <CardLead alert={alert} />
    <div className={styles.when}>
      {isNew && <NewDot />}
      <AlertArrival alert={alert} />
    </div>
    <div className={alertCardStyles.main}>{end}</div>
  </div>
);
