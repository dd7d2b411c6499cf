import { Button } from '@blueprintjs/core';
import { InboxIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import type { Source } from '#backend/contract/source.ts';
import { deliveryQuery, getDeliveryPage } from '#renderer/features/sources/data/get-deliveries.ts';
import { DELIVERIES } from '#renderer/features/sources/data/get-sources.ts';
import { formatMoment } from '#renderer/features/sources/shown/ages.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { DeliveryPicker } from './delivery-picker.tsx';
import { MappingEditor } from './mapping-editor.tsx';
import { PasteDialog } from './paste-dialog.tsx';
import type { Sample } from './use-dry-run.ts';
import { useMappingDraft } from './use-mapping-draft.ts';
import * as texts from './texts.ts';
import * as sourceTexts from '#renderer/features/sources/texts.ts';

/** How the fields of an alert are read from a source's deliveries, tried live on one of them. */
export function MappingTab({ source }: { source: Source }) {
  const deliveries = useQuery({
    queryKey: [DELIVERIES, 'samples', source.id],
    queryFn: async ({ signal }) => (await getDeliveryPage(source.id, {}, { limit: 30, signal })).rows,
    refetchOnMount: 'always',
  });
  // Here, as the editor gives way to a notice and comes back.
  const editing = useMappingDraft(source.settings.mapping);
  const usable = useMemo(() => deliveries.data?.filter(({ size }) => size > 0), [deliveries.data]);
  const isWaiting = usable?.length === 0;
  const logged = source.log.deliveries;
  const { refetch } = deliveries;
  // The first one that can be read is shown as soon as the log has it, which is later than its sender counts as in use.
  useEffect(() => {
    if (isWaiting && logged > 0) void refetch();
  }, [isWaiting, logged, refetch]);
  const [pickedId, setPickedId] = useState<string>();
  const [pasted, setPasted] = useState<Sample['request']>();
  const pasting = useDialog();
  const id = pickedId ?? usable?.[0]?.id;
  const delivery = useQuery({ ...deliveryQuery(id ?? ''), enabled: id !== undefined && !pasted });
  const body = pasted ? pasted.body : delivery.data?.body;
  const time = pasted ? undefined : (delivery.data ?? usable?.find((one) => one.id === id))?.receivedAt;
  const sample = useMemo<Sample | undefined>(
    () => (pasted ? { request: pasted } : id === undefined ? undefined : { deliveryId: id }),
    [pasted, id],
  );
  const choose = (one: string): void => {
    setPickedId(one);
    setPasted(undefined);
  };
  const picker = (
    <DeliveryPicker
      deliveries={usable ?? []}
      chosen={pasted ? undefined : id}
      name={pasted ? texts.pastedRequest : time && formatMoment(new Date(time))}
      onChoose={choose}
      onPaste={() => pasting.open(true)}
    />
  );
  return (
    <>
      {isWaiting && !pasted && editing.changed.length === 0 ? (
        <EmptyState
          icon={<InboxIcon size={40} />}
          title={sourceTexts.waitingForFirstDelivery}
          text={texts.mappingIsTestedOnDelivery}
          action={<Button text={texts.pasteRequest} onClick={() => pasting.open(true)} />}
        />
      ) : (
        <MappingEditor
          source={source}
          editing={editing}
          sample={sample}
          body={body ?? undefined}
          time={time}
          reads={pasted ? [] : id === undefined ? [deliveries] : [deliveries, delivery]}
          picker={picker}
          onChoose={choose}
        />
      )}
      {pasting.shown && <PasteDialog key={pasting.shown.key} presence={pasting.shown.presence} onPaste={setPasted} />}
    </>
  );
}
