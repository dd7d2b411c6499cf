import { SENDERS, type SenderMark } from '#backend/contract/sender-marks.ts';
import { SENDER_LETTERS, type Sender } from '#backend/contract/sender.ts';
import type { Source } from '#backend/contract/source.ts';
import classNames from 'classnames';
import * as texts from './texts.ts';
import * as styles from './sources.module.css';

/** The sender of a source: the one it is set to, else the one that its last delivery was recognised as. */
export function senderOf({ settings, recognisedAs }: Pick<Source, 'settings' | 'recognisedAs'>): Sender | null {
  return settings.adapter === 'auto' ? recognisedAs : settings.adapter;
}

/** What stands for a source whose sender is not known yet. */
const UNKNOWN: SenderMark = { name: texts.notDetectedYet };

/** The name of a sender. */
export const markOf = (sender: Sender | null): SenderMark => (sender === null ? UNKNOWN : SENDERS[sender]);

/** A sender's letters on a neutral square; its name stands beside it. */
export function SenderTile({ sender, isSmall = false }: { sender: Sender | null; isSmall?: boolean }) {
  return (
    <span className={classNames(styles.sender, isSmall && styles.sender_small)} aria-hidden>
      {sender === null ? '?' : SENDER_LETTERS[sender]}
    </span>
  );
}
