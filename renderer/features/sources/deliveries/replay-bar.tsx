import { Button, Checkbox } from '@blueprintjs/core';
import { RepeatIcon } from '@blueprintjs/icons';
import { useState } from 'react';
import { countText } from '#renderer/lib/badge-text.ts';
import * as texts from './texts.ts';
import * as filterButtonStyles from '#renderer/ui/filter-button/filter-button.module.css';
import * as styles from './replay-bar.module.css';

interface ReplayBarProps {
  count: number;
  /** The time that the selection covers. */
  span: string;
  isBusy: boolean;
  onClear: () => void;
  onReplay: (notify: boolean) => void;
}

/** What can be done with the selected deliveries. */
export function ReplayBar({ count, span, isBusy, onClear, onReplay }: ReplayBarProps) {
  const [notify, setNotify] = useState(false);
  return (
    <div className={styles.place}>
      <section className={styles.replay} aria-label={texts.countSelected(count)}>
        <output>
          <strong>{texts.selected(countText(count))}</strong> <span className={styles.span}>{span}</span>
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
          text={isBusy ? texts.replaying : texts.replayCount(countText(count))}
          aria-disabled={isBusy || undefined}
          onClick={() => !isBusy && onReplay(notify)}
        />
      </section>
    </div>
  );
}
