import { useQuery } from '@tanstack/react-query';
import { type Latency, type LatencyFigures, latencySchema } from '#backend/contract/latency.ts';
import { apiGet } from '#renderer/lib/api-client.ts';
import { Panel, WhenLoaded } from '#renderer/ui/panel/panel.tsx';
import * as texts from './texts.tsx';
import * as panelStyles from '#renderer/ui/panel/panel.module.css';
import * as styles from './latency-panel.module.css';

const LATENCY = '/api/latency';

/** How often the figures are read again, in milliseconds: no event brings them. */
const REFRESH_MS = 15_000;

/** `GET /api/latency`, read again while it is shown. */
export const useLatency = () =>
  useQuery({
    queryKey: [LATENCY],
    queryFn: ({ signal }) => apiGet(LATENCY, latencySchema, { signal }),
    refetchOnMount: 'always',
    refetchInterval: REFRESH_MS,
  });

/** How long new alerts take from their webhook to people's screens, in the last minutes. */
export function LatencyPanel() {
  const query = useLatency();
  const { data } = query;
  return (
    <Panel title={texts.fromWebhookToScreen} hint={data && hintOf(data)}>
      <WhenLoaded what={texts.timesOfNewAlerts} queries={[query]}>
        <div className={panelStyles.panelBody}>{data && <Figures latency={data} />}</div>
      </WhenLoaded>
    </Panel>
  );
}

const hintOf = ({ minutes, servers }: Latency): string =>
  servers > 1 ? texts.newAlertsInLastMinutes(minutes, servers) : texts.newAlertsOfOneServer(minutes);

function Figures({ latency: { minutes, delivered, shown } }: { latency: Latency }) {
  if (delivered.samples === 0 && shown.samples === 0) {
    return <p className={styles.none}>{texts.noNewAlertReachedOpen(minutes)}</p>;
  }
  return (
    <table className={styles.figures}>
      <thead>
        <tr>
          <th scope="col">{texts.until}</th>
          <th scope="col">{texts.median}</th>
          <th scope="col">95 %</th>
          <th scope="col">99 %</th>
        </tr>
      </thead>
      <tbody>
        <Row name={texts.sentToEveryOpenPage} note={countOf(delivered, 'alert')} figures={delivered} />
        <Row name={texts.shownOnScreen} note={texts.fromPages(countOf(shown, 'sample'))} figures={shown} />
      </tbody>
    </table>
  );
}

function Row({ name, note, figures }: { name: string; note: string; figures: LatencyFigures }) {
  return (
    <tr>
      <th scope="row">
        {name}
        <span className={styles.note}>{note}</span>
      </th>
      <td>{timeText(figures.medianMs)}</td>
      <td>{timeText(figures.p95Ms)}</td>
      <td>{timeText(figures.p99Ms)}</td>
    </tr>
  );
}

const numbers = new Intl.NumberFormat('en-US');

const countOf = ({ samples }: LatencyFigures, what: string): string =>
  `${numbers.format(samples)} ${what}${samples === 1 ? '' : 's'}`;

/** "4.2 ms", "180 ms", "1.3 s"; a dash for none. */
function timeText(milliseconds: number | null): string {
  if (milliseconds === null) return '–';
  if (milliseconds < 10) return texts.milliseconds(milliseconds.toFixed(1));
  if (milliseconds < 1000) return texts.milliseconds(String(Math.round(milliseconds)));
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
