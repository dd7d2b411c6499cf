import { MenuDivider, MenuItem, PopupKind } from '@blueprintjs/core';
import { ArrowRightIcon, LinkIcon, MoreIcon, PauseIcon, PlayIcon, TrashIcon } from '@blueprintjs/icons';
import { memo } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { Heartbeat } from '#backend/contract/heartbeat.ts';
import { formatAgoInHours } from '#renderer/lib/ages.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatCardTime, formatExactTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { MenuList } from '#renderer/ui/menu/menu-list.tsx';
import { focusMenu } from '#renderer/ui/menu/use-menu-keys.ts';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
import { BeatStrip } from './beat-strip.tsx';
import { graceText, scheduleText } from './heartbeat-labels.ts';
import { HeartbeatMark } from './heartbeat-mark.tsx';
import { pathOfHeartbeat } from './heartbeats-data.ts';
import type { HeartbeatActions } from './use-heartbeat-actions.tsx';
import * as texts from './texts.tsx';
import * as tableStyles from '#renderer/features/sources/shown/table.module.css';
import * as styles from './heartbeats.module.css';

const DAY_MS = 24 * 60 * 60 * 1000;

interface HeartbeatRowProps {
  heartbeat: Heartbeat;
  /** What an administrator may do; undefined for others. */
  actions: HeartbeatActions | undefined;
}

/** A heartbeat: its name, how it stands, when it is expected, its last beats. The row leads to its page. */
export const HeartbeatRow = memo(function HeartbeatRow({ heartbeat, actions }: HeartbeatRowProps) {
  const { id, customer, lastBeatAt, beats } = heartbeat;
  const name = inertLine(heartbeat.name);
  return (
    <tr className={`${styles.row} ${tableStyles.row}`}>
      <td className={styles.names}>
        <Link className={`${styles.name} ${tableStyles.rowLink}`} to={pathOfHeartbeat(id)} dir="auto" data-tip={name}>
          {name}
        </Link>
        {customer !== null && <span className={styles.small}>{inertLine(customer)}</span>}
      </td>
      <td className={styles.stateCell}>
        <HeartbeatMark heartbeat={heartbeat} />
      </td>
      <td className={styles.expected}>
        <span>{scheduleText(heartbeat.schedule)}</span>
        <span className={styles.small}>{graceText(heartbeat)}</span>
      </td>
      <td className={styles.beats}>
        <BeatStrip name={heartbeat.name} beats={beats} />
      </td>
      <td className={styles.last}>
        {lastBeatAt === null ? (
          <span>{texts.never}</span>
        ) : (
          <>
            <time dateTime={lastBeatAt} data-tip={formatExactTime(new Date(lastBeatAt))} data-tip-always>
              {formatCardTime(new Date(lastBeatAt))}
            </time>
            <Ago time={lastBeatAt} />
          </>
        )}
      </td>
      <td className={styles.tools}>
        {actions && (
          <PopupButton
            placement="bottom-end"
            popupKind={PopupKind.MENU}
            onOpening={focusMenu}
            load={loadMenu}
            content={{ heartbeat, actions }}
            button={{
              className: styles.tool,
              variant: 'minimal',
              icon: <MoreIcon />,
              'aria-label': texts.actionsFor(name),
            }}
          />
        )}
      </td>
    </tr>
  );
});

function Ago({ time }: { time: string }) {
  const ago = useNow((now) => {
    const days = Math.floor((now.getTime() - Date.parse(time)) / DAY_MS);
    return days > 0 ? texts.daysAgo(days) : formatAgoInHours(new Date(time), now);
  });
  return ago === undefined ? null : <span className={styles.small}>{ago}</span>;
}

const loadMenu = async () => HeartbeatMenu;

function HeartbeatMenu({ heartbeat, actions }: { heartbeat: Heartbeat; actions: HeartbeatActions }) {
  const navigate = useNavigate();
  const isPaused = heartbeat.state === 'paused';
  return (
    <MenuList label={texts.actionsFor(heartbeat.name)}>
      <MenuItem
        icon={<ArrowRightIcon />}
        text={texts.open}
        onClick={() => void navigate(pathOfHeartbeat(heartbeat.id))}
      />
      <MenuItem
        icon={isPaused ? <PlayIcon /> : <PauseIcon />}
        text={isPaused ? texts.resume : texts.pause}
        onClick={() => actions.pause(heartbeat, !isPaused)}
      />
      <MenuItem icon={<LinkIcon />} text={texts.newAddress} onClick={() => actions.renew(heartbeat)} />
      <MenuDivider />
      <MenuItem
        icon={<TrashIcon />}
        intent="danger"
        text={texts.askToDelete}
        onClick={() => actions.remove(heartbeat)}
      />
    </MenuList>
  );
}
