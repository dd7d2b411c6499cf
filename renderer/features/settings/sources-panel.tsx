import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useChangeSource } from '#renderer/mutes/change-mutes.ts';
import { MuteRow, MuteRows } from '#renderer/mutes/mute-rows.tsx';
import { sourceMutesQuery, sourceNamesQuery, useEndsOf } from '#renderer/mutes/mutes.ts';
import { Panel, WhenLoaded } from '#renderer/ui/panel/panel.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.tsx';
import * as styles from './settings-page.module.css';

/** Source Subscriptions: the sources that the member is notified of. */
export function SourcesPanel() {
  const sources = useQuery(sourceNamesQuery);
  const mutes = useQuery(sourceMutesQuery);
  const change = useChangeSource();
  const ends = useEndsOf('source');
  const muted = useMemo(() => new Set(mutes.data?.map(({ sourceId }) => sourceId)), [mutes.data]);
  const rows = sources.data ?? [];

  return (
    <Panel title={texts.sourceSubscriptions}>
      <WhenLoaded what={common.sources} queries={[sources, mutes]}>
        {rows.length === 0 ? (
          <p className={styles.settingsEmpty}>{pageTexts.noSourcesYet}</p>
        ) : (
          <MuteRows label={common.sources} rows={rows} total={rows.length} keyOf={({ id }) => id} loadMore={undefined}>
            {({ id, name }, place) => (
              <MuteRow
                key={id}
                name={name}
                place={place}
                muted={muted.has(id)}
                until={ends.get(id)}
                onChange={(isMuted) => change(id, isMuted)}
              >
                {texts.desktopAlertsForThisSource(muted.has(id))}
              </MuteRow>
            )}
          </MuteRows>
        )}
      </WhenLoaded>
    </Panel>
  );
}
