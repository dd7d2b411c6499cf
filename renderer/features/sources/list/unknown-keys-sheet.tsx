import { ChevronRightIcon, KeyIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { unknownKeysQuery } from '#renderer/features/sources/data/get-unknown-keys.ts';
import { formatAgoInHours } from '#renderer/features/sources/shown/ages.ts';
import { counted } from '#renderer/features/sources/shown/amounts.ts';
import { UNKNOWN_KEYS_PAGE } from '#renderer/features/sources/shown/source-addresses.ts';
import { sumOf } from '#renderer/features/sources/shown/sparkline-bars.ts';
import { Sparkline } from '#renderer/features/sources/shown/sparkline.tsx';
import { countText } from '#renderer/lib/badge-text.ts';
import { formatCardTime, formatExactTime } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import * as styles from '#renderer/ui/panel/panel.module.css';

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
    <table className={`ad-table ${styles.rows_sheet}`} aria-label="Unknown keys">
      <tbody>
        <tr className="ad-source-row ad-table-row">
          <td className="ad-source-who">
            <span className="ad-sender ad-sender--outlined" aria-hidden>
              <KeyIcon />
            </span>
            <div className="ad-source-names">
              <Link className="ad-source-name ad-row-link" to={UNKNOWN_KEYS_PAGE}>
                Unknown keys
              </Link>
              <span className="ad-source-sender">Requests that belong to no source</span>
            </div>
          </td>
          <td className="ad-source-health">
            <div className="ad-unknown-count">
              <strong>{countText(data.requestsToday)}</strong> {data.requestsToday === 1 ? 'request' : 'requests'} today
            </div>
            <div className="ad-source-ago">
              With {counted(keys, 'key')}, from {counted(addresses, 'address', 'addresses')}
            </div>
          </td>
          <td className="ad-source-day">
            <Sparkline hours={data.hours} />
            <span className="ad-source-count">{countText(deliveries)}</span>
          </td>
          <td className="ad-source-last">
            <time dateTime={latest.lastAt} data-tip={formatExactTime(new Date(latest.lastAt))} data-tip-always>
              {formatCardTime(new Date(latest.lastAt))}
            </time>
            {ago !== undefined && <span className="ad-source-ago">{ago}</span>}
          </td>
          <td className="ad-source-refused">
            <span className="ad-source-some">{countText(data.requestsToday)}</span>
          </td>
          <td className="ad-source-tools">
            <ChevronRightIcon className="ad-source-chevron" />
          </td>
        </tr>
      </tbody>
    </table>
  );
}
