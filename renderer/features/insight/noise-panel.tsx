import { SegmentedControl } from '@blueprintjs/core';
import { useId, useState } from 'react';
import type { Insight, InsightGroup, InsightName } from '#backend/contract/insight.ts';
import { MANAGER_ROLES } from '#renderer/lib/paths.ts';
import { useSession } from '#renderer/session/session.ts';
import { MoreRows } from './more-rows.tsx';
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx';
import { durationText, numberText, shareText } from './figure-labels.ts';
import { hrefOfRule } from './insight-links.ts';
import { GROUP_LABELS, Name } from './names-panel.tsx';
import * as texts from './texts.ts';
import * as styles from './charts.module.css';

/** Where noise comes from, and what is done about it. */
const NOISE_GROUPS = ['source', 'rule', 'window'] as const;
type NoiseGroup = (typeof NOISE_GROUPS)[number];

const OPTIONS = NOISE_GROUPS.map((value) => ({ value, label: GROUP_LABELS[value] }));

const NONE: Record<NoiseGroup, string> = {
  source: texts.noneInTheseDays,
  rule: texts.noRuleInTheseDays,
  window: texts.noWindowInTheseDays,
};

/** Rows before the rest is asked for. */
const FEW_ROWS = 8;

interface NoisePanelProps {
  groups: Insight['groups'];
  /** Where the alerts of a name are listed; undefined where no list can show them. */
  hrefOf: (group: InsightGroup, row: InsightName) => string | undefined;
}

/** What of each source, rule or maintenance window people accept, and what only comes again or is kept quiet. */
export function NoisePanel({ groups, hrefOf }: NoisePanelProps) {
  const id = useId();
  const { role } = useSession();
  const [group, setGroup] = useState<NoiseGroup>('source');
  const [isWhole, setIsWhole] = useState(false);
  const all = groups[group];
  const rows = isWhole ? all : all.slice(0, FEW_ROWS);
  const linkOf = (row: InsightName): string | undefined => {
    if (group === 'source') return hrefOf(group, row);
    const isRule = group === 'rule' && row.id !== null && !row.isDeleted && MANAGER_ROLES.includes(role);
    return isRule ? hrefOfRule(row) : undefined;
  };
  return (
    <section className={styles.chart} aria-labelledby={id}>
      <div className={styles.chartHead}>
        <h2 id={id} className={styles.chartTitle}>
          {texts.noise}
        </h2>
        <SegmentedControl
          className={styles.chartGroups}
          aria-label={texts.groupNoiseBy}
          small
          options={OPTIONS}
          value={group}
          onValueChange={(value) => {
            setGroup(NOISE_GROUPS.find((one) => one === value) ?? 'source');
            setIsWhole(false);
          }}
        />
      </div>
      {all.length === 0 ? (
        <p className={styles.chartNone}>{NONE[group]}</p>
      ) : (
        <ScrollRegion label={texts.noiseTable} className={styles.chartScroll}>
          <table className={styles.figures}>
            <thead>
              <tr>
                <th scope="col">{GROUP_LABELS[group]}</th>
                <th scope="col">{texts.arrived}</th>
                <th scope="col">{texts.repeats}</th>
                <th scope="col">{texts.flapped}</th>
                <th scope="col">{texts.keptQuietColumn}</th>
                <th scope="col">{texts.accepted}</th>
                <th scope="col">{texts.toAccept}</th>
                <th scope="col">{texts.toComplete}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id ?? ''}>
                  <th scope="row">
                    <Name row={row} group={group} href={linkOf(row)} />
                  </th>
                  <td>{numberText(row.arrived)}</td>
                  <td>{numberText(row.repeats)}</td>
                  <td>{numberText(row.flapped)}</td>
                  <td>{numberText(row.suppressed)}</td>
                  <td>{shareText(row.accept.alerts, row.arrived)}</td>
                  <td>{durationText(row.accept.median)}</td>
                  <td>{durationText(row.complete.median)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {all.length > rows.length && <MoreRows left={all.length - rows.length} onShow={() => setIsWhole(true)} />}
        </ScrollRegion>
      )}
    </section>
  );
}
