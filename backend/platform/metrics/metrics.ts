import process from 'node:process';
import { type Aggregator, Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { labelledCounter } from './labelled-counter.ts';
import { type LiveLatency, createLatencyMetrics } from './live-latency.ts';
import { createOutgoingMetrics } from './outgoing-metrics.ts';
import {
  type ClusterObserver,
  DATABASE_ERRORS,
  DROPPED_MESSAGES,
  DROP_REASONS,
  MAIL_OUTCOMES,
  type DatabaseObserver,
  type IngestObserver,
  type LiveObserver,
  type ObserveAnswer,
  type ObserveDeleted,
  type ObserveDroppedDeliveries,
  type ObserveMail,
  type OutgoingObserver,
  type ObservePush,
  type ObserveSignIn,
  type ObserveSpans,
  PUSH_OUTCOMES,
  SPAN_OUTCOMES,
  SIGN_IN_OUTCOMES,
} from './observers.ts';
import { type Standing, standingMetrics } from './standing-metrics.ts';
import { type MetricValues, WORKER_RESTARTS } from './sum-metrics.ts';

/** What a server counts, and its text for Prometheus. */
export interface Metrics {
  answer: ObserveAnswer;
  ingest: IngestObserver;
  live: LiveObserver;
  database: DatabaseObserver;
  signIn: ObserveSignIn;
  push: ObservePush;
  /** Emails that were sent to this server. */
  mailIn: ObserveMail;
  outgoing: OutgoingObserver;
  deleted: ObserveDeleted;
  droppedDeliveries: ObserveDroppedDeliveries;
  cluster: ClusterObserver;
  spans: ObserveSpans;
  /** How long webhooks took to live clients in the last minutes. */
  liveLatency(): LiveLatency;
  /** Sets where to read what is not counted but is so at the moment. */
  watch(levels: Levels): void;
  /** Everything, in Prometheus's text format. */
  text(): Promise<string>;
  /** Everything, to be added to what other workers count. */
  values(): Promise<MetricValues>;
}

/** What goes up and down. */
export interface Levels {
  ingestQueue(): { alerts: number; bytes: number };
  liveSockets(): { open: number; bufferedBytes: number };
  pendingPushes(): { alerts: number; messages: number };
  waitingTransactions(): number;
  queuedDeliveries(): number;
  /** Whether events are shared through Redis, and how many servers share them; 0 without REDIS_URL. */
  cluster(): { isConnected: boolean; servers: number };
  /** How heartbeats and maintenance windows stand. */
  standing(): Promise<Standing>;
}

/** Seconds: from what a fast disk takes to where clients give up. */
const DURATION_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Alerts of one commit: it holds 256 at most. */
const BATCH_BOUNDS = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/**
 * The metrics of one server, in a registry of its own: several servers in one process do not count for each other.
 * Recording an alert takes 1.4 µs, an answer's labels most of it.
 */
export function createMetrics(version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'alertdesk_build_info',
    help: 'Always 1; the version of Alertdesk and of Node.js are its labels.',
    labelNames: ['version', 'node'],
    aggregator: 'first',
    registers: [registry],
  }).set({ version, node: process.version }, 1);

  const signIns = labelledCounter(registry, 'outcome', SIGN_IN_OUTCOMES, {
    name: 'alertdesk_sign_ins_total',
    help: 'Attempts to sign in, by how they ended.',
  });
  const pushes = labelledCounter(registry, 'outcome', PUSH_OUTCOMES, {
    name: 'alertdesk_push_messages_total',
    help: 'Web push messages, by what became of them; an attempt that is to be repeated counts as retried.',
  });
  const mails = labelledCounter(registry, 'outcome', MAIL_OUTCOMES, {
    name: 'alertdesk_received_mails_total',
    help: 'Emails that were sent to addresses of sources, by what became of them: stored, or why they were not.',
  });
  const deleted = new Counter({
    name: 'alertdesk_retention_deleted_alerts_total',
    help: 'Completed alerts that were deleted because of their age.',
    registers: [registry],
  });
  const droppedDeliveries = new Counter({
    name: 'alertdesk_delivery_log_dropped_total',
    help: 'Requests to sources that were not written into the delivery log, because too many waited.',
    registers: [registry],
  });
  const spans = labelledCounter(registry, 'outcome', SPAN_OUTCOMES, {
    name: 'alertdesk_trace_spans_total',
    help: 'Spans of traces: sent, failed (the collector refused them or was away) or dropped because too many waited.',
  });
  const latency = createLatencyMetrics(registry);
  new Gauge({
    name: 'alertdesk_workers',
    help: 'Processes that share the port and answered this scrape: as many as WORKERS says while all is well.',
    registers: [registry],
  }).set(1);
  new Counter({ ...WORKER_RESTARTS, registers: [registry] }).inc(0);
  let levels: Levels | undefined;
  watchLevels(registry, () => levels);
  standingMetrics(registry, () => levels?.standing());
  return {
    answer: answerMetrics(registry),
    ingest: ingestMetrics(registry),
    live: { ...liveMetrics(registry), delivered: latency.delivered, shown: latency.shown },
    database: databaseMetrics(registry),
    cluster: clusterMetrics(registry),
    spans: (outcome, count) => spans.inc({ outcome }, count),
    push: (outcome) => pushes.inc({ outcome }),
    mailIn: (outcome) => mails.inc({ outcome }),
    outgoing: createOutgoingMetrics(registry),
    deleted: (alerts) => deleted.inc(alerts),
    droppedDeliveries: (deliveries) => droppedDeliveries.inc(deliveries),
    signIn: (outcome) => signIns.inc({ outcome }),
    liveLatency: latency.recent,
    watch(what) {
      levels = what;
    },
    text: () => registry.metrics(),
    values: () => registry.getMetricsAsJSON(),
  };
}

