import { SegmentedControl } from '@blueprintjs/core';
import { type AlertStatus, alertStatusSchema } from '#backend/contract/alert.ts';
import { STATUS_WORDS } from '#renderer/lib/alerts/status-words.ts';

const ALL = 'all';

const OPTIONS = [
  { value: ALL, label: 'All' },
  ...alertStatusSchema.options.map((value) => ({ value, label: STATUS_WORDS[value] })),
];

interface StatusFilterProps {
  status: AlertStatus | undefined;
  onChange: (status: AlertStatus | undefined) => void;
}

/** All, Pending, Accepted, In Progress, Completed. */
export function StatusFilter({ status, onChange }: StatusFilterProps) {
  return (
    <SegmentedControl
      className="ad-all-status"
      aria-label="Status"
      options={OPTIONS}
      value={status ?? ALL}
      onValueChange={(value) => onChange(value === ALL ? undefined : alertStatusSchema.parse(value))}
    />
  );
}
