import { Button, Checkbox } from '@blueprintjs/core';
import { RepeatIcon } from '@blueprintjs/icons';
import { useState } from 'react';
import { countText } from '#backend/contract/count-text.ts';
import { leaveFocus } from './delivery-table.tsx';
import * as texts from './texts.ts';
import * as filterButtonStyles from '#renderer/ui/filter-button/filter-button.module.css';
import * as styles from './replay-bar.module.css';

interface ReplayBarProps {
  /** Undefined while it is being read. */
  count: number | undefined;
  /** The time that the selection covers. */
  span: string;
  isBusy: boolean;
  onClear: () => void;
  onReplay: (notify: boolean) => void;
}

/** What can be done with the selected deliveries. */
export function ReplayBar({ count, span, isBusy, onClear, onReplay }: ReplayBarProps) {
  const [notify, setNotify] = useState(false);
  const isReady = !isBusy && count !== undefined;
  return (
    <div ref={leaveFocus} className={styles.place}>
      <section
        className={styles.replay}
        aria-label={count === undefined ? texts.selecting : texts.countSelected(count)}
      >
        <output>
          <strong>{count === undefined ? texts.selecting : texts.selected(countText(count))}</strong>{' '}
          <span className={styles.span}>{span}</span>
        </output>
        <span className={filterButtonStyles.rule} />
        <Checkbox
          className={styles.notify}
          label={texts.notifyPeopleAgain}
          checked={notify}
          onChange={({ currentTarget }) => setNotify(currentTarget.checked)}
        />
        <Button variant="minimal" text={texts.clear} onClick={onClear} />
        <Button
          intent="primary"
          icon={<RepeatIcon />}
          text={isBusy ? texts.replaying : texts.replayCount(count === undefined ? '' : countText(count))}
          aria-disabled={!isReady || undefined}
          onClick={() => isReady && onReplay(notify)}
        />
      </section>
    </div>
  );
}
