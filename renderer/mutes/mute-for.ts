import { useMutation, useQueryClient } from '@tanstack/react-query';
import { addDays, set } from 'date-fns';
import { useCallback } from 'react';
import type { Alert } from '#backend/contract/alert.ts';
import type { Customer, MuteEnd } from '#backend/contract/mute.ts';
import type { NotificationException } from '#backend/contract/notification-exception.ts';
import { onTheWall } from '#renderer/lib/clock.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { readNow } from '#renderer/lib/query-answers.ts';
import { formatMoment } from '#renderer/lib/times.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { useUndoStack } from '#renderer/toasts/undo-stack.ts';
import { type MuteLength, showOnCards, useMuteAlertType, useMuteCustomer, useMuteSource } from './change-mutes.ts';
import { setException } from './change-exceptions.ts';
import { exceptionsQuery } from './exceptions.ts';
import { alertTypeMutesQuery, muteEndsQuery, mutedNamesQuery, readMuted, sourceMutesQuery } from './mutes.ts';
import { findCustomer } from './names.ts';
import * as texts from './texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';

/** Something about an alert that can be muted. `id` is a name, of a source its id. */
export interface Mutable {
  kind: MuteEnd['kind'];
  id: string;
  /** As people read it. */
  name: string;
}

export const MUTABLE_LABELS: Record<MuteEnd['kind'], string> = {
  alert_type: texts.alertType,
  customer: pageTexts.customer,
  source: pageTexts.source,
};

/** What of an alert can be muted: its type first, which is what makes noise most often. */
export function mutablesOf(alert: Pick<Alert, 'customer' | 'alertType' | 'sourceId' | 'sourceName'>): Mutable[] {
  const { customer, alertType, sourceId, sourceName } = alert;
  return [
    ...(alertType === null ? [] : [{ kind: 'alert_type', id: alertType, name: inertLine(alertType) } as const]),
    ...(customer === null ? [] : [{ kind: 'customer', id: customer, name: inertLine(customer) } as const]),
    ...(sourceId === undefined
      ? []
      : [{ kind: 'source', id: sourceId, name: inertLine(sourceName ?? texts.itsSource) } as const]),
  ];
}

/** For how long something can be muted. */
export interface LengthChoice {
  label: string;
  length: MuteLength;
}

/** Until the member ends it. */
export const FOREVER: LengthChoice = { label: texts.forever, length: {} };

/** The lengths on offer at a moment; the morning is that of where the person is. */
export function muteLengths(now: Date): LengthChoice[] {
  const morning = set(addDays(onTheWall(now), 1), { hours: 9, minutes: 0, seconds: 0, milliseconds: 0 });
  return [
    { label: pageTexts.hours(1), length: { minutes: 60 } },
    { label: pageTexts.hours(8), length: { minutes: 8 * 60 } },
    { label: texts.untilTime(formatMoment(morning, now)), length: { until: morning.toISOString() } },
    { label: pageTexts.weeks(1), length: { minutes: 7 * 24 * 60 } },
    FOREVER,
  ];
}

/** What of a kind is muted, as cards read it: ids of sources, else names. */
const MUTED_QUERIES = { customer: mutedNamesQuery, alert_type: alertTypeMutesQuery, source: sourceMutesQuery };

/** What is to be muted, and for how long; `undefined`: no more. */
interface Wanted {
  mutable: Mutable;
  choice: LengthChoice | undefined;
}

/**
 * Makes a change. Resolves to what brings back what was before; without knowing that it changes nothing. All of it is one
 * mutation: it is on screen at once, and signing out waits for it.
 */
function useMakeChange() {
  const client = useQueryClient();
  const { mutateAsync: muteType } = useMuteAlertType();
  const { mutateAsync: muteCustomer } = useMuteCustomer();
  const { mutateAsync: muteSource } = useMuteSource();
  return useMutation({
    // One after the other: a later one reads what an earlier one changed.
    scope: { id: 'mute for' },
    onMutate: async ({ mutable, choice }: Wanted) => {
      // An answer in flight does not include this change.
      await client.cancelQueries({ queryKey: MUTED_QUERIES[mutable.kind].queryKey });
      return { was: showOnCards(client, mutable, choice !== undefined) };
    },
    mutationFn: async ({ mutable, choice }): Promise<() => Promise<void>> => {
      const { kind, id } = mutable;
      let customer: Customer | undefined;
      const change = async (muted: boolean, length?: MuteLength): Promise<void> => {
        if (kind === 'alert_type') await muteType({ alertType: id, muted, length });
        else if (kind === 'source') await muteSource({ sourceId: id, muted, length });
        else {
          customer ??= await findCustomer(id);
          if (!customer) throw new Error(texts.thisCustomerNoLongerExists);
          await muteCustomer({ customerId: customer.id, name: id, muted, length });
        }
      };
      const isOfIt = (one: Pick<NotificationException, 'kind' | 'id' | 'name'>): boolean =>
        one.kind === kind && (kind === 'customer' ? one.name : one.id) === id;
      // Also what another device changed a moment ago, whose event is not here yet.
      const [muted, ends, { rows }] = await Promise.all([
        // Not by the queries of cards: these have this change already, and the next one cancels them.
        readMuted(kind, new AbortController().signal),
        readNow(client, muteEndsQuery),
        readNow(client, exceptionsQuery),
      ]);
      const wasMuted = muted.includes(id);
      const end = ends.find(isOfIt);
      const restored: MuteLength = end ? { until: end.until } : {};
      // The mute takes the place of an exception with another level.
      const replaced = rows.find((one) => isOfIt(one) && one.level !== 'never');
      await change(choice !== undefined, choice?.length);
      return async () => {
        await change(wasMuted, restored);
        if (replaced) await setException(replaced);
      };
    },
    onError: (_error, { mutable }, before) => before && showOnCards(client, mutable, before.was),
  });
}

/** Mutes something, gives its mute another end, or unmutes it (`undefined`), with a result that can be undone. */
export function useMuteFor(): (mutable: Mutable, choice: LengthChoice | undefined) => void {
  const { mutateAsync: makeChange } = useMakeChange();
  const toasts = useToasts();
  const undo = useUndoStack();

  return useCallback(
    (mutable, choice) => {
      const { kind, id, name } = mutable;
      const verb = choice ? 'mute' : 'unmute';
      const said = choice ? texts.isMutedNow : texts.isUnmutedNow;
      const failed = (wanted: string) => texts.failedToSetMute(wanted, MUTABLE_LABELS[kind].toLowerCase());
      makeChange({ mutable, choice }).then(
        (goBack) =>
          undo.add({
            kind: `${verb} ${kind} ${id}`,
            title: said(MUTABLE_LABELS[kind]),
            description: choice ? `${name}: ${choice.label}` : name,
            many: () => ({ title: said(MUTABLE_LABELS[kind]) }),
            undo: goBack,
            undoFailed: failed(choice ? 'unmute' : 'mute'),
          }),
        ({ message }: Error) => toasts.show({ variant: 'destructive', title: failed(verb), description: message }),
      );
    },
    [makeChange, toasts, undo],
  );
}
