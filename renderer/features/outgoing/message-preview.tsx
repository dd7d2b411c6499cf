import { Button, HTMLSelect } from '@blueprintjs/core';
import { SendMessageIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import {
  type DestinationDraft,
  OUTGOING_EVENTS,
  type OutgoingEvent,
  type OutgoingTestResult,
} from '#backend/contract/outgoing.ts';
import { inertText } from '#renderer/lib/inert-text.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx';
import classNames from 'classnames';
import { previewQuery, useOutgoingCommands, useTestDestination } from './outgoing-data.ts';
import { EVENT_LABELS } from './outgoing-labels.ts';
import * as texts from './destinations-texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';

/** How long nothing must be written before the preview is made again, in milliseconds. */
const PAUSE_MS = 400;

/** Tries a destination with a real alert, and shows what it would be sent: drawn from the very message. */
export function MessagePreview({ draft, isReady }: { draft: Partial<DestinationDraft>; isReady: boolean }) {
  const [event, setEvent] = useState<OutgoingEvent>('new');
  const [result, setResult] = useState<OutgoingTestResult>();
  const test = useTestDestination();
  const { readAgain } = useOutgoingCommands();
  const wanted = JSON.stringify({ ...draft, event });
  const settled = useSettled(wanted, PAUSE_MS);
  const { data: preview, error } = useQuery({
    ...previewQuery(JSON.parse(settled) as Partial<DestinationDraft>),
    enabled: isReady,
  });
  const selectId = useId();
  const send = async (): Promise<void> => {
    setResult(undefined);
    const sent = await test
      .mutateAsync({ ...draft, event })
      .catch((failed: unknown) => ({ isDelivered: false, durationMs: 0, message: messageOf(failed) }));
    setResult(sent);
    await readAgain();
  };
  return (
    <section className={panelStyles.panel} aria-label={texts.test}>
      <div className={styles.previewHead}>
        <h2 className={styles.sheetTitle}>{texts.test}</h2>
        <label htmlFor={selectId} className="ad-hidden">
          {texts.whatHappensToAlert}
        </label>
        <HTMLSelect
          id={selectId}
          value={event}
          options={OUTGOING_EVENTS.map((value) => ({ value, label: EVENT_LABELS[value] }))}
          onChange={({ currentTarget }) => setEvent(currentTarget.value as OutgoingEvent)}
        />
        <Button
          icon={<SendMessageIcon />}
          text={texts.sendTestMessage}
          disabled={!isReady}
          loading={test.isPending}
          onClick={() => void send()}
        />
      </div>
      <output
        className={classNames(styles.result, result && !result.isDelivered && styles.result_failed)}
        hidden={!result}
      >
        {result?.message}
      </output>
      <div className={styles.previewBody}>
        <h3 className={styles.previewTitle}>{texts.whatPeopleSee}</h3>
        {error && isReady && <p className={styles.missing}>{error.message}</p>}
        {preview ? (
          <>
            <div className={styles.message}>
              <strong dir="auto">{inertText(preview.title)}</strong>
              {preview.lines.map((line) => (
                <p key={line} dir="auto">
                  {inertText(line)}
                </p>
              ))}
              <dl>
                {preview.fields.map(({ name, value }) => (
                  <div key={name}>
                    <dt dir="auto">{inertText(name)}</dt>
                    <dd dir="auto">{inertText(value)}</dd>
                  </div>
                ))}
              </dl>
            </div>
            <h3 className={styles.previewTitle}>{texts.whatIsSent}</h3>
            <ScrollRegion className={styles.body} label={texts.whatIsSent}>
              <pre dir="ltr">{inertText(preview.body)}</pre>
            </ScrollRegion>
            <p className={styles.hint}>{preview.alertId === null ? texts.madeUp : texts.drawnFromNewest}</p>
          </>
        ) : (
          !error && <p className={styles.hint}>{texts.fillInSettings}</p>
        )}
      </div>
    </section>
  );
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
