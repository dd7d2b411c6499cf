import { useId } from 'react';
import { Link } from 'react-router-dom';
import type { InsightProblem } from '#backend/contract/insight.ts';
import { SeverityMark } from '#renderer/alerts/card/severity-mark.tsx';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { MANAGER_ROLES } from '#renderer/lib/paths.ts';
import * as common from '#renderer/lib/texts.ts';
import * as pageTexts from '#renderer/lib/page-texts.ts';
import { useSession } from '#renderer/session/session.ts';
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx';
import { headlineOf, numberText, shareText } from './figure-labels.ts';
import { type NamesOfFilters, type Reader, hrefOfProblem, hrefOfQuieting } from './insight-links.ts';
import * as texts from './texts.ts';
import * as styles from './charts.module.css';

interface ProblemsPanelProps {
  problems: readonly InsightProblem[];
  range: { from: string; to: string };
  filters: NamesOfFilters;
  reader: Reader;
}

/** The problems that were delivered most. Administrators keep one quiet from here. */
export function ProblemsPanel({ problems, range, filters, reader }: ProblemsPanelProps) {
  const id = useId();
  const { role } = useSession();
  const mayQuiet = MANAGER_ROLES.includes(role);
  if (problems.length === 0) return null;
  return (
    <section className={styles.chart} aria-labelledby={id}>
      <div className={styles.chartHead}>
        <h2 id={id} className={styles.chartTitle}>
          {texts.noisiestProblems}
        </h2>
      </div>
      <ScrollRegion label={texts.noisiestProblemsTable} className={styles.problems}>
        <table className={styles.figures}>
          <thead>
            <tr>
              <th scope="col">{texts.problem}</th>
              <th scope="col" className={styles.text}>
                {pageTexts.source}
              </th>
              <th scope="col" className={styles.text}>
                {pageTexts.customer}
              </th>
              <th scope="col">{texts.deliveries}</th>
              <th scope="col">{texts.alerts}</th>
              <th scope="col">{texts.flapped}</th>
              <th scope="col">{texts.keptQuietColumn}</th>
              <th scope="col">{texts.accepted}</th>
              {mayQuiet && (
                <th scope="col">
                  <span className="ad-hidden">{texts.actions}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {problems.map((problem, rank) => (
              <tr key={problem.alertId ?? rank}>
                <th scope="row">
                  <SeverityMark severity={problem.severity} state="event" />{' '}
                  <Headline problem={problem} href={hrefOfProblem(problem, range, filters, reader)} />
                </th>
                <td className={styles.text}>
                  <bdi>{inertLine(problem.source ?? texts.noSource)}</bdi>
                </td>
                <td className={styles.text}>
                  <bdi>{inertLine(problem.customer ?? common.noCustomer)}</bdi>
                </td>
                <td>{numberText(problem.deliveries)}</td>
                <td>{numberText(problem.arrived)}</td>
                <td>{numberText(problem.flapped)}</td>
                <td>{numberText(problem.suppressed)}</td>
                <td>{shareText(problem.accept.alerts, problem.arrived)}</td>
                {mayQuiet && (
                  <td>
                    {problem.title !== null && (
                      <Link to={hrefOfQuieting(problem)} aria-label={texts.keepQuietNamed(inertLine(problem.title))}>
                        {texts.keepQuiet}
                      </Link>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}

function Headline({ problem, href }: { problem: InsightProblem; href: string | undefined }) {
  const text = inertLine(headlineOf(problem));
  return href === undefined ? <span className={styles.figuresNone}>{text}</span> : <Link to={href}>{text}</Link>;
}
