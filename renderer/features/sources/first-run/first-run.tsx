import { Button, Spinner } from '@blueprintjs/core';
import { CrossIcon, TickIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useAtom } from 'jotai';
import { atomWithStorage, createJSONStorage, unstable_withStorageValidator as withStorageValidator } from 'jotai/utils';
import { useEffect, useLayoutEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Source } from '#backend/contract/source.ts';
import { type FirstRunProps, firstRunQuery } from '#renderer/alerts/data/first-run.ts';
import { sourcesQuery } from '#renderer/features/sources/data/get-sources.ts';
import { useCreateSource } from '#renderer/features/sources/data/source-commands.ts';
import { LeaveDialog } from '#renderer/features/sources/new/leave-dialog.tsx';
import { useFirstDelivery } from '#renderer/features/sources/new/use-first-delivery.ts';
import { formatTook } from '#renderer/features/sources/shown/amounts.ts';
import { markOf, senderOf } from '#renderer/features/sources/shown/sender-tile.tsx';
import { pageOf } from '#renderer/features/sources/shown/source-addresses.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { useNotificationSwitch } from '#renderer/notifications/use-notification-switch.ts';
import { useSession } from '#renderer/session/session.ts';
import { useLeaveGuard } from '#renderer/ui/leave-guard.tsx';
import { Checklist, SetUpStep } from './checklist.tsx';
import { MoreSteps } from './more-steps.tsx';
import { WhomToAsk } from './whom-to-ask.tsx';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.tsx';
import * as emptyStateStyles from '#renderer/ui/empty-state.module.css';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './first-run.module.css';

/** Where the first alert came from, and after how many milliseconds, if that was measured. */
interface Arrival {
  sourceId: string;
  latencyMs?: number;
}

const isArrival = (value: unknown): value is Arrival | null =>
  value === null || (typeof value === 'object' && 'sourceId' in value && typeof value.sourceId === 'string');

/** Kept until the news of it is closed: what arrives later, from wherever, changes nothing of it. */
const arrivalAtom = atomWithStorage<Arrival | null>(
  'first-run-arrival',
  null,
  withStorageValidator(isArrival)(createJSONStorage()),
  { getOnInit: true },
);

/** What the inbox shows while no alert ever arrived: administrators connect a sender, everybody else learns whom to ask. */
export function FirstRun(props: FirstRunProps) {
  const { role } = useSession();
  const { isWaiting, onDrawn } = props;
  useLayoutEffect(() => {
    onDrawn(isWaiting);
    return () => onDrawn(false);
  }, [isWaiting, onDrawn]);
  if (role === 'admin') return <ForAdministrators {...props} />;
  return isWaiting ? <WhomToAsk /> : null;
}

function ForAdministrators({ isWaiting, close: closeNews }: Omit<FirstRunProps, 'onDrawn'>) {
  const [arrival, setArrival] = useAtom(arrivalAtom);
  const close = (): void => {
    setArrival(null);
    closeNews();
  };
  const { data: sources, error } = useQuery(sourcesQuery);
  // Nothing but this page has the secrets: they are gone with it.
  const create = useCreateSource();
  const made = create.data;
  const [isSaved, setSaved] = useState(false);
  const isUnsaved = made !== undefined && !isSaved;
  // Also while it is being created: who left then would never see the secrets.
  const isGuarded = create.isPending || isUnsaved;
  const guard = useLeaveGuard(isGuarded);
  const { isAsked, stay } = guard;
  const { isError } = create;
  useEffect(() => {
    if (isError && isAsked) stay();
  }, [isError, isAsked, stay]);
  const saved = (): void => setSaved(true);
  const known = made && sources?.find(({ id }) => id === made.source.id);
  // The list may know it before the answer with the secrets is here.
  const source = create.isPending ? undefined : (known ?? made?.source ?? newestOf(sources));
  const dialog = made && (
    <LeaveDialog
      isOpen={isAsked}
      secrets={[{ kind: 'key', text: made.plain.key ?? '' }]}
      onStay={stay}
      onCopied={saved}
      onLeave={guard.leave}
    />
  );

  const isOver = useIsDone(isWaiting) && !isGuarded;
  useEffect(() => {
    if (!isOver) return;
    setArrival(null);
    closeNews();
  }, [isOver, setArrival, closeNews]);

  if (isOver) return null;
  if (isWaiting && !sources && !error) return <Spinner className={styles.loading} aria-label={texts.loadingSources} />;
  if (isWaiting)
    return (
      <div className={styles.run}>
        <h2 className={emptyStateStyles.title}>{common.allCaughtUp}</h2>
        <p className={styles.text}>{common.caughtUpHint}</p>
        {isAsked && create.isPending && <output className={styles.text}>{texts.creatingBeforeLeaving}</output>}
        <Checklist source={source} plain={made?.plain} create={create} onSaved={saved} />
        <MoreSteps />
        {dialog}
      </div>
    );
  const sender = sources?.find(({ id }) => id === arrival?.sourceId) ?? lastUsedOf(sources);
  return (
    <div className={`${styles.run} ${styles.run_arrived}`}>
      <section className={panelStyles.panel} aria-label={texts.firstAlert}>
        {sender ? (
          <ArrivedHead key={sender.id} source={sender} onClose={isGuarded ? undefined : close} />
        ) : (
          <ArrivedRow title={texts.yourFirstAlertArrived} onClose={isGuarded ? undefined : close} />
        )}
        {isUnsaved && source && <SetUpStep source={source} plain={made.plain} onSaved={saved} />}
        <MoreSteps isInside />
      </section>
      {dialog}
    </div>
  );
}

