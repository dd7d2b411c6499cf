import { Button, Classes } from '@blueprintjs/core';
import { ExportIcon } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import type { FilterItem } from './filter-items.tsx';
import * as texts from './filter-texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './filter-sheet.module.css';

const GROUP = { role: 'group' };

interface FilterSheetProps {
  items: readonly FilterItem[];
  onExport: (() => void) | undefined;
  switches: ReactNode;
}

/** What a filter bar has no space for: the same filters, one below the other. */
export function FilterSheet({ items, onExport, switches }: FilterSheetProps) {
  return (
    <div className={styles.sheet} {...GROUP} aria-label={texts.moreFilters}>
      {items.map(({ key, node }) => (
        <div key={key} className={styles.row}>
          {node}
        </div>
      ))}
      {onExport && (
        <Button
          className={Classes.POPOVER_DISMISS}
          alignText="start"
          variant="minimal"
          icon={<ExportIcon />}
          text={pageTexts.exportAction}
          aria-haspopup="dialog"
          onClick={onExport}
        />
      )}
      {switches}
    </div>
  );
}
