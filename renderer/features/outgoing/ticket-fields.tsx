import { InputGroup, Switch, TextArea } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import type { Destination, DestinationDraft } from '#backend/contract/outgoing.ts';
import { MAX_TICKET_TEMPLATE, TICKET_TEMPLATES, type TicketField, isTicketSystem } from '#backend/contract/ticket.ts';
import { useSettled } from '#renderer/lib/use-settled.ts';
import { type WrittenDestination, draftOf, missingOf } from './destination-form.ts';
import { PREVIEW_PAUSE_MS, previewQuery } from './outgoing-data.ts';
import { Row } from './setting-row.tsx';
import * as texts from './ticket-texts.ts';
import * as styles from './outgoing.module.css';

interface TicketFieldsProps {
  written: WrittenDestination;
  before: Destination | undefined;
  change: (some: Partial<WrittenDestination>) => void;
}

/** The templates of a ticket system's tickets, each with what is wrong with it, and what closing a ticket does. */
export function TicketFields({ written, before, change }: TicketFieldsProps) {
  const { kind, ticketTemplates, completesAlert } = written;
  const settled = useSettled(JSON.stringify({ ...draftOf(written, before), event: 'new' }), PREVIEW_PAUSE_MS);
  const { data } = useQuery({
    ...previewQuery(JSON.parse(settled) as Partial<DestinationDraft>),
    enabled: missingOf(written, before) === undefined,
  });
  if (!isTicketSystem(kind)) return null;
  const fields = Object.keys(TICKET_TEMPLATES[kind]) as TicketField[];
  const faultOf = (field: TicketField) => data?.faults?.find((fault) => fault.field === field)?.message;
  return (
    <>
      {fields.map((field) => {
        const { label, hint } = texts.ticketFieldTexts(kind, field);
        const value = ticketTemplates[field] ?? '';
        const set = (template: string) => change({ ticketTemplates: { ...ticketTemplates, [field]: template } });
        return (
          <Row key={field} label={label} hint={hint} fault={faultOf(field)}>
            {(id, described) =>
              field === 'description' ? (
                <TextArea
                  {...described}
                  id={id}
                  className={styles.template}
                  fill
                  maxLength={MAX_TICKET_TEMPLATE}
                  value={value}
                  onChange={({ currentTarget }) => set(currentTarget.value)}
                />
              ) : (
                <InputGroup {...described} id={id} maxLength={MAX_TICKET_TEMPLATE} value={value} onValueChange={set} />
              )
            }
          </Row>
        );
      })}
      <Row label={texts.whenClosed} hint={texts.whenClosedHint}>
        {(id) => (
          <Switch
            id={id}
            checked={completesAlert}
            label={texts.completesAlert}
            onChange={({ currentTarget }) => change({ completesAlert: currentTarget.checked })}
          />
        )}
      </Row>
    </>
  );
}
