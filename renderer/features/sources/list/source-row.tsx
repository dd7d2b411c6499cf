import { Button, PopupKind } from '@blueprintjs/core';
import { LinkIcon, MoreIcon } from '@blueprintjs/icons';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import type { Source } from '#backend/contract/source.ts';
import { formatAgoInHours } from '#renderer/lib/ages.ts';
import { HealthLabel } from '#renderer/features/sources/shown/dot-labels.tsx';
import { SenderTile } from '#renderer/features/sources/shown/sender-tile.tsx';
import { SourceMenu } from '#renderer/features/sources/shown/source-menu.tsx';
import { pageOf } from '#renderer/features/sources/shown/source-addresses.ts';
import { markOf, senderOf } from '#renderer/features/sources/shown/sender-tile.tsx';
import { sumOf } from '#renderer/features/sources/shown/sparkline-bars.ts';
import { Sparkline } from '#renderer/features/sources/shown/sparkline.tsx';
import type { SourceActions } from '#renderer/features/sources/shown/use-source-actions.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatCardTime, formatExactTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
import classNames from 'classnames';
import { countText } from '#backend/contract/count-text.ts';
import * as texts from './texts.tsx';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as tableStyles from '#renderer/features/sources/shown/table.module.css';
import * as styles from './source-row.module.css';

const loadMenu = async () => SourceMenu;

/** A source: who it is, how it is doing, its last day, its last delivery. The row leads to its page. */
export const SourceRow = memo(function SourceRow({ source, actions }: { source: Source; actions: SourceActions }) {
  const sender = senderOf(source);
  const name = inertLine(source.name);
  const { deliveries } = sumOf(source.hours);
  const { health, lastDeliveryAt, refusedToday } = source;
  const isQuiet = health.state === 'ok' && lastDeliveryAt !== null;
  return (
    <tr className={`${styles.row} ${tableStyles.row}`}>
      <td className={styles.who}>
        <SenderTile sender={sender} />
        <div className={styles.names}>
          <Link className={`${styles.name} ${tableStyles.rowLink}`} to={pageOf(source.id)} dir="auto" data-tip={name}>
            {name}
          </Link>
          <span className={styles.sender}>{markOf(sender).name}</span>
        </div>
      </td>
      <td className={styles.health}>
        <HealthLabel source={source} />
        {isQuiet && <LastAgo className={styles.phoneAgo} time={lastDeliveryAt} />}
      </td>
      <td className={styles.day}>
        <Sparkline hours={source.hours} />
        <span className={classNames(styles.count, deliveries === 0 && styles.none)}>{countText(deliveries)}</span>
      </td>
      <td className={styles.last}>
        {lastDeliveryAt === null ? (
          <span className={styles.none}>{texts.never}</span>
        ) : (
          <>
            <time dateTime={lastDeliveryAt} data-tip={formatExactTime(new Date(lastDeliveryAt))} data-tip-always>
              {formatCardTime(new Date(lastDeliveryAt))}
            </time>
            <LastAgo time={lastDeliveryAt} />
          </>
        )}
      </td>
      <td className={styles.refused}>
        <span className={refusedToday === 0 ? styles.none : health.state === 'refusing' ? styles.many : styles.some}>
          {countText(refusedToday)}
        </span>
      </td>
      <td className={styles.tools}>
        <Button
          className={`${styles.tool} ${styles.quiet}`}
          variant="minimal"
          icon={<LinkIcon />}
          aria-label={texts.copyAddressOf(name)}
          data-tip={sourceTexts.copyAddress}
          data-tip-always
          onClick={() => actions.copyAddress()}
        />
        <PopupButton
          placement="bottom-end"
          popupKind={PopupKind.MENU}
          onOpening={focusMenu}
          load={loadMenu}
          content={{ source, actions, isInList: true }}
          button={{
            className: styles.tool,
            variant: 'minimal',
            icon: <MoreIcon />,
            'aria-label': texts.actionsFor(name),
          }}
        />
      </td>
    </tr>
  );
});

function LastAgo({ time, className = '' }: { time: string; className?: string }) {
  const ago = useNow((now) => formatAgoInHours(new Date(time), now));
  return ago === undefined ? null : <span className={`${styles.ago} ${className}`}>{ago}</span>;
}