function answerMetrics(registry: Registry): ObserveAnswer {
  const durations = new Histogram({
    registers: [registry],
    name: 'alertdesk_http_request_duration_seconds',
    help: 'Time until the answer of an HTTP request was ready, by method, route and status; its count is the number of requests.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BOUNDS,
  });
  return (method, route, status, seconds) => durations.observe({ method, route, status }, seconds);
}

function ingestMetrics(registry: Registry): IngestObserver {
  const outcomes = { accepted: 0, repeated: 0, refused: 0 };
  registry.registerMetric(
    new Counter({
      name: 'alertdesk_ingest_alerts_total',
      help: 'Webhook alerts: accepted (stored), repeated (a redelivery of one that is stored) or refused.',
      labelNames: ['outcome'],
      registers: [],
      collect() {
        this.reset();
        for (const [outcome, count] of Object.entries(outcomes)) this.inc({ outcome }, count);
      },
    }),
  );
  const duration = new Histogram({
    registers: [registry],
    name: 'alertdesk_ingest_commit_duration_seconds',
    help: 'Time from the receipt of a webhook alert to the commit that holds it.',
    buckets: DURATION_BOUNDS,
  });
  const batch = new Histogram({
    registers: [registry],
    name: 'alertdesk_ingest_batch_alerts',
    help: 'Webhook alerts in one commit.',
    buckets: BATCH_BOUNDS,
  });
  return {
    accepted(seconds) {
      outcomes.accepted += 1;
      duration.observe(seconds);
    },
    repeated() {
      outcomes.repeated += 1;
    },
    refused() {
      outcomes.refused += 1;
    },
    committed: (alerts) => batch.observe(alerts),
  };
}

function liveMetrics(registry: Registry): Pick<LiveObserver, 'sent' | 'dropped'> {
  const sent = new Counter({
    name: 'alertdesk_live_events_sent_total',
    help: 'Live events sent, counted for every client that they went to.',
    registers: [registry],
  });
  const dropped = labelledCounter(registry, 'reason', DROP_REASONS, {
    name: 'alertdesk_live_dropped_clients_total',
    help: 'Live clients whose connection the server ended, by reason.',
  });
  return { sent: (events) => sent.inc(events), dropped: (reason) => dropped.inc({ reason }) };
}

