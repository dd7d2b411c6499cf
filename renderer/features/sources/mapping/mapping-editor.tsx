import { Button } from '@blueprintjs/core';
import { CaretLeftIcon, CaretRightIcon, DuplicateIcon, ErrorIcon, TickIcon } from '@blueprintjs/icons';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { MappingPart } from '#backend/contract/mapping.ts';
import type { Source } from '#backend/contract/source.ts';
import { ChangedMeanwhileError, changeSource } from '#renderer/features/sources/data/source-commands.ts';
import { ChangedMeanwhile } from '#renderer/ui/changed-meanwhile/changed-meanwhile.tsx';
import { HeadlineCard } from '#renderer/features/sources/shown/headline-card.tsx';
import { linesOf, readJson } from '#renderer/lib/json-lines.ts';
import { isOfBody, lineAt, locate, pathOfRule, stepsOf } from '#renderer/features/sources/shown/json-paths.ts';
import { senderOf } from '#renderer/features/sources/shown/sender-tile.tsx';
import { useCopy } from '#renderer/features/sources/shown/use-copy.ts';
import { WhenLoaded, type WhenLoadedProps } from '#renderer/ui/panel/panel.tsx';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useFocusOfDisabled } from '#renderer/ui/keep-focus.ts';
import { LastingButton } from '#renderer/ui/lasting-button.tsx';
import { useLeaveGuard } from '#renderer/ui/leave-guard.tsx';
import { UnsavedDialog } from '#renderer/ui/unsaved-dialog.tsx';
import { ConditionRows } from './condition-rows.tsx';
import { FieldRow, ruleOf } from './field-row.tsx';
import { HowPathsWork } from './how-paths-work.tsx';
import { JsonTree } from './json-tree.tsx';
import {
  MAPPED_FIELDS,
  PART_LABELS,
  draftNote,
  fieldResult,
  mappingOf,
  missingParts,
  pathsIn,
  splitResult,
} from './mapping-draft.ts';
import { PastDeliveries } from './past-deliveries.tsx';
import { SplitRow } from './split-row.tsx';
import { type Sample, useDryRun, usePreview } from './use-dry-run.ts';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as fieldRowStyles from './field-row.module.css';
import * as styles from './mapping.module.css';
import type { MappingDraft } from './use-mapping-draft.ts';

interface MappingEditorProps {
  source: Source;
  editing: MappingDraft;
  sample: Sample | undefined;
  body: string | undefined;
  time: string | undefined;
  /** What is read for the body. */
  reads: WhenLoadedProps['queries'];
  picker: ReactNode;
  /** Chooses a stored delivery to try the mapping on. */
  onChoose: (deliveryId: string) => void;
}

/** What stands in place of an alert where there is nothing to try the mapping on. */
function withoutSample(reads: MappingEditorProps['reads']): string {
  if (reads.every(({ data }) => data !== undefined)) return sourceTexts.waitingForFirstDelivery;
  return reads.some(({ error }) => error !== null) ? pageTexts.couldNotBeLoaded : pageTexts.loading;
}

