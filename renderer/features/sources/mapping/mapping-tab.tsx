import { Button } from '@blueprintjs/core';
import { CaretLeftIcon, CaretRightIcon, DuplicateIcon, ErrorIcon, InboxIcon, TickIcon } from '@blueprintjs/icons';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import type { MappedField, Source } from '#backend/contract/source.ts';
import { deliveryQuery, getDeliveryPage } from '#renderer/features/sources/data/get-deliveries.ts';
import { DELIVERIES } from '#renderer/features/sources/data/get-sources.ts';
import { ChangedMeanwhileError, changeSource } from '#renderer/features/sources/data/source-commands.ts';
import { ChangedMeanwhile } from '#renderer/features/sources/shown/changed-meanwhile.tsx';
import { HeadlineCard } from '#renderer/features/sources/shown/headline-card.tsx';
import { linesOf, readJson } from '#renderer/lib/json-lines.ts';
import { isOfBody, lineAt, locate } from '#renderer/features/sources/shown/json-paths.ts';
import { senderOf } from '#renderer/features/sources/shown/sender-tile.tsx';
import { useCopy } from '#renderer/features/sources/shown/use-copy.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { EmptyState } from '#renderer/ui/empty-state.tsx';
import { useLeaveGuard } from '#renderer/ui/leave-guard.tsx';
import { UnsavedDialog } from '#renderer/ui/unsaved-dialog.tsx';
import { useDialog } from '#renderer/ui/use-dialog.ts';
import { DeliveryPicker } from './delivery-picker.tsx';
import { FieldRow } from './field-row.tsx';
import { HowPathsWork } from './how-paths-work.tsx';
import { JsonTree } from './json-tree.tsx';
import { MAPPED_FIELDS, MAPPED_LABELS, draftNote, fieldResult, mappingOf } from './mapping-draft.ts';
import { PasteDialog } from './paste-dialog.tsx';
import { type Sample, useDryRun } from './use-dry-run.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as fieldRowStyles from './field-row.module.css';
import * as styles from './mapping.module.css';
import { type MappingDraft, useMappingDraft } from './use-mapping-draft.ts';

/** How the fields of an alert are read from a source's deliveries, tried live on one of them. */
export function MappingTab({ source }: { source: Source }) {
  const { data: deliveries } = useQuery({
    // The first one that arrives is read at once.
    queryKey: [DELIVERIES, source.id, 'samples', source.lastDeliveryAt !== null],
    queryFn: async ({ signal }) => (await getDeliveryPage(source.id, {}, { limit: 30, signal })).rows,
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  });
  // Here, as the editor gives way to a notice and comes back.
  const editing = useMappingDraft(source.settings.mapping);
  const usable = useMemo(() => deliveries?.filter(({ size }) => size > 0), [deliveries]);
  const [pickedId, setPickedId] = useState<string>();
  const [pasted, setPasted] = useState<Sample['request']>();
  const pasting = useDialog();
  const id = pickedId ?? usable?.[0]?.id;
  const { data: delivery } = useQuery({ ...deliveryQuery(id ?? ''), enabled: id !== undefined && !pasted });
  const body = pasted ? pasted.body : delivery?.body;
  const sample = useMemo<Sample | undefined>(
    () => (pasted ? { request: pasted } : id === undefined ? undefined : { deliveryId: id }),
    [pasted, id],
  );
  const picker = (
    <DeliveryPicker
      deliveries={usable ?? []}
      chosen={pasted ? undefined : id}
      onChoose={(one) => {
        setPickedId(one);
        setPasted(undefined);
      }}
      onPaste={() => pasting.open(true)}
    />
  );
  return (
    <>
      {usable?.length === 0 && !pasted && editing.changed.length === 0 ? (
        <EmptyState
          icon={<InboxIcon size={40} />}
          title="Waiting for the first delivery…"
          text="A mapping is tested on a delivery. To start before the first one arrives, paste a request."
          action={<Button text="Paste a request…" onClick={() => pasting.open(true)} />}
        />
      ) : (
        <MappingEditor
          source={source}
          editing={editing}
          sample={sample}
          body={body ?? undefined}
          time={pasted ? undefined : delivery?.receivedAt}
          picker={picker}
        />
      )}
      {pasting.shown && <PasteDialog key={pasting.shown.key} presence={pasting.shown.presence} onPaste={setPasted} />}
    </>
  );
}

interface MappingEditorProps {
  source: Source;
  editing: MappingDraft;
  sample: Sample | undefined;
  body: string | undefined;
  time: string | undefined;
  picker: ReactNode;
}

