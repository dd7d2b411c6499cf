import { Button } from '@blueprintjs/core';
import { KeyIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { SENDERS } from '#backend/contract/sender-marks.ts';
import { type UnknownKey, keyLabel, unknownKeysQuery } from '#renderer/features/sources/data/get-unknown-keys.ts';
import { formatAgoInHours } from '#renderer/lib/ages.ts';
import { formatDay } from '#renderer/lib/times.ts';
import { counted } from '#renderer/features/sources/shown/amounts.ts';
import { NEW_SOURCE_PAGE } from '#renderer/features/sources/shown/source-addresses.ts';
import { PathLine, TitleRow } from '#renderer/features/sources/shown/source-head.tsx';
import { useNow } from '#renderer/lib/use-now.ts';
import { EmptyState, LoadError } from '#renderer/ui/empty-state.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import * as texts from './texts.ts';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as sourceHeadStyles from '#renderer/features/sources/shown/source-head.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './unknown-keys.module.css';

/** Unknown keys: requests that belong to no source, one row for each key and address. */
export function UnknownKeysPage() {
  const { data, error, refetch } = useQuery(unknownKeysQuery);
  return (
    <div className={`${pageHeadStyles.page} ${sourceHeadStyles.sourcePage}`}>
      <PathLine steps={[]} />
      <TitleRow title={texts.unknownKeys}>
        <span className={sourceHeadStyles.titleFact}>{texts.requestsThatMatchNoSource}</span>
      </TitleRow>
      <div className={styles.body}>
        {data ? (
          data.keys.length > 0 ? (
            <ul className={`${panelStyles.rows} ${panelStyles.rows_sheet}`} aria-label={texts.unknownKeys}>
              {data.keys.map((row) => (
                <UnknownKeyRow key={`${row.way} ${row.key} ${row.path} ${row.remoteAddress}`} row={row} />
              ))}
            </ul>
          ) : (
            <EmptyState
              icon={<KeyIcon size={40} />}
              title={texts.noUnknownKeys}
              text={texts.requestsWhoseKeyMatchesNo}
            />
          )
        ) : error ? (
          <LoadError what={texts.unknownKeys} error={error} onRetry={() => void refetch()} />
        ) : (
          <RowsSkeleton label={texts.unknownKeysInText} isSheet />
        )}
      </div>
    </div>
  );
}

function UnknownKeyRow({ row }: { row: UnknownKey }) {
  const { remoteAddress, sender, requests, lastAt } = row;
  const key = keyLabel(row);
  const navigate = useNavigate();
  const last = new Date(lastAt);
  const ago = useNow((now) => formatAgoInHours(last, now) ?? formatDay(last, now));
  return (
    <li className={styles.row}>
      <div className={styles.who}>
        <code className={styles.key}>{key}</code>
        <span className={styles.note}>
          {texts.cameFrom(sender === null ? undefined : SENDERS[sender].name, remoteAddress)}
        </span>
      </div>
      <div className={styles.when}>
        <span>{counted(requests, 'request')}</span>
        <span className={styles.note}>{ago}</span>
      </div>
      <Button
        text={sourceTexts.createSource}
        aria-label={texts.createSourceForFrom(key, remoteAddress)}
        onClick={() => void navigate(`${NEW_SOURCE_PAGE}${sender === null ? '' : `?sender=${sender}`}`)}
      />
    </li>
  );
}
