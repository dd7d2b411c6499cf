import { Button } from '@blueprintjs/core';
import { PeopleIcon } from '@blueprintjs/icons';
import { useKeyHints } from '#renderer/alerts/keys/key-hints.tsx';
import { HAND_OVER_KEY, loadHandOver } from '#renderer/alerts/keys/destinations.ts';
import { useAsk } from '#renderer/ui/dialogs.tsx';
import * as texts from './texts.ts';
import * as styles from './hand-over-button.module.css';

/** Opens the dialog that hands the member's queue over. */
export function HandOverButton() {
  const ask = useAsk();
  const hints = useKeyHints();
  return (
    <Button
      icon={<PeopleIcon size={16} />}
      text={texts.handOver}
      className={styles.handOverButton}
      aria-label={texts.handOver}
      data-tip={texts.handOver}
      aria-haspopup="dialog"
      {...hints.aria(HAND_OVER_KEY)}
      onClick={() => ask(loadHandOver, {})}
    />
  );
}
