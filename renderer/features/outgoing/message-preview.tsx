import { Button, HTMLSelect, PopupKind } from '@blueprintjs/core';
import { CaretDownIcon, SendMessageIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import {
  type DestinationDraft,
  OUTGOING_EVENTS,
  type OutgoingEvent,
  type OutgoingPreview,
} from '#backend/contract/outgoing.ts';
import { type OutgoingTestResult } from '#backend/contract/outgoing-test.ts';
import { isTicketSystem } from '#backend/contract/ticket.ts';
import { alertTitle } from '#renderer/alerts/data/alert-labels.ts';
import { inertText } from '#renderer/lib/inert-text.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import { PopupButton } from '#renderer/ui/popup-button/popup-button.tsx';
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx';
import classNames from 'classnames';
import { PREVIEW_PAUSE_MS, previewQuery, useOutgoingCommands, useTestDestination } from './outgoing-data.ts';
import { EVENT_LABELS } from './outgoing-labels.ts';
import { testTicket } from './ticket-texts.ts';
import * as texts from './destinations-texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './outgoing.module.css';

interface MessagePreviewProps {
  draft: Partial<DestinationDraft>;
  /** Of what is stored; undefined of a new one. The draft has only what differs from that. */
  version: number | undefined;
  isReady: boolean;
}

/** Tries a destination with a real alert, and shows what it would be sent: drawn from the very message. */
export function MessagePreview({ draft, version, isReady }: MessagePreviewProps) {
  const [event, setEvent] = useState<OutgoingEvent>('new');
  const [chosen, setChosen] = useState<Alert>();
  const [tested, setTested] = useState<{ what: string; result: OutgoingTestResult }>();
  const test = useTestDestination();
  const { readAgain } = useOutgoingCommands();
  const tried = { ...draft, event, ...(chosen && { alertId: chosen.id }) };
  const wanted = JSON.stringify(tried);
  // Of other settings a result says nothing.
  const what = `${version} ${wanted}`;
  const result = tested?.what === what ? tested.result : undefined;
  const settled = useSettled(wanted, PREVIEW_PAUSE_MS);
  const previewed = JSON.parse(settled) as Partial<DestinationDraft>;
  const { data, error, isPlaceholderData } = useQuery({ ...previewQuery(previewed), enabled: isReady });
  // What is being written may have no preview: the last one stays, and says of which alert it is.
  const [good, setGood] = useState<{ preview: OutgoingPreview; isChosen: boolean }>();
  const isGood = data !== undefined && data.faults === undefined && !isPlaceholderData;
  if (isGood && data !== good?.preview) setGood({ preview: data, isChosen: previewed.alertId !== undefined });
  const preview = good?.preview ?? data;
  const selectId = useId();
  const send = async (): Promise<void> => {
    setTested(undefined);
    const sent = await test
      .mutateAsync(tried)
      .catch((failed: unknown) => ({ isDelivered: false, durationMs: 0, message: messageOf(failed) }));
    setTested({ what, result: sent });
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
        <PopupButton
          placement="bottom-end"
          popupKind={PopupKind.MENU}
          className={styles.testAlert}
          button={{
            'aria-label': texts.testWith(chosen ? alertTitle(chosen) : texts.newestAlert),
            text: chosen ? alertTitle(chosen) : texts.newestAlert,
            ellipsizeText: true,
            endIcon: <CaretDownIcon />,
          }}
          load={loadChoices}
          content={{ chosen: chosen?.id, customers: draft.customers ?? [], onChoose: setChosen }}
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
        {isTicketSystem(draft.kind ?? '') && <p className={styles.hint}>{testTicket}</p>}
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
            <p className={styles.hint}>{drawnFrom(preview, good?.isChosen ?? false)}</p>
          </>
        ) : (
          !error && <p className={styles.hint}>{texts.fillInSettings}</p>
        )}
      </div>
    </section>
  );
}

const loadChoices = async () => (await import('./test-alert-choices.tsx')).TestAlertChoices;

function drawnFrom({ alertId }: OutgoingPreview, isChosen: boolean): string {
  if (alertId === null) return texts.madeUp;
  return isChosen ? texts.drawnFromChosen : texts.drawnFromNewest;
}