/** A draft of a mapping, with what it makes of one delivery, live, and of past ones. */
export function MappingEditor({ source, editing, sample, body, time, reads, picker, onChoose }: MappingEditorProps) {
  const { draft, changed, isOutdated, setPath, setTable, setConditions, discard, keep, savedAs } = editing;
  const [place, setPlace] = useState(0);
  const [openedAt] = useState(() => new Date().toISOString());
  const { result, good, error, isCurrent } = useDryRun(source.id, sample, draft);
  const preview = usePreview(source.id, draft, changed.length > 0);
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: () => changeSource(client, source, { settings: { mapping: mappingOf(draft) } }),
  });
  const toasts = useToasts();
  const { state: copyState, copy } = useCopy();
  const guard = useLeaveGuard(changed.length > 0);
  useFocusOfDisabled([changed.length]);
  const isBuiltIn = (senderOf(source) ?? 'generic') !== 'generic';

  const events = good?.events ?? [];
  const shown = Math.min(place, Math.max(0, events.length - 1));
  const event = result?.events[shown] ?? events[shown];
  const root = useMemo(() => (body === undefined ? undefined : readJson(body)), [body]);
  const lines = useMemo(() => root && linesOf(root, false), [root]);
  const split = useMemo(() => (draft.split ? stepsOf(draft.split) : undefined), [draft.split]);
  // Where conditions leave out every alert, it would have been an item of the list.
  const element = useMemo(
    () => (event ? stepsOf(event.element) : split ? [...split, String(shown)] : []),
    [event, split, shown],
  );
  const uses = useMemo(() => {
    const found = new Map<number, MappingPart[]>();
    if (!root || !lines) return found;
    const mark = (part: MappingPart, steps: string[] | undefined): void => {
      const line = steps ? lineAt(lines, steps) : -1;
      const parts = found.get(line) ?? [];
      if (line !== -1 && !parts.includes(part)) found.set(line, [...parts, part]);
    };
    for (const field of MAPPED_FIELDS) {
      const own = draft[field];
      const written = own === undefined || own === '' ? ruleOf(event, field) : own;
      for (const path of pathsIn(written)) {
        if (path !== '' && isOfBody(path)) mark(field, locate(root, path, element));
      }
    }
    for (const { path } of draft.noAlertWhen ?? []) {
      if (path !== '' && isOfBody(path)) mark('noAlertWhen', locate(root, path, element));
    }
    if (split) mark('split', split);
    return found;
  }, [root, lines, draft, event, element, split]);

  const errors = useMemo(() => [...missingParts(draft), ...(result?.errors ?? [])], [draft, result]);
  const note = draftNote(errors.length, changed.length);
  /** Known at once: a second press can be of a drawing in which nothing runs. */
  const isSaving = useRef(false);
  const save = (): void => {
    if (isSaving.current) return;
    isSaving.current = true;
    change.mutate(undefined, {
      onSuccess: ({ settings }) => {
        savedAs(settings.mapping);
        toasts.show({ intent: 'done', title: texts.mappingSaved, description: texts.itAppliesToDeliveriesFrom });
      },
      onError: (failure) => {
        // The notice says it, beside what is to be decided.
        if (failure instanceof ChangedMeanwhileError) return;
        const { message: description } = failure;
        toasts.show({ variant: 'destructive', title: texts.mappingCouldNotBeSaved, description });
      },
      onSettled: () => void (isSaving.current = false),
    });
  };
  const failing = errors[0]?.field;
  const isCardOld = failing !== undefined && failing !== 'noAlertWhen';
  return (
    <div className={styles.mapping}>
      <div className={styles.head}>
        <h2>{texts.alertCreatedByThisMapping}</h2>
        <span>{texts.livePreview(isCardOld ? PART_LABELS[failing] : undefined)}</span>
        {events.length > 1 && (
          <span className={styles.place}>
            <LastingButton
              variant="minimal"
              icon={<CaretLeftIcon />}
              aria-label={texts.previousAlert}
              isOff={shown === 0}
              onClick={() => setPlace(shown - 1)}
            />
            {texts.placeOfAll(shown + 1, events.length)}
            <LastingButton
              variant="minimal"
              icon={<CaretRightIcon />}
              aria-label={texts.nextAlert}
              isOff={shown === events.length - 1}
              onClick={() => setPlace(shown + 1)}
            />
          </span>
        )}
      </div>
      <section className={panelStyles.panel} aria-label={pageTexts.alert}>
        {events[shown] ? (
          <HeadlineCard event={events[shown]} time={time ?? openedAt} source={source.name} />
        ) : (
          <p className={styles.none}>
            {error?.message ??
              result?.problem ??
              result?.handshake ??
              result?.ignored ??
              (sample ? texts.noAlert : withoutSample(reads))}
          </p>
        )}
      </section>
      <div className={styles.parts}>
        <section className={panelStyles.panel} aria-labelledby="ad-mapping-delivery">
          <div className={styles.panelHead}>
            <h2 id="ad-mapping-delivery">{texts.delivery}</h2>
            {picker}
            <Button
              variant="minimal"
              icon={copyState === 'copied' ? <TickIcon /> : <DuplicateIcon />}
              aria-label={texts.copyBody}
              disabled={body === undefined}
              onClick={() => void copy(body ?? '')}
            />
          </div>
          <WhenLoaded what={sourceTexts.theDelivery} queries={reads}>
            {root && lines ? (
              <JsonTree root={root} lines={lines} element={element} uses={uses} onUse={setPath} />
            ) : (
              <p className={styles.none}>
                {!sample
                  ? sourceTexts.waitingForFirstDelivery
                  : body === undefined
                    ? sourceTexts.bodyNoLongerKept
                    : texts.bodyIsNotJson}
              </p>
            )}
          </WhenLoaded>
        </section>
        <section className={panelStyles.panel} aria-labelledby="ad-mapping-fields">
          <div className={styles.panelHead}>
            <h2 id="ad-mapping-fields">{texts.fields}</h2>
            <span className={styles.hint}>{texts.emptyFieldsAreDetectedAutomatically}</span>
            <HowPathsWork />
          </div>
          <div className={`${fieldRowStyles.row} ${fieldRowStyles.row_head}`} aria-hidden>
            <span>{texts.field}</span>
            <span>{texts.pathInDelivery}</span>
            <span>{texts.result}</span>
          </div>
          {MAPPED_FIELDS.map((field) => (
            <FieldRow
              key={field}
              field={field}
              path={draft[field]}
              event={event}
              rulePath={pathOfRule(root, ruleOf(event, field), element)}
              result={fieldResult(
                field,
                { errors },
                event,
                (draft[field] ?? '').trim() !== '',
                source.settings.defaultCustomer !== null,
              )}
              isBuiltIn={isBuiltIn}
              table={draft.values?.[field]}
              onChange={(path) => setPath(field, path)}
              onTable={(table) => setTable(field, table)}
            />
          ))}
          <SplitRow
            path={draft.split}
            result={splitResult(result, (draft.split ?? '').trim() !== '')}
            onChange={(path) => setPath('split', path)}
          />
          <ConditionRows
            conditions={draft.noAlertWhen ?? []}
            errors={errors.filter(({ field }) => field === 'noAlertWhen')}
            result={result}
            onChange={setConditions}
          />
          {isOutdated && (
            <ChangedMeanwhile text={texts.someoneElseSavedMappingIn} onShowTheirs={discard} onKeepEditing={keep} />
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
            <Button text={texts.discard} disabled={changed.length === 0} onClick={discard} />
            <Button
              intent="primary"
              text={change.isPending ? texts.saving : texts.saveMapping}
              aria-disabled={change.isPending || undefined}
              disabled={changed.length === 0 || errors.length > 0 || !isCurrent || isOutdated}
              onClick={save}
            />
          </div>
        </section>
      </div>
      <PastDeliveries
        preview={preview.data}
        error={preview.error}
        isChanged={changed.length > 0}
        isStale={preview.isFetching}
        onChoose={onChoose}
        onRetry={() => void preview.refetch()}
      />
      <UnsavedDialog guard={guard} text={texts.unsavedChanges(changed.length)} />
    </div>
  );
}
