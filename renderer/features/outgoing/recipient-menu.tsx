import type { LadderRecipient } from '#backend/contract/ladder.ts';
import { FilteredMenu } from '#renderer/ui/menu/filtered-menu.tsx';

/** Somebody or something that a step can notify. */
export interface Choice {
  recipient: LadderRecipient;
  label: string;
  group: string;
}

export const keyOf = (recipient: LadderRecipient): string =>
  'id' in recipient ? `${recipient.kind} ${recipient.id}` : recipient.kind;

interface RecipientMenuProps {
  label: string;
  filterLabel: string;
  choices: readonly Choice[];
  onChoose: (recipient: LadderRecipient) => void;
}

/** Whom a step can notify besides. A menu: a select would add at each key that goes through its entries. */
export const RecipientMenu = ({ choices, onChoose, ...labels }: RecipientMenuProps) => (
  <FilteredMenu
    {...labels}
    entries={choices.map(({ recipient, label, group }) => ({
      key: keyOf(recipient),
      name: label,
      text: <bdi>{label}</bdi>,
      label: group,
      onSelect: () => onChoose(recipient),
    }))}
  />
);
