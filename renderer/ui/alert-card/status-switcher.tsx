import { SegmentedControl } from '@blueprintjs/core';
import { workStatusSchema } from '#backend/contract/alert.ts';
import type { Alert, WorkStatus } from '#backend/contract/alert.ts';
import { STATUS_WORDS, WORK_STATUSES } from '#renderer/lib/alerts/status-words.ts';
import './status-switcher.css';

const OPTIONS = WORK_STATUSES.map((value) => ({
  value,
  label: STATUS_WORDS[value],
  icon: <span className="ad-status-dot" aria-hidden />,
  className: `ad-status--${value}`,
}));

interface StatusSwitcherProps {
  alert: Alert;
  labelId: string;
  onChange: (alert: Alert, status: WorkStatus) => void;
}

/** Accepted, In Progress, Completed: any from any. The active one carries its colour, dot and label. */
export function StatusSwitcher({ alert, labelId, onChange }: StatusSwitcherProps) {
  return (
    <div className="ad-card-status">
      <SegmentedControl
        className="ad-status"
        fill
        size="small"
        options={OPTIONS}
        value={alert.status}
        onValueChange={(value) => onChange(alert, workStatusSchema.parse(value))}
        aria-label="Status"
        aria-describedby={labelId}
      />
    </div>
  );
}
