import { Checkbox } from '@blueprintjs/core';
import * as texts from './texts.tsx';
import * as styles from './selection.module.css';

interface SelectBoxProps {
  /** Id of the element that names the card. */
  labelId: string;
  isSelected: boolean;
  /** Selects the card or takes that back; `isExtending` where Shift is held. */
  onToggle: (isExtending: boolean) => void;
}

/** The checkbox that selects a card. */
export const SelectBox = ({ labelId, isSelected, onToggle }: SelectBoxProps) => (
  <Checkbox
    className={styles.select}
    checked={isSelected}
    tabIndex={-1}
    aria-label={texts.select}
    aria-describedby={labelId}
    onChange={({ nativeEvent }) => onToggle(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
  />
);
