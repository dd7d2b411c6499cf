import { Button, PopupKind } from '@blueprintjs/core';
import { ExportIcon, FilterIcon } from '@blueprintjs/icons';
import classNames from 'classnames';
import { type ReactNode, useRef } from 'react';
import type { AlertSort } from '#backend/contract/alert.ts';
import type { AlertListView } from '#renderer/alerts/data/list-view.ts';
import { useExport } from '#renderer/alerts/export/use-export.tsx';
import { MOBILE, useMediaQuery } from '#renderer/lib/use-media-query.ts';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
import { useFold } from './filter-fold.ts';
import { filterItems } from './filter-items.tsx';
import { useFilterOptions } from './filter-options.ts';
import type { ListFilterState } from './list-filter.ts';
import * as texts from './filter-texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as styles from './filter-bar.module.css';

const GROUP = { role: 'group' };

export interface FilterBarProps extends ListFilterState {
  /** The list that is filtered, which has the options. */
  list: Pick<AlertListView, 'list' | 'folderId' | 'completion'>;
  /** The orders that the list is offered in. By severity is offered where there are severities. */
  sorts: readonly AlertSort[];
  /** Whether parts of the search that have no menu are shown, too. */
  hasChips?: boolean;
  /** What is exported: the list as it is filtered, what it is called, and how many alerts it has. */
  exported: { view: AlertListView; title: string; total: number | undefined };
  /** Stands before the filters. */
  lead?: ReactNode;
  /** Stands at the bar's end. */
  children?: ReactNode;
  /** What a small screen has behind the button, below the filters. */
  switches?: ReactNode;
}

/**
 * What narrows and sorts a list, in one row that never wraps and is always as high. What does not fit goes, from the right,
 * behind one button that counts which of it is set. A small screen has the button alone.
 */
export function FilterBar(props: FilterBarProps) {
  const { list, filter, change, sorts, hasChips = false, exported, lead, children, switches } = props;
  const options = useFilterOptions(list, filter, sorts);
  const { open, dialog } = useExport(exported);
  const canExport = exported.total !== 0;
  const items = filterItems({ filter, change, options, isAll: list.list === 'all', hasChips });
  const parts = canExport ? [...items, { key: 'export', isSet: false, node: <ExportButton onClick={open} /> }] : items;
  const bar = useRef<HTMLDivElement>(null);
  const fitting = useFold(bar, parts.map(({ key }) => key).join(' '));
  const isSmall = useMediaQuery(MOBILE);
  const shown = isSmall ? 0 : Math.min(fitting, parts.length);
  const folded = items.slice(shown);
  const active = folded.filter(({ isSet }) => isSet).length;
  const hasButton = shown < parts.length || (isSmall && switches !== undefined);
  return (
    <div ref={bar} className={styles.bar} {...GROUP} aria-label={texts.filters}>
      {lead !== undefined && <div className={styles.lead}>{lead}</div>}
      {parts.map(({ key, node }, at) => (
        <div key={key} className={classNames(styles.item, at >= shown && styles.item_folded)}>
          {node}
        </div>
      ))}
      <div className={classNames(styles.fold, !hasButton && styles.item_folded)}>
        <PopupButton
          placement={isSmall ? 'bottom-end' : 'bottom-start'}
          popupKind={PopupKind.DIALOG}
          load={loadSheet}
          content={{ items: folded, onExport: canExport ? open : undefined, switches: isSmall && switches }}
          button={{
            className: classNames(active > 0 && styles.foldButton_set),
            icon: <FilterIcon />,
            children: (
              <>
                <span className={styles.foldText}>{texts.filter}</span>
                {active > 0 && (
                  <>
                    {' '}
                    <span className={styles.foldCount}>{active}</span>
                    <span className="ad-hidden"> {texts.set}</span>
                  </>
                )}
              </>
            ),
          }}
        />
      </div>
      {children !== undefined && <div className={styles.end}>{children}</div>}
      {dialog}
    </div>
  );
}

const loadSheet = async () => (await import('./filter-sheet.tsx')).FilterSheet;

function ExportButton({ onClick }: { onClick: () => void }) {
  return (
    <Button
      variant="minimal"
      icon={<ExportIcon />}
      aria-label={pageTexts.exportAction}
      aria-haspopup="dialog"
      data-tip={pageTexts.exportAction}
      onClick={onClick}
    />
  );
}
