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
