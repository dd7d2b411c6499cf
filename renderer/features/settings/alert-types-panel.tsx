import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { alertTypeMutesQuery, alertTypesQuery } from '#renderer/lib/mutes/get-alert-types.ts';
import { useMuteAlertType } from '#renderer/lib/mutes/mute-alert-type.ts';
import { useToasts } from '#renderer/lib/toast.ts';
import { LoadError } from '#renderer/ui/load-error.tsx';
import { Panel } from '#renderer/ui/panel/panel.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/rows-skeleton.tsx';
import { MuteRow } from './mute-row.tsx';
import { MuteRows } from './mute-rows.tsx';
import { SoundChoice } from './sound-choice.tsx';
import { useNamePages } from './use-name-pages.ts';

/** Alert Type Subscriptions: the types that the member is notified of. */
export function AlertTypesPanel() {
  const types = useInfiniteQuery(alertTypesQuery);
  const mutes = useQuery(alertTypeMutesQuery);
  const change = useChangeAlertType();
  const { names, total, loadMore } = useNamePages(types);
  const muted = useMemo(() => new Set(mutes.data), [mutes.data]);
  const error = types.error ?? mutes.error;

  return (
    <Panel title="Alert Type Subscriptions">
      {names && mutes.data ? (
        names.length === 0 ? (
          <p className="ad-settings-empty">No alert types yet</p>
        ) : (
          <MuteRows label="Alert types" rows={names} total={total} keyOf={(type) => type} loadMore={loadMore}>
            {(type, place) => (
              <MuteRow
                key={type}
                name={type}
                place={place}
                muted={muted.has(type)}
                onChange={(isMuted) => change(type, isMuted)}
                end={<SoundChoice alertType={type} />}
              >{`Desktop alerts ${muted.has(type) ? 'disabled' : 'enabled'} for this type`}</MuteRow>
            )}
          </MuteRows>
        )
      ) : error ? (
        <LoadError
          what="Alert types"
          error={error}
          onRetry={() => void Promise.all([types.refetch(), mutes.refetch()])}
        />
      ) : (
        <RowsSkeleton label="alert types" />
      )}
    </Panel>
  );
}

/** Mutes or unmutes a type, and says so. */
function useChangeAlertType(): (alertType: string, muted: boolean) => void {
  const { mutateAsync } = useMuteAlertType();
  const toasts = useToasts();
  return useCallback(
    (alertType, muted) => {
      mutateAsync({ alertType, muted }).then(
        () => toasts.show({ intent: 'done', title: muted ? 'Alert type muted' : 'Alert type unmuted' }),
        (error: Error) =>
          toasts.show({
            variant: 'destructive',
            title: `Failed to ${muted ? 'mute' : 'unmute'} alert type`,
            description: error.message,
          }),
      );
    },
    [mutateAsync, toasts],
  );
}
