import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useChangeSource } from '#renderer/mutes/change-mutes.ts';
import { MuteRow, MuteRows } from '#renderer/mutes/mute-rows.tsx';
import { sourceMutesQuery, sourceNamesQuery, useEndsOf } from '#renderer/mutes/mutes.ts';
import { Panel, WhenLoaded } from '#renderer/ui/panel/panel.tsx';
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
    <Panel title="Source Subscriptions">
      <WhenLoaded what="Sources" queries={[sources, mutes]}>
        {rows.length === 0 ? (
          <p className={styles.settingsEmpty}>No sources yet</p>
        ) : (
          <MuteRows label="Sources" rows={rows} total={rows.length} keyOf={({ id }) => id} loadMore={undefined}>
            {({ id, name }, place) => (
              <MuteRow
                key={id}
                name={name}
                place={place}
                muted={muted.has(id)}
                until={ends.get(id)}
                onChange={(isMuted) => change(id, isMuted)}
              >{`Desktop alerts ${muted.has(id) ? 'disabled' : 'enabled'} for this source`}</MuteRow>
            )}
          </MuteRows>
        )}
      </WhenLoaded>
    </Panel>
  );
}
