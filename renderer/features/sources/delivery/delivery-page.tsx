import { Button } from '@blueprintjs/core';
import { ChevronDownIcon, ChevronUpIcon, DuplicateIcon, RepeatIcon, TickIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import type { Delivery } from '#backend/contract/delivery.ts';
import type { Source } from '#backend/contract/source.ts';
import { deliveryQuery } from '#renderer/features/sources/data/get-deliveries.ts';
import { useReplay } from '#renderer/features/sources/data/use-replay.ts';
import { useLogView } from '#renderer/features/sources/deliveries/delivery-filter.ts';
import { formatMoment } from '#renderer/features/sources/shown/ages.ts';
import { isEmail } from '#renderer/features/sources/shown/is-email.ts';
import { curlText } from '#renderer/features/sources/shown/curl-text.ts';
import { linesOf, readJson } from '#renderer/lib/json-lines.ts';
import { lineAt, locate, stepsOf } from '#renderer/features/sources/shown/json-paths.ts';
import { OutcomeLabel } from '#renderer/features/sources/shown/dot-labels.tsx';
import { deliveryPageOf, pageOf } from '#renderer/features/sources/shown/source-addresses.ts';
import { PathLine, TitleRow } from '#renderer/features/sources/shown/source-head.tsx';
import { useCopy } from '#renderer/features/sources/shown/use-copy.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useSingleKeys } from '#renderer/lib/single-keys.ts';
import { LastingButton } from '#renderer/ui/lasting-button.tsx';
import { tipWithKey } from '#renderer/ui/key-cap.tsx';
import { HoverTip } from '#renderer/ui/hover-tip/hover-tip.tsx';
import { LoadError } from '#renderer/ui/empty-state.tsx';
import { RowsSkeleton } from '#renderer/ui/panel/panel.tsx';
import { notUsed } from './not-used.ts';
import { OutcomePanel } from './outcome-panel.tsx';
import { RefusalPanel } from './refusal-panel.tsx';
import { RequestPanel } from './request-panel.tsx';
import { useNeighbours } from './use-neighbours.ts';
import { WhyPanel } from './why-panel.tsx';
import * as sourceTexts from '#renderer/features/sources/texts.ts';
import * as texts from './texts.ts';
import * as pageHeadStyles from '#renderer/ui/page-head/page-head.module.css';
import * as sourceHeadStyles from '#renderer/features/sources/shown/source-head.module.css';
import { useAsk } from '#renderer/ui/dialogs.tsx';
import * as filterButtonStyles from '#renderer/ui/filter-button/filter-button.module.css';
import * as styles from './delivery-page.module.css';

const loadUnverifiedDialog = () =>
  import('./replay-unverified-dialog.tsx').then(({ ReplayUnverifiedDialog }) => ReplayUnverifiedDialog);

/** Which button led here: it has the focus on this page, too. */
interface LedHere {
  by?: 'newer' | 'older';
}

const focusNow = (button: HTMLElement | null): void => button?.focus();

/** One delivery: the request, what became of it, and why. */
export function DeliveryPage({ source, id }: { source: Source; id: string }) {
  const { data: delivery, error, refetch } = useQuery(deliveryQuery(id));
  const [params] = useSearchParams();
  const search = params.size > 0 ? `?${params}` : '';
  const { filter } = useLogView();
  const { newer, older } = useNeighbours(source.id, id, filter);
  const navigate = useNavigate();
  const replay = useReplay(source.id);
  const ask = useAsk();
  const { state: copyState, copy } = useCopy();

  const ledHere = (useLocation().state ?? {}) as LedHere;
  const go = (to: string | undefined, state: LedHere = {}): void => {
    if (to !== undefined) void navigate(`${deliveryPageOf(source.id, to)}${search}`, { state });
  };
  const [areKeysOn] = useSingleKeys();
  useNeighbourKeys(
    areKeysOn,
    () => go(newer),
    () => go(older),
  );
  const cannotReplay = delivery && delivery.body === null && delivery.size > 0 ? notKept(source) : undefined;
  const doReplay = (): void => {
    if (replay.isPending) return;
    if (delivery?.isUnverified) {
      ask(loadUnverifiedDialog, { onReplay: () => replay.mutate({ ids: [id], notify: false, unverified: true }) });
    } else replay.mutate({ ids: [id], notify: false });
  };
  return (
    <HoverTip className={`${pageHeadStyles.page} ${sourceHeadStyles.sourcePage} ${styles.page}`}>
      <PathLine
        steps={[
          { to: pageOf(source.id), title: inertLine(source.name) },
          { to: `${pageOf(source.id)}${search}`, title: texts.deliveries },
        ]}
      />
      <TitleRow
        title={delivery ? formatMoment(new Date(delivery.receivedAt)) : texts.delivery}
        actions={
          <>
            <LastingButton
              icon={<ChevronUpIcon />}
              aria-label={texts.newerDelivery}
              aria-keyshortcuts={areKeysOn ? 'K ArrowUp' : 'ArrowUp'}
              {...tipWithKey(texts.newerDelivery, areKeysOn ? 'K' : undefined)}
              isOff={newer === undefined}
              ref={ledHere.by === 'newer' ? focusNow : undefined}
              onClick={() => go(newer, { by: 'newer' })}
            />
            <LastingButton
              icon={<ChevronDownIcon />}
              aria-label={texts.olderDelivery}
              aria-keyshortcuts={areKeysOn ? 'J ArrowDown' : 'ArrowDown'}
              {...tipWithKey(texts.olderDelivery, areKeysOn ? 'J' : undefined)}
              isOff={older === undefined}
              ref={ledHere.by === 'older' ? focusNow : undefined}
              onClick={() => go(older, { by: 'older' })}
            />
            <span className={filterButtonStyles.rule} />
            {!(delivery && isEmail(delivery)) && (
              <Button
                icon={copyState === 'copied' ? <TickIcon /> : <DuplicateIcon />}
                text={copyState === 'copied' ? texts.copied : texts.copyAsCurl}
                disabled={!delivery}
                onClick={() => delivery && void copy(curlText(delivery, window.location.origin))}
              />
            )}
            <Button
              icon={<RepeatIcon />}
              text={replay.isPending ? texts.replaying : texts.replay}
              disabled={!delivery || cannotReplay !== undefined}
              aria-disabled={replay.isPending || undefined}
              data-tip={cannotReplay}
              data-tip-always
              onClick={doReplay}
            />
          </>
        }
      >
        {delivery && <OutcomeLabel outcome={delivery.outcome} />}
      </TitleRow>
      {delivery ? (
        <DeliveryParts
          delivery={delivery}
          source={source}
          cannotReplay={cannotReplay}
          isReplaying={replay.isPending}
          onReplay={doReplay}
        />
      ) : error ? (
        <LoadError what={sourceTexts.theDelivery} error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={styles.wait}>
          <RowsSkeleton label={texts.deliveryInText} isSheet />
        </div>
      )}
    </HoverTip>
  );
}

interface DeliveryPartsProps {
  delivery: Delivery;
  source: Source;
  cannotReplay: string | undefined;
  isReplaying: boolean;
  onReplay: () => void;
}

function DeliveryParts({ delivery, source, ...replaying }: DeliveryPartsProps) {
  const [chosen, setChosen] = useState(0);
  const [pointed, setPointed] = useState<string>();
  const [kept, setKept] = useState<string>();
  const root = useMemo(() => (delivery.body === null ? undefined : readJson(delivery.body)), [delivery.body]);
  const lines = useMemo(() => root && linesOf(root), [root]);
  const event = delivery.events[chosen];
  const field = pointed ?? kept;
  const marked = useMemo(() => {
    const path = event?.origins.find((origin) => origin.field === field)?.path;
    const steps =
      root && event && path !== undefined && path !== '' ? locate(root, path, stepsOf(event.element)) : undefined;
    return lines && steps ? lineAt(lines, steps) : -1;
  }, [event, field, root, lines]);
  const unused = useMemo(() => (root && event ? notUsed(root, event) : []), [root, event]);
  return (
    <div className={styles.parts}>
      <RequestPanel delivery={delivery} lines={lines} marked={marked} />
      <div className={styles.why}>
        {delivery.outcome === 'refused' ? (
          <RefusalPanel delivery={delivery} source={source} {...replaying} />
        ) : (
          <>
            <OutcomePanel delivery={delivery} chosen={chosen} onChoose={setChosen} />
            {event && (
              <WhyPanel
                event={event}
                place={delivery.events.length > 1 ? texts.alertOf(chosen + 1, delivery.events.length) : ''}
                marked={field}
                kept={kept}
                onPoint={setPointed}
                onKeep={(name) => setKept((now) => (now === name ? undefined : name))}
                unused={unused}
              />
            )}
          </>
        )}
      </div>
    </div>
  );
}

const notKept = ({ settings }: Source): string => texts.bodyNoLongerKept(settings.keepDeliveriesDays);

/** K and J, where single keys are on, and the arrow keys where nothing else takes them, go to the neighbours. */
function useNeighbourKeys(areKeysOn: boolean, onNewer: () => void, onOlder: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (event.defaultPrevented || ctrlKey || metaKey || altKey || !(target instanceof Element)) return;
      if (target.closest('input, textarea, select, [role="dialog"], dialog, [role="menu"], [role="radiogroup"]'))
        return;
      const isArrow = key === 'ArrowUp' || key === 'ArrowDown';
      if (isArrow && target.closest('section, nav, aside')) return;
      if (key === 'ArrowUp' || (areKeysOn && key === 'k')) onNewer();
      else if (key === 'ArrowDown' || (areKeysOn && key === 'j')) onOlder();
      else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [areKeysOn, onNewer, onOlder]);
}