/**
 * Whether everything was done before the page was opened: an alert arrived, people are here, and notifications are on. What
 * is done while somebody looks gets its tick, and nothing moves.
 */
function useIsDone(isWaiting: boolean): boolean {
  const [wasWaiting] = useState(isWaiting);
  const { data, isFetching } = useQuery(firstRunQuery);
  const { isOn } = useNotificationSwitch();
  const [atFirst, setAtFirst] = useState<boolean>();
  const now = data === undefined || isFetching ? undefined : !data.isAlone && isOn;
  if (atFirst === undefined && now !== undefined) setAtFirst(now);
  return !wasWaiting && atFirst === true;
}

/** The source that was created last: after a reload the checklist goes on with it. */
const newestOf = (sources: readonly Source[] | undefined): Source | undefined =>
  sources?.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0];

/** The source that a delivery came to last. */
const lastUsedOf = (sources: readonly Source[] | undefined): Source | undefined =>
  sources
    ?.filter(({ lastDeliveryAt }) => lastDeliveryAt !== null)
    .toSorted((a, b) => (b.lastDeliveryAt ?? '').localeCompare(a.lastDeliveryAt ?? ''))[0];

/** Says how long the first alert took, and from where it came. */
function ArrivedHead({ source, onClose }: { source: Source; onClose: (() => void) | undefined }) {
  const { latencyMs: measured } = useFirstDelivery(source.id);
  const [arrival, setArrival] = useAtom(arrivalAtom);
  useEffect(() => {
    if (arrival === null) setArrival({ sourceId: source.id });
    else if (arrival.latencyMs === undefined && measured !== undefined) setArrival({ ...arrival, latencyMs: measured });
  }, [arrival, measured, source.id, setArrival]);
  const latencyMs = arrival?.latencyMs;
  const sender = senderOf(source);
  const title = texts.yourFirstAlertArrivedAfter(latencyMs === undefined ? undefined : formatTook(latencyMs));
  const facts = `${inertLine(source.name)}${sender === null || sender === 'generic' ? '' : texts.detectedAs(markOf(sender).name)}`;
  return <ArrivedRow title={title} facts={facts} page={pageOf(source.id)} onClose={onClose} />;
}

interface ArrivedRowProps {
  title: string;
  facts?: string;
  page?: string;
  /** Nothing while the secret has not been saved. */
  onClose: (() => void) | undefined;
}

function ArrivedRow({ title, facts, page, onClose }: ArrivedRowProps) {
  return (
    <div className={styles.arrived}>
      <span className={styles.tick}>
        <TickIcon />
      </span>
      <output className={styles.arrivedWords}>
        <b>{title}</b> {facts !== undefined && <span>{facts}</span>}
      </output>
      {page !== undefined && (
        <Link className="ad-link" to={page}>
          {texts.openSource}
        </Link>
      )}
      {onClose && <Button variant="minimal" icon={<CrossIcon />} aria-label={pageTexts.close} onClick={onClose} />}
    </div>
  );
}