function MappingEditor({ source, editing, sample, body, time, picker }: MappingEditorProps) {
  const { draft, changed, isOutdated, setPath, discard, keep, savedAs } = editing;
  const [place, setPlace] = useState(0);
  const [openedAt] = useState(() => new Date().toISOString());
  const { result, good, error, isCurrent } = useDryRun(source.id, sample, draft);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: () => changeSource(client, source, { settings: { mapping: mappingOf(draft) } }),
  });
  const toasts = useToasts();
  const { state: copyState, copy } = useCopy();
  const guard = useLeaveGuard(changed.length > 0);
  const isBuiltIn = (senderOf(source) ?? 'generic') !== 'generic';

  const events = good?.events ?? [];
  const shown = Math.min(place, Math.max(0, events.length - 1));
  const event = result?.events[shown] ?? events[shown];
  const root = useMemo(() => (body === undefined ? undefined : readJson(body)), [body]);
  const lines = useMemo(() => root && linesOf(root, false), [root]);
  const uses = useMemo(() => {
    const found = new Map<number, MappedField[]>();
    if (!root || !lines) return found;
    for (const field of MAPPED_FIELDS) {
      const own = draft[field];
      const rule = event?.origins.find((origin) => origin.field === field)?.path ?? '';
      const path = own === undefined || own === '' ? rule : own;
      const steps = path === '' || !isOfBody(path) ? undefined : locate(root, path, shown);
      const line = steps ? lineAt(lines, steps) : -1;
      if (line !== -1) found.set(line, [...(found.get(line) ?? []), field]);
    }
    return found;
  }, [root, lines, draft, event, shown]);

  const errors = MAPPED_FIELDS.filter((field) => draft[field] && result?.errors.some((one) => one.field === field));
  const note = draftNote(errors.length, changed.length);
  const save = (): void =>
    change.mutate(undefined, {
      onSuccess: ({ settings }) => {
        savedAs(settings.mapping);
        toasts.show({ intent: 'done', title: 'Mapping saved', description: 'It applies to deliveries from now on' });
      },
      onError: (failure) => {
        // The notice says it, beside what is to be decided.
        if (failure instanceof ChangedMeanwhileError) return;
        const { message: description } = failure;
        toasts.show({ variant: 'destructive', title: 'The mapping could not be saved', description });
      },
    });
  const [failing] = errors;
  return (
    <div className={styles.mapping}>
      <div className={styles.head}>
        <h2>Alert created by this mapping</h2>
        <span>
          live preview of the delivery below
          {failing !== undefined && `; ${MAPPED_LABELS[failing]} keeps its last result until it is fixed`}
        </span>
        {events.length > 1 && (
          <span className={styles.place}>
            <Button
              variant="minimal"
              icon={<CaretLeftIcon />}
              aria-label="Previous alert"
              disabled={shown === 0}
              onClick={() => setPlace(shown - 1)}
            />
            {shown + 1} of {events.length}
            <Button
              variant="minimal"
              icon={<CaretRightIcon />}
              aria-label="Next alert"
              disabled={shown === events.length - 1}
              onClick={() => setPlace(shown + 1)}
            />
          </span>
        )}
      </div>
      <section className={panelStyles.panel} aria-label="The alert">
        {events[shown] ? (
          <HeadlineCard event={events[shown]} time={time ?? openedAt} source={source.name} />
        ) : (
          <p className={styles.none}>
            {error?.message ?? result?.problem ?? result?.handshake ?? (sample ? 'No alert.' : 'Loading…')}
          </p>
        )}
      </section>
      <div className={styles.parts}>
        <section className={panelStyles.panel} aria-labelledby="ad-mapping-delivery">
          <div className={styles.panelHead}>
            <h2 id="ad-mapping-delivery">Delivery</h2>
            {picker}
            <Button
              variant="minimal"
              icon={copyState === 'copied' ? <TickIcon /> : <DuplicateIcon />}
              aria-label="Copy body"
              disabled={body === undefined}
              onClick={() => void copy(body ?? '')}
            />
          </div>
          {root && lines ? (
            <JsonTree root={root} lines={lines} alertIndex={shown} uses={uses} onUse={setPath} />
          ) : (
            <p className={styles.none}>{body === undefined ? 'Body no longer kept' : 'The body is not JSON.'}</p>
          )}
        </section>
        <section className={panelStyles.panel} aria-labelledby="ad-mapping-fields">
          <div className={styles.panelHead}>
            <h2 id="ad-mapping-fields">Fields</h2>
            <span className={styles.hint}>Empty fields are detected automatically.</span>
            <HowPathsWork />
          </div>
          <div className={`${fieldRowStyles.row} ${fieldRowStyles.row_head}`} aria-hidden>
            <span>Field</span>
            <span>Path in the delivery</span>
            <span>Result</span>
          </div>
          {MAPPED_FIELDS.map((field) => (
            <FieldRow
              key={field}
              field={field}
              path={draft[field]}
              event={event}
              result={fieldResult(
                field,
                result,
                event,
                (draft[field] ?? '').trim() !== '',
                source.settings.defaultCustomer !== null,
              )}
              isBuiltIn={isBuiltIn}
              onChange={(path) => setPath(field, path)}
            />
          ))}
          {isOutdated && (
            <ChangedMeanwhile
              text="Someone else saved the mapping in the meantime."
              onShowTheirs={discard}
              onKeepEditing={keep}
            />
          )}
          <div className={styles.foot}>
            <output className={styles.note}>
              {note.problem !== undefined && (
                <span className={styles.problem}>
                  <ErrorIcon /> {note.problem}
                </span>
              )}{' '}
              {note.text}
            </output>
            <Button text="Discard" disabled={changed.length === 0} onClick={discard} />
            <Button
              intent="primary"
              text={change.isPending ? 'Saving…' : 'Save mapping'}
              disabled={changed.length === 0 || errors.length > 0 || !isCurrent || isOutdated}
              onClick={save}
            />
          </div>
        </section>
      </div>
      <UnsavedDialog
        guard={guard}
        text={`${changed.length === 1 ? '1 change of the mapping is' : `${changed.length} changes of the mapping are`} not saved.`}
      />
    </div>
  );
}
