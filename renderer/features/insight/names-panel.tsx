import { Button, SegmentedControl } from '@blueprintjs/core';
import { CaretDownIcon, CaretRightIcon } from '@blueprintjs/icons';
import { useId, useState } from 'react';
import { Link } from 'react-router-dom';
import {
  type Insight,
  type InsightGroup,
  type InsightName,
  type ListedGroup,
  INSIGHT_GROUPS,
} from '#backend/contract/insight.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { MoreRows } from './more-rows.tsx';
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx';
import { durationText, numberText } from './figure-labels.ts';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import * as texts from './texts.ts';
import * as styles from './charts.module.css';

export const GROUP_LABELS: Record<ListedGroup, string> = {
  customer: pageTexts.customer,
  alertType: texts.type,
  source: pageTexts.source,
  person: texts.person,
  window: texts.window,
  rule: texts.rule,
};

const OPTIONS = INSIGHT_GROUPS.map((value) => ({ value, label: GROUP_LABELS[value] }));

/** Rows before the rest is asked for. */
const FEW_ROWS = 5;

interface NamesPanelProps {
  groups: Insight['groups'];
  /** Where the alerts of a name are listed; undefined where no list can show them. */
  hrefOf: (group: InsightGroup, row: InsightName) => string | undefined;
}

/** Customers, types, sources or persons with the most alerts. */
export function NamesPanel({ groups, hrefOf }: NamesPanelProps) {
  const id = useId();
  const [group, setGroup] = useState<InsightGroup>('customer');
  const [isWhole, setIsWhole] = useState(false);
  const [isUnfolded, setUnfolded] = useState(false);
  const all = groups[group].filter(({ isDeleted }) => !isDeleted);
  const deleted = groups[group].filter(({ isDeleted }) => isDeleted);
  const rows = isWhole ? all : all.slice(0, FEW_ROWS);
  const label = GROUP_LABELS[group];
  return (
    <section className={styles.chart} aria-labelledby={id}>
      <div className={styles.chartHead}>
        <h2 id={id} className={styles.chartTitle}>
          {texts.byGroup(label.toLowerCase())}
        </h2>
        <SegmentedControl
          className={styles.chartGroups}
          aria-label={texts.groupBy}
          small
          options={OPTIONS}
          value={group}
          onValueChange={(value) => {
            setGroup(INSIGHT_GROUPS.find((one) => one === value) ?? 'customer');
            setIsWhole(false);
            setUnfolded(false);
          }}
        />
      </div>
      {all.length + deleted.length === 0 ? (
        <p className={styles.chartNone}>{group === 'person' ? texts.noOneHasAcceptedAny : texts.noneInTheseDays}</p>
      ) : (
        <ScrollRegion label={texts.byTable(label.toLowerCase())} className={styles.chartScroll}>
          <table className={styles.figures}>
            <thead>
              <tr>
                <th scope="col">{label}</th>
                <th scope="col">{texts.arrived}</th>
                <th scope="col">{texts.toAccept}</th>
                <th scope="col">{texts.toComplete}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row key={row.id ?? ''} row={row} group={group} href={hrefOf(group, row)} />
              ))}
              {deleted.length > 0 && (
                <tr>
                  <th scope="row">
                    <Button
                      className={styles.chartFold}
                      variant="minimal"
                      size="small"
                      icon={isUnfolded ? <CaretDownIcon /> : <CaretRightIcon />}
                      aria-expanded={isUnfolded}
                      text={texts.deleted(deleted.length)}
                      onClick={() => setUnfolded(!isUnfolded)}
                    />
                  </th>
                  <td>{numberText(deleted.reduce((sum, { arrived }) => sum + arrived, 0))}</td>
                  <td>{durationText(null)}</td>
                  <td>{durationText(null)}</td>
                </tr>
              )}
              {isUnfolded && deleted.map((row) => <Row key={row.id} row={row} group={group} href={undefined} />)}
            </tbody>
          </table>
          {all.length > rows.length && <MoreRows left={all.length - rows.length} onShow={() => setIsWhole(true)} />}
        </ScrollRegion>
      )}
    </section>
  );
}

const NO_NAME: Record<ListedGroup, string> = {
  customer: common.noCustomer,
  alertType: texts.noType,
  source: texts.noSource,
  person: texts.unassigned,
  // Only what was kept quiet, and what a rule was about, is in these lists.
  window: '',
  rule: '',
};

interface RowProps {
  row: InsightName;
  group: ListedGroup;
  href: string | undefined;
}

const Row = ({ row, group, href }: RowProps) => (
  <tr>
    <th scope="row">
      <Name row={row} group={group} href={href} />
    </th>
    <td>{numberText(row.arrived)}</td>
    <td>{durationText(row.accept.median)}</td>
    <td>{durationText(row.complete.median)}</td>
  </tr>
);

/** The name of a row, which leads to its alerts where a list can show them; of a rule on what arrives, that it is one. */
export function Name({ row, group, href }: RowProps) {
  const { id, name, isOnArrival } = row;
  if (id === null) return <span className={styles.figuresNone}>{NO_NAME[group]}</span>;
  if (name === null)
    return <span className={styles.figuresNone}>{texts.deletedOne(GROUP_LABELS[group].toLowerCase())}</span>;
  return (
    <>
      {href === undefined ? <bdi>{inertLine(name)}</bdi> : <Link to={href}>{inertLine(name)}</Link>}
      {isOnArrival && <span className={styles.figuresNone}> {texts.onArrival}</span>}
    </>
  );
}
