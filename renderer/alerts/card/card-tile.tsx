import type { Alert } from '#backend/contract/alert.ts';
import { type Sender, SENDER_LETTERS } from '#backend/contract/sender.ts';
import classNames from 'classnames';
import * as styles from './card-tile.module.css';

/** The letters and the color of a sender, whose name stands beside them. */
export function CardTile({ sender }: Pick<Alert, 'sender'>) {
  const known = sender !== undefined && sender in SENDER_LETTERS ? (sender as Sender) : 'generic';
  return (
    <span
      className={classNames(styles.tile, styles[`tile_${known.split('-')[0]}`])}
      data-letters={SENDER_LETTERS[known]}
      aria-hidden
    />
  );
}
