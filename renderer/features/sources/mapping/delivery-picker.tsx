import { MenuDivider, MenuItem, PopupKind } from '@blueprintjs/core';
import { CaretDownIcon, TickIcon } from '@blueprintjs/icons';
import type { DeliverySummary } from '#backend/contract/delivery.ts';
import { formatMoment } from '#renderer/features/sources/shown/ages.ts';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';

interface DeliveryPickerProps {
  deliveries: readonly DeliverySummary[];
  /** The chosen delivery; undefined when a pasted request is. */
  chosen: string | undefined;
  onChoose: (id: string) => void;
  onPaste: () => void;
}

const loadMenu = async () => PickerMenu;

/** Which delivery the mapping is tried on. */
export function DeliveryPicker(picker: DeliveryPickerProps) {
  const { deliveries, chosen } = picker;
  const delivery = deliveries.find(({ id }) => id === chosen);
  return (
    <PopupButton
      placement="bottom-end"
      popupKind={PopupKind.MENU}
      onOpening={focusMenu}
      load={loadMenu}
      content={picker}
      button={{
        className: 'ad-filter',
        endIcon: <CaretDownIcon />,
        text: delivery ? formatMoment(new Date(delivery.receivedAt)) : 'Pasted request',
        'aria-label': `Delivery: ${delivery ? formatMoment(new Date(delivery.receivedAt)) : 'pasted request'}`,
      }}
    />
  );
}

function PickerMenu({ deliveries, chosen, onChoose, onPaste }: DeliveryPickerProps) {
  return (
    <MenuList label="Delivery" className="ad-picker-menu">
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
      <MenuItem text="Paste a request…" onClick={onPaste} />
    </MenuList>
  );
}
