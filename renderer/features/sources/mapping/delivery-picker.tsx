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
  onChoose: (id: string) => void;
  onPaste: () => void;
}

/** Which delivery the mapping is tried on. */
export function DeliveryPicker(picker: DeliveryPickerProps) {
  const { deliveries, chosen } = picker;
  const delivery = deliveries.find(({ id }) => id === chosen);
  const name = delivery && formatMoment(new Date(delivery.receivedAt));
  return (
    <FilterButton load={async () => PickerMenu} content={picker} label={texts.deliveryOf(name)}>
      {name ?? texts.pastedRequest}
    </FilterButton>
  );
}

function PickerMenu({ deliveries, chosen, onChoose, onPaste }: DeliveryPickerProps) {
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
