import { Button } from '@blueprintjs/core';
import { ArrowUpIcon } from '@blueprintjs/icons';

/** "12 new alerts", over the list's top edge while that is out of sight (ux.md, "Storms"). */
export function NewAlertsPill({ count, onSelect }: { count: number; onSelect: () => void }) {
  if (count === 0) return null;
  return (
    <div className="ad-pill-place">
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
