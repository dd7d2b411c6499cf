import { Button } from '@blueprintjs/core';
import { useState } from 'react';
import { ExtraInformationDialog } from '#renderer/ui/extra-information/extra-information-dialog.tsx';
import type { AlertField } from './card-fields.ts';

/** "9 more": opens Extra Information. Nothing at all when nothing remains. */
export function MoreButton({ fields }: { fields: readonly AlertField[] }) {
  const [isOpen, setOpen] = useState(false);
  if (fields.length === 0) return null;
  const name = `Extra information, ${fields.length} more ${fields.length === 1 ? 'field' : 'fields'}`;
  return (
    <>
      <Button
        className="ad-card-more"
        variant="minimal"
        aria-label={name}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        text={`${fields.length} more`}
      />
      {isOpen && <ExtraInformationDialog fields={fields} onClose={() => setOpen(false)} />}
    </>
  );
}
