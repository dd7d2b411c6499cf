import { SegmentedControl } from '@blueprintjs/core';
import { type Alert, workStatusSchema } from '#backend/contract/alert.ts';
import { statusChange } from '#renderer/alerts/actions/changes.ts';
import type { Actions } from '#renderer/alerts/actions/change-alert.ts';
import { STATUS_LABELS, WORK_STATUSES } from '#renderer/alerts/data/alert-labels.ts';
import { StatusDot } from './card-parts.tsx';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './queue-card.module.css';
import * as statusStyles from './status.module.css';
import * as statusSwitcherStyles from './status-switcher.module.css';

const OPTIONS = WORK_STATUSES.map((value) => ({
  value,
  label: STATUS_LABELS[value],
  icon: <StatusDot />,
  className: statusStyles[`status_${value}`],
}));

interface StatusSwitcherProps {
  alert: Alert;
  actions: Actions;
  labelId: string;
}

/** Accepted, In Progress, Completed: any from any. The active one carries its colour, dot and label. */
export function StatusSwitcher({ alert, actions, labelId }: StatusSwitcherProps) {
  return (
    <div className={styles.status}>
      <SegmentedControl
        className={statusSwitcherStyles.status}
        fill
        size="small"
        options={OPTIONS}
        value={alert.status}
        onValueChange={(value) => actions.change(alert, statusChange(workStatusSchema.parse(value)))}
        aria-label={pageTexts.status}
        aria-describedby={labelId}
      />
    </div>
  );
}
