import { Button } from '@blueprintjs/core';
import { PeopleIcon } from '@blueprintjs/icons';
import { useKeyHints } from '#renderer/alerts/keys/key-hints.tsx';
import { HAND_OVER_KEY, loadHandOver } from '#renderer/alerts/keys/destinations.ts';
import { useAsk } from '#renderer/ui/dialogs.tsx';
import * as styles from './hand-over-button.module.css';

/** Opens the dialog that hands the member's queue over. */
export function HandOverButton() {
  const ask = useAsk();
  const hints = useKeyHints();
  return (
    <Button
      icon={<PeopleIcon size={16} />}
      text="Hand over"
      className={styles.handOverButton}
      aria-label="Hand over"
      data-tip="Hand over"
      aria-haspopup="dialog"
      {...hints.aria(HAND_OVER_KEY)}
      onClick={() => ask(loadHandOver, {})}
    />
  );
}
