/** The made-up companies, machines and people that the demo's alerts are about. */

export const CUSTOMERS = [
  'Northwind Traders',
  'Brightwater Energy',
  'Halvorsen & Sons',
  'Kestrel Logistics',
  'Maple Street Bakery',
  'Orchard Health',
  'Pinecrest Hotels',
  'Quayside Ferries',
  'Redfern Insurance',
  'Stellar Cycles',
  'Tamarind Foods',
  'Umbra Optics',
] as const;

export const HOSTS = [
  'db-primary-1',
  'db-replica-2',
  'web-eu-03',
  'web-us-07',
  'queue-01',
  'cache-02',
  'build-runner-5',
  'storage-11',
] as const;

export const SERVICES = ['checkout', 'billing', 'search', 'sign-in', 'catalogue', 'mailer', 'exports'] as const;

export const REGIONS = ['eu-west-1', 'eu-central-1', 'us-east-1', 'ap-southeast-2'] as const;

export const PEOPLE = ['mara-lindqvist', 'tobias-ojo', 'ines-carvalho', 'priya-raman', 'jonas-weber'] as const;

/** The company whose systems report: its accounts at the senders have this name. */
export const COMPANY = { name: 'Lakeside Works', slug: 'lakeside-works' } as const;

/** Something that goes wrong with a machine, and what is measured then. */
export interface Trouble {
  title: string;
  /** As rules and alarms are named. */
  rule: string;
  metric: string;
  unit: string;
  /** It is reported at this value. */
  limit: number;
  low: number;
  high: number;
  severity: 'critical' | 'high' | 'warning' | 'low';
}

const trouble = (
  severity: Trouble['severity'],
  title: string,
  rule: string,
  measured: Omit<Trouble, 'severity' | 'title' | 'rule'>,
): Trouble => ({ severity, title, rule, ...measured });

export const TROUBLES = [
  trouble('high', 'Disk almost full', 'DiskAlmostFull', {
    metric: 'disk_used_percent',
    unit: '%',
    limit: 90,
    low: 91,
    high: 99,
  }),
  trouble('warning', 'CPU load is high', 'CpuLoadHigh', {
    metric: 'cpu_utilization',
    unit: '%',
    limit: 85,
    low: 86,
    high: 99,
  }),
  trouble('warning', 'Memory almost full', 'MemoryAlmostFull', {
    metric: 'memory_used_percent',
    unit: '%',
    limit: 90,
    low: 91,
    high: 98,
  }),
  trouble('critical', 'Error rate is high', 'ErrorRateHigh', {
    metric: 'http_errors_percent',
    unit: '% of requests',
    limit: 3,
    low: 4,
    high: 35,
  }),
  trouble('high', 'Requests are slow', 'RequestLatencyHigh', {
    metric: 'http_latency_p99_seconds',
    unit: 's at p99',
    limit: 1,
    low: 1.2,
    high: 6,
  }),
  trouble('critical', 'Replication lags', 'ReplicationLag', {
    metric: 'replication_lag_seconds',
    unit: 's behind',
    limit: 60,
    low: 61,
    high: 900,
  }),
  trouble('warning', 'Queue is growing', 'QueueGrowing', {
    metric: 'queue_messages',
    unit: 'messages',
    limit: 4_000,
    low: 5_000,
    high: 90_000,
  }),
  trouble('low', 'Backup is late', 'BackupLate', {
    metric: 'backup_age_hours',
    unit: 'h old',
    limit: 24,
    low: 25,
    high: 60,
  }),
] as const;

/** Pages that are watched from outside. */
export const SITES = [
  { id: 12, name: 'Shop front page', host: 'shop.example.org', path: '/' },
  { id: 14, name: 'Customer portal', host: 'portal.example.org', path: '/health' },
  { id: 23, name: 'Partner API', host: 'api.example.org', path: '/v2/status' },
  { id: 31, name: 'Status page', host: 'status.example.org', path: '/' },
  { id: 38, name: 'Booking calendar', host: 'booking.example.org', path: '/health' },
] as const;

export const FAULTS = [
  'timeout of 16000ms exceeded',
  'Request failed with status code 503',
  'connect ECONNREFUSED 203.0.113.17:443',
  'certificate has expired',
] as const;

export const COMMITS = [
  'Retry the payment once',
  'Show prices with their currency',
  'Cache the search index on disk',
  'Send invoices from the queue',
  'Read the time zone of the customer',
] as const;

export const TASKS = [
  'Renew the certificate of the partner API',
  'Invoices show the wrong currency for Swiss customers',
  'Export stops after 10,000 rows',
  'Search finds nothing when the query has an umlaut',
  'Password reset e-mail arrives twice',
] as const;
