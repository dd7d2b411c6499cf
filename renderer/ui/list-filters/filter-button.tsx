import { PopupKind } from '@blueprintjs/core';
import { CaretDownIcon } from '@blueprintjs/icons';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';

export interface FilterButtonProps {
  name: string;
  /** What the field is called that finds an option among many. */
  filterLabel: string;
  options: readonly string[];
  /** The option that is set; absent means All. */
  value: string | undefined;
  onSelect: (value: string | undefined) => void;
  /** Receives what is typed to find an option, which may bring more options. */
  onType: (text: string) => void;
  /** More options are being looked for. */
  isSearching: boolean;
}

const loadMenu = async () => (await import('./filter-menu.tsx')).FilterMenu;

/** A filter of a list as a button that reads "Customer All" and opens its options. */
export function FilterButton(filter: FilterButtonProps) {
  const { name, value, onType } = filter;
  return (
    <PopupButton
      className="ad-filter-target"
      placement="bottom-end"
      popupKind={PopupKind.MENU}
      onOpening={focusMenu}
      onClosed={() => onType('')}
      load={loadMenu}
      content={filter}
      button={{
        className: `ad-filter${value === undefined ? '' : ' ad-filter--set'}`,
        endIcon: <CaretDownIcon />,
        children: (
          <>
            <span className="ad-filter-name">{name}</span>
            <span className="ad-filter-value">
              <bdi>{value === undefined ? 'All' : inertLine(value)}</bdi>
            </span>
          </>
        ),
      }}
    />
  );
}
