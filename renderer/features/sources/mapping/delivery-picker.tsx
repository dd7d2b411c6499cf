import { MenuDivider, MenuItem } from '@blueprintjs/core';
import { TickIcon } from '@blueprintjs/icons';
import type { DeliverySummary } from '#backend/contract/delivery.ts';
import { formatMoment } from '#renderer/features/sources/shown/ages.ts';
import { FilterButton } from '#renderer/ui/filter-button/filter-button.tsx';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import * as texts from './texts.ts';
import * as styles from './mapping.module.css';

interface DeliveryPickerProps {
  deliveries: readonly DeliverySummary[];
  /** The chosen delivery; undefined when a pasted request is. */
  chosen: string | undefined;
  /** What the mapping is tried on, in words; undefined while that is not known. */
  name: string | undefined;
  onChoose: (id: string) => void;
  onPaste: () => void;
}

/** Which delivery the mapping is tried on. */
export function DeliveryPicker(picker: DeliveryPickerProps) {
  const { name } = picker;
  return (
    <FilterButton
      load={async () => PickerMenu}
      content={picker}
      label={name === undefined ? texts.delivery : texts.deliveryOf(name)}
    >
      {name ?? texts.delivery}
    </FilterButton>
  );
}

function PickerMenu({ deliveries, chosen, onChoose, onPaste }: Omit<DeliveryPickerProps, 'name'>) {
  return (
    <MenuList label={texts.delivery} className={styles.pickerMenu}>
      {deliveries.map(({ id, receivedAt, summary }) => (
        <MenuItem
          key={id}
          role="menuitemradio"
          aria-checked={id === chosen}
          text={`${formatMoment(new Date(receivedAt))} ${inertLine(summary)}`}
          labelElement={id === chosen ? <TickIcon /> : undefined}
          onClick={() => onChoose(id)}
        />
      ))}
      {deliveries.length > 0 && <MenuDivider />}
      <MenuItem text={texts.pasteRequest} onClick={onPaste} />
    </MenuList>
  );
}
