import { Button } from '@blueprintjs/core';

/** "9 more": opens Extra Information. Nothing at all when nothing remains. */
export function MoreButton({ count, onSelect }: { count: number; onSelect: () => void }) {
  if (count === 0) return null;
  return (
    <Button
      className="ad-card-more"
      variant="minimal"
      aria-label={`Extra information, ${count} more ${count === 1 ? 'field' : 'fields'}`}
      aria-haspopup="dialog"
      onClick={onSelect}
      text={`${count} more`}
    />
  );
}
