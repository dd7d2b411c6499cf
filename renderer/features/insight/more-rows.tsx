import { Button } from '@blueprintjs/core';
import { leaveFocusToRows } from '#renderer/ui/keep-focus.ts';
import * as texts from './texts.ts';
import * as styles from './charts.module.css';

interface MoreRowsProps {
  /** How many rows are not shown yet. */
  left: number;
  onShow: () => void;
}

/** Shows the rest of a table, below which it stands. The focus goes to the last row so far if it goes before they come. */
export const MoreRows = ({ left, onShow }: MoreRowsProps) => (
  <span ref={leaveFocusToRows}>
    <Button className={styles.chartMore} variant="minimal" size="small" text={texts.moreRows(left)} onClick={onShow} />
  </span>
);
