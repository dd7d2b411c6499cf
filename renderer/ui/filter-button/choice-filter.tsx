import { MenuItem } from '@blueprintjs/core';
import { TickIcon } from '@blueprintjs/icons';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import { FilterButton, FilterLabel } from './filter-button.tsx';

interface ChoiceFilterProps<Value extends string> {
  /** What is filtered by, such as "Health", and what stands for no filter. */
  name: string;
  all: string;
  choices: readonly { value: Value; label: string }[];
  chosen: Value | undefined;
  onChoose: (value: Value | undefined) => void;
}

/** A filter by one of a few values. */
export function ChoiceFilter<Value extends string>(props: ChoiceFilterProps<Value>) {
  const { name, all, choices, chosen } = props;
  return (
    <FilterButton load={loadMenu<Value>} content={props} isSet={chosen !== undefined}>
      <FilterLabel name={name} value={choices.find(({ value }) => value === chosen)?.label ?? all} />
    </FilterButton>
  );
}

const loadMenu = async <Value extends string>() => ChoiceMenu<Value>;

function ChoiceMenu<Value extends string>({ name, all, choices, chosen, onChoose }: ChoiceFilterProps<Value>) {
  return (
    <MenuList label={name}>
      {[{ value: undefined, label: all }, ...choices].map(({ value, label }) => (
        <MenuItem
          key={label}
          role="menuitemradio"
          aria-checked={value === chosen}
          text={label}
          labelElement={value === chosen ? <TickIcon /> : undefined}
          onClick={() => onChoose(value)}
        />
      ))}
    </MenuList>
  );
}
