import { Button, Menu, MenuItem, Popover } from '@blueprintjs/core';
import { MoreIcon, WrenchIcon } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { Link, matchPath, useLocation, useNavigate } from 'react-router-dom';
import { countText } from '#backend/contract/count-text.ts';
import type { Occurrence } from '#backend/contract/maintenance.ts';
import { parseSearch } from '#backend/contract/search.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { messageOf } from '#renderer/lib/message-of.ts';
import { ADMIN_ROLES, MANAGER_ROLES, PATHS } from '#renderer/lib/paths.ts';
import { formatMoment } from '#renderer/lib/times.ts';
import { MOBILE, useMediaQuery } from '#renderer/lib/use-media-query.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import { useSession } from '#renderer/session/session.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import { keepFocus } from '#renderer/ui/keep-focus.ts';
import { passFocus } from '#renderer/ui/pass-focus.ts';
import { placeOnPage } from '#renderer/ui/use-dialog.ts';
import { onNow, pathOfWindow, useWindowCommands, windowsQuery } from './maintenance-data.ts';
import * as texts from './texts.tsx';
import * as styles from './maintenance-banner.module.css';

/** Lists of everybody, which every window is about, and its own pages. */
const EVERYBODYS = [PATHS.inbox, PATHS.allAlerts, `${PATHS.maintenance}/*`];

/** Lists that a window is about where it keeps one of their alerts quiet. */
const OTHERS = [PATHS.myAlerts, PATHS.snoozed, PATHS.folder, PATHS.allFolders, PATHS.view];

interface MaintenanceBannerProps {
  /** Draws by what keeps alerts of the lists on screen quiet: windows know no lists. */
  QuietOnScreen: ComponentType<{ children: (ids: ReadonlySet<string>) => ReactNode }>;
}

/** Says over each list that windows are about which are on, until when, and what they keep quiet. It cannot be dismissed. */
export function MaintenanceBanner({ QuietOnScreen }: MaintenanceBannerProps) {
  const { data } = useQuery(windowsQuery);
  const { pathname } = useLocation();
  const on = onNow(data ?? []);
  const isAt = (path: string): boolean => matchPath(path, pathname) !== null;
  if (on.length === 0) return null;
  if (EVERYBODYS.some(isAt)) return <Banner on={on} />;
  if (!OTHERS.some(isAt)) return null;
  return <QuietOnScreen>{(quiet) => <Banner on={on.filter(({ id }) => quiet.has(id))} />}</QuietOnScreen>;
}

const leaveFocus = passFocus(placeOnPage);

/** The focus stays in the banner when a window is ended there, and goes to the page with the banner. */
function keepFocusAround(banner: HTMLElement | null): () => void {
  const ends = [leaveFocus(banner), keepFocus(banner)];
  return () => {
    for (const end of ends) end?.();
  };
}

function Banner({ on }: { on: readonly Occurrence[] }) {
  const [first] = on;
  if (!first) return null;
  return (
    <section ref={keepFocusAround} className={styles.banner} aria-label={texts.banner}>
      <WrenchIcon className={styles.icon} />
      {on.length === 1 ? <OneWindow one={first} /> : <SeveralWindows on={on} first={first} />}
    </section>
  );
}

/** "10:00 PM", or with its day. */
const useEnd = ({ endsAt }: Occurrence): string => useNow((now) => formatMoment(new Date(endsAt), now));

function OneWindow({ one }: { one: Occurrence }) {
  const { name, kept, search, endedBy } = one;
  const end = useEnd(one);
  const title = <strong>{inertLine(name)}</strong>;
  const count = <strong>{countText(kept)}</strong>;
  return (
    <>
      <p className={styles.words}>
        {endedBy === undefined ? texts.isOnUntil(title, end) : texts.endsNow(title)}{' '}
        <span className={styles.kept}>
          {kept === 0 ? texts.nothingYet : texts.kept(count, kept, customerOf(search))}
        </span>
      </p>
      <WindowActions one={one} />
    </>
  );
}

function SeveralWindows({ on, first }: { on: readonly Occurrence[]; first: Occurrence }) {
  return (
    <>
      <p className={styles.words}>{texts.severalOn(on.length, useEnd(first))}</p>
      <Link className={styles.action} to={PATHS.maintenance}>
        {texts.showWindows}
      </Link>
    </>
  );
}

/** The customer that a search is about, where it names one. */
function customerOf(search: string): string | undefined {
  const { customer } = parseSearch(search, { now: Date.now(), timeZone: 'UTC' });
  return customer.length === 1 ? inertLine(customer[0] ?? '') : undefined;
}

function WindowActions({ one }: { one: Occurrence }) {
  const { role } = useSession();
  const navigate = useNavigate();
  const isSmall = useMediaQuery(MOBILE);
  const { end, extend } = useBannerCommands(one);
  const list = ADMIN_ROLES.includes(role) ? PATHS.allAlerts : PATHS.inbox;
  const shown =
    one.kept === 0
      ? pathOfWindow(one.windowId ?? '')
      : `${list}?${new URLSearchParams({ search: `${one.search} is:quiet`.trim() })}`;
  const mayChange = MANAGER_ROLES.includes(role) && one.endedBy === undefined;
  if (isSmall) {
    return (
      <Popover
        placement="bottom-end"
        content={
          <Menu>
            <MenuItem text={texts.show(one.kept)} onClick={() => void navigate(shown)} />
            {mayChange && <MenuItem text={texts.extend} onClick={extend} />}
            {mayChange && <MenuItem text={texts.endNow} onClick={end} />}
          </Menu>
        }
      >
        <Button className={styles.menu} variant="minimal" icon={<MoreIcon />} aria-label={texts.actions} />
      </Popover>
    );
  }
  return (
    <div className={styles.actions}>
      <Link className={styles.show} to={shown}>
        {texts.show(one.kept)}
      </Link>
      {mayChange && (
        <>
          <button type="button" className={styles.action} onClick={extend}>
            {texts.extend}
          </button>
          <button type="button" className={styles.action} onClick={end}>
            {texts.endNow}
          </button>
        </>
      )}
    </div>
  );
}

/** Extends a window, or ends it, which can be undone for five seconds. */
function useBannerCommands(one: Occurrence) {
  const commands = useWindowCommands();
  const toasts = useToasts();
  const run = (work: () => Promise<unknown>): void =>
    void work().catch((error: unknown) =>
      toasts.show({
        title: texts.failed,
        description: messageOf(error),
        variant: 'destructive',
      }),
    );
  const resume = (): void =>
    run(async () => {
      await commands.resume(one.id);
      toasts.show({ title: texts.resumed(inertLine(one.name)) });
    });
  return {
    extend: (): void =>
      run(async () => {
        const { endsAt } = await commands.extend(one.id, 30);
        toasts.show({ title: texts.extended, description: texts.until(formatMoment(new Date(endsAt), new Date())) });
      }),
    end: (): void =>
      run(async () => {
        await commands.end(one.id);
        toasts.show({
          title: texts.ended(inertLine(one.name)),
          description: texts.endedHint,
          action: { label: texts.undo, onSelect: resume },
        });
      }),
  };
}
