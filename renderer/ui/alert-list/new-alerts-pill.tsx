import { Button } from '@blueprintjs/core';
import { ArrowUpIcon } from '@blueprintjs/icons';

interface NewAlertsPillProps {
  count: number;
  /** How far below the upper end of what scrolls it stands, in pixels. */
  top: number;
  onSelect: () => void;
}

/** "12 new alerts", over the list's top edge while that is out of sight. */
export function NewAlertsPill({ count, top, onSelect }: NewAlertsPillProps) {
  if (count === 0) return null;
  return (
    <div className="ad-pill-place" style={{ top }}>
      <Button
        className="ad-pill"
        intent="primary"
        icon={<ArrowUpIcon size={16} />}
        text={`${count} new ${count === 1 ? 'alert' : 'alerts'}`}
        onClick={onSelect}
      />
    </div>
  );
}
