import { Button } from '@blueprintjs/core';
import { LayersIcon } from '@blueprintjs/icons';
import classNames from 'classnames';
import { type ComponentProps, memo } from 'react';
import { countText } from '#backend/contract/count-text.ts';
import type { AlertGroup } from '#backend/contract/alert-group.ts';
import { ActionButton, ActionMenuButton } from '#renderer/alerts/actions/action-button.tsx';
import type { AlertCard } from '#renderer/alerts/card/alert-card.tsx';
import { AlertArrival, AlertTime, NewDot, StatusTag, cardClass } from '#renderer/alerts/card/card-parts.tsx';
import { CardTile } from '#renderer/alerts/card/card-tile.tsx';
import { SeverityMark } from '#renderer/alerts/card/severity-mark.tsx';
import { StatusSwitcher } from '#renderer/alerts/card/status-switcher.tsx';
import { problemLabel } from '#renderer/alerts/data/problem-labels.ts';
import { useKeyHints } from '#renderer/alerts/keys/key-hints.tsx';
import { AlertLink } from '#renderer/alerts/panel/open-alert.tsx';
import * as common from '#renderer/lib/texts.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatMoment } from '#renderer/lib/times.ts';
import { useNow } from '#renderer/lib/use-now.ts';
import type { GroupCommands } from './group-commands.ts';
import { infoOf } from './group-heads.ts';
import * as texts from './texts.ts';
import * as cardStyles from '#renderer/alerts/card/alert-card.module.css';
import * as tagStyles from '#renderer/alerts/card/outlined-tag.module.css';
import * as styles from './groups.module.css';

/** Tiles of sources that a card has space for. */
const MAX_TILES = 3;

/** A moment in the course of a group: the time, with its day unless that is today. Empty while there is none. */
export const useMoment = (moment: string | undefined): string =>
  useNow((now) => (moment === undefined ? '' : formatMoment(new Date(moment), now)));

/** "37 alerts", outlined. */
export const CountTag = ({ count }: { count: number }) => (
  <span className={tagStyles.tag}>
    <LayersIcon size={12} />
    {texts.countAlerts(count)}
  </span>
);

/** How many alerts of each severity: a mark and a number. */
export const SeverityNumbers = ({ severities }: Pick<AlertGroup, 'severities'>) => (
  <span className={styles.severities}>
    {severities.map(({ severity, alerts }) => (
      <span key={severity}>
        <span className="ad-hidden">{problemLabel({ severity, state: 'event' })}</span>
        {severity !== 'none' && <SeverityMark severity={severity} state="event" />}
        {countText(alerts)}
      </span>
    ))}
  </span>
);

/** When the alerts of a group arrived: a bar for each part of its time, those with a critical alert in red. */
export function Strip({ bars, alerts, since, newestAt }: Pick<AlertGroup, 'bars' | 'alerts' | 'since' | 'newestAt'>) {
  const most = Math.max(...bars.map((bar) => bar.alerts), 1);
  const label = texts.strip(texts.countAlerts(alerts), useMoment(since), useMoment(newestAt));
  return (
    <span className={styles.stripPlace}>
      <span className="ad-hidden">{label}</span>
      <span className={styles.strip} aria-hidden>
        {bars.map((bar, index) => (
          <span
            // Bars are places in time: they have no other name.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            className={classNames(bar.critical > 0 && styles.bar_critical)}
            style={{ height: `${bar.alerts === 0 ? 8 : Math.max(16, (bar.alerts / most) * 100)}%` }}
          />
        ))}
      </span>
    </span>
  );
}

/** Draws alerts of one group as a card of a list, whose buttons are about all of them. */
export const groupCardOf = (commands: GroupCommands) =>
  memo(function GroupCard({ alert, layout, labelId, card }: ComponentProps<typeof AlertCard>) {
    const hints = useKeyHints();
    const info = infoOf(alert);
    const { actions } = commands;
    const { primary } = card;
    const { group, count = 0 } = info ?? {};
    const since = useMoment(group?.since);
    const isNew = card.isNew(alert);
    const isCompact = layout.kind === 'compact';
    const title = inertLine(alert.title ?? alert.customer ?? '') || common.noCustomer;
    const customer = alert.title !== null && alert.customer !== null ? inertLine(alert.customer) : undefined;
    const sources = group?.sources ?? [];
    const reason = group && texts.reasonOf(group);
    const name = texts.spoken(
      [problemLabel(alert), isNew ? 'new' : ''].filter((part) => part !== '').join(', '),
      texts.countAlerts(count),
      title,
      reason,
      [customer ?? '', sources.length > 0 ? texts.countSources(sources.length) : ''].filter((part) => part !== ''),
    );
    const main = primary && (
      <Button
        className={classNames(cardStyles.accept, styles.accept)}
        text={texts.withCount(primary.label, count)}
        aria-describedby={labelId}
        {...hints.tip(primary, primary.label)}
        onClick={() => actions.run(primary, alert)}
      />
    );
    const icon = classNames(cardStyles.icon, card.areQuiet && cardStyles.quiet);
    return (
      <div className={classNames(cardClass(alert, layout, isCompact ? undefined : card.className), styles.group)}>
        <SeverityMark severity={alert.severity} state={alert.state} />
        <div className={cardStyles.headline}>
          <span id={labelId} hidden>
            {name}
          </span>
          <span className={cardStyles.title} dir="auto" data-tip={title}>
            <AlertLink id={alert.id}>{title}</AlertLink>
          </span>
          {!isCompact && <CountTag count={count} />}
          {!isCompact && layout.kind !== 'stacked' && reason !== undefined && (
            <span className={cardStyles.fact} data-tip={reason}>
              {reason}
            </span>
          )}
        </div>
        <div className={cardStyles.lead}>
          {customer !== undefined && (
            <span className={cardStyles.customer} dir="auto" data-tip={customer}>
              {customer}
            </span>
          )}
          {isCompact && <CountTag count={count} />}
          {!isCompact && sources.length > 0 && (
            <span className={styles.sources} data-tip={sources.map((source) => inertLine(source.name)).join(', ')}>
              {sources.slice(0, MAX_TILES).map((source) => (
                <CardTile key={source.name} sender={source.sender} />
              ))}
              {sources.length === 1 ? inertLine(sources[0]?.name ?? '') : texts.countSources(sources.length)}
            </span>
          )}
        </div>
        {isCompact ? (
          <div className={styles.when}>
            {isNew && <NewDot />}
            <AlertArrival alert={alert} />
          </div>
        ) : (
          <>
            <div className={styles.course}>
              {group && <SeverityNumbers severities={group.severities} />}
              {group && <Strip {...group} />}
              {group && <span className={styles.since}>{texts.since(since)}</span>}
            </div>
            <AlertTime alert={alert} isNew={isNew} />
            {card.kind === 'queue' && <StatusSwitcher alert={alert} actions={actions} labelId={labelId} />}
            <div className={classNames(cardStyles.quiets, cardStyles.quiets_menu)}>
              {layout.kind !== 'stacked' &&
                card.buttons
                  .filter((action) => actions.offers(action, alert))
                  .map((action) => (
                    <ActionButton
                      key={action.id}
                      action={action}
                      alert={alert}
                      actions={actions}
                      labelId={labelId}
                      className={icon}
                      hasKey
                    />
                  ))}
              <ActionMenuButton alert={alert} actions={actions} labelId={labelId} className={icon} />
            </div>
          </>
        )}
        <div className={cardStyles.main}>{main ?? (isCompact && <StatusTag status={alert.status} />)}</div>
      </div>
    );
  });
