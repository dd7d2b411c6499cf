import { ChevronRightIcon, KeyIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { countText } from '#backend/contract/count-text.ts';
import { unknownKeysQuery } from '#renderer/features/sources/data/get-unknown-keys.ts';
import { formatAgoInHours } from '#renderer/lib/ages.ts';
import { counted } from '#renderer/features/sources/shown/amounts.ts';
import { UNKNOWN_KEYS_PAGE } from '#renderer/features/sources/shown/source-addresses.ts';
import { sumOf } from '#renderer/features/sources/shown/sparkline-bars.ts';
import { Sparkline } from '#renderer/features/sources/shown/sparkline.tsx';
import { formatCardTime, formatExactTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import * as texts from './texts.tsx';
import * as tableStyles from '#renderer/features/sources/shown/table.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './source-row.module.css';
import * as sourcesStyles from '#renderer/features/sources/shown/sources.module.css';
import * as sourcesPageStyles from './sources-page.module.css';

/** Requests whose key belongs to no source, as a row that leads to them; nothing while there are none. */
export function UnknownKeysSheet() {
  const { data } = useQuery(unknownKeysQuery);
  const [latest] = data?.keys ?? [];
  const ago = useNow((now) => (latest ? formatAgoInHours(new Date(latest.lastAt), now) : undefined));
  if (!data || !latest) return null;
  const { deliveries } = sumOf(data.hours);
  const addresses = new Set(data.keys.map(({ remoteAddress }) => remoteAddress)).size;
  const keys = new Set(data.keys.map(({ key }) => key)).size;
  return (
    <table className={`${tableStyles.table} ${panelStyles.rows_sheet}`} aria-label={texts.unknownKeys}>
      <tbody>
        <tr className={`${styles.row} ${tableStyles.row}`}>
          <td className={styles.who}>
            <span className={`${sourcesStyles.sender} ${sourcesPageStyles.sender_outlined}`} aria-hidden>
              <KeyIcon />
            </span>
            <div className={styles.names}>
              <Link className={`${styles.name} ${tableStyles.rowLink}`} to={UNKNOWN_KEYS_PAGE}>
                {texts.unknownKeys}
              </Link>
              <span className={styles.sender}>{texts.requestsThatMatchNoSource}</span>
            </div>
          </td>
          <td className={styles.health}>
            <div className={sourcesPageStyles.unknownCount}>
              {texts.requestToday(<strong>{countText(data.requestsToday)}</strong>, data.requestsToday)}
            </div>
            <div className={styles.ago}>
              {texts.withKeysFromAddresses(counted(keys, 'key'), counted(addresses, 'address', 'addresses'))}
            </div>
          </td>
          <td className={styles.day}>
            <Sparkline hours={data.hours} />
            <span className={styles.count}>{countText(deliveries)}</span>
          </td>
          <td className={styles.last}>
            <time dateTime={latest.lastAt} data-tip={formatExactTime(new Date(latest.lastAt))} data-tip-always>
              {formatCardTime(new Date(latest.lastAt))}
            </time>
            {ago !== undefined && <span className={styles.ago}>{ago}</span>}
          </td>
          <td className={styles.refused}>
            <span className={styles.some}>{countText(data.requestsToday)}</span>
          </td>
          <td className={styles.tools}>
            <ChevronRightIcon className={sourcesPageStyles.sourceChevron} />
          </td>
        </tr>
      </tbody>
    </table>
  );
}