function databaseMetrics(registry: Registry): DatabaseObserver {
  const duration = new Histogram({
    registers: [registry],
    name: 'alertdesk_database_transaction_duration_seconds',
    help: 'Time that a database transaction took once its turn had come.',
    buckets: DURATION_BOUNDS,
  });
  const errors = labelledCounter(registry, 'kind', DATABASE_ERRORS, {
    name: 'alertdesk_database_errors_total',
    help: 'Errors of database transactions: unavailable, retried (deadlock or lock timeout), or other.',
  });
  return { ran: (seconds) => duration.observe(seconds), failed: (kind) => errors.inc({ kind }) };
}

function clusterMetrics(registry: Registry): ClusterObserver {
  const counter = (name: string, help: string) => new Counter({ name, help, registers: [registry] });
  const sent = counter('alertdesk_cluster_events_sent_total', 'Events of this server that were sent to others.');
  const received = counter('alertdesk_cluster_events_received_total', 'Events that came from other servers.');
  const gaps = counter(
    'alertdesk_cluster_gaps_total',
    'Times that events of another server were missing, and everything was read again.',
  );
  const polls = counter(
    'alertdesk_cluster_polls_total',
    'Times that the database was asked for events of other servers: once a second, more often while Redis is away.',
  );
  const dropped = labelledCounter(registry, 'reason', DROPPED_MESSAGES, {
    name: 'alertdesk_cluster_messages_dropped_total',
    help: 'Messages from Redis that were dropped: unsigned, forged, late (signed over a minute ago) or replayed.',
  });
  return {
    sent: (events) => sent.inc(events),
    received: (events) => received.inc(events),
    missed: () => gaps.inc(),
    polled: () => polls.inc(),
    droppedMessage: (reason) => dropped.inc({ reason }),
  };
}

function watchLevels(registry: Registry, current: () => Levels | undefined): void {
  const gauge = (name: string, help: string, read: (levels: Levels) => number, aggregator: Aggregator = 'sum') =>
    new Gauge({
      name,
      help,
      aggregator,
      registers: [registry],
      collect() {
        const levels = current();
        if (levels) this.set(read(levels));
      },
    });
  gauge('alertdesk_ingest_queue_alerts', 'Webhook alerts that wait for their commit.', (at) => at.ingestQueue().alerts);
  gauge('alertdesk_ingest_queue_bytes', 'Size of what waits for its commit.', (at) => at.ingestQueue().bytes);
  gauge('alertdesk_live_sockets', 'Live clients that are connected.', (at) => at.liveSockets().open);
  gauge(
    'alertdesk_live_buffered_bytes',
    'Bytes sent to live clients that they have not taken yet.',
    (at) => at.liveSockets().bufferedBytes,
  );
  gauge(
    'alertdesk_push_waiting_alerts',
    'Alerts that not every subscribed device was notified of yet.',
    (at) => at.pendingPushes().alerts,
  );
  gauge(
    'alertdesk_push_sending_messages',
    'Web push messages that are on their way.',
    (at) => at.pendingPushes().messages,
  );
  gauge('alertdesk_database_waiting_transactions', 'Database transactions that wait for their turn.', (at) =>
    at.waitingTransactions(),
  );
  gauge(
    'alertdesk_cluster_redis_connected',
    'Is 1 while events are shared through Redis, 0 otherwise.',
    (at) => Number(at.cluster().isConnected),
    'min',
  );
  gauge(
    'alertdesk_cluster_servers',
    'Servers that share events with this one, itself included; 0 without REDIS_URL.',
    (at) => at.cluster().servers,
    'max',
  );
  gauge('alertdesk_delivery_log_waiting', 'Requests to sources that wait to be written into the delivery log.', (at) =>
    at.queuedDeliveries(),
  );
}
