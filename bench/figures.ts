/** A figure that the product is held to, and where the bench measures it. */
export interface Figure {
  work: string;
  on: string;
  must: string;
  goal: string;
  /** The part of the bench and the name of its row; undefined for what `npm run bench` does not measure. */
  from: { part: string; name: string } | undefined;
}

const both = (figure: Omit<Figure, 'on'>): Figure[] => [
  { ...figure, on: 'SQLite' },
  { ...figure, on: 'MariaDB' },
];

/** Instead of a row's name: the slowest of all that the part reads. */
export const SLOWEST = 'the slowest';

/** Every figure of the page, measured or not. */
export const FIGURES: readonly Figure[] = [
  ...both({
    work: 'Processor time of a committed alert against bare Koa',
    must: '2 ×',
    goal: '1.5 ×',
    from: { part: 'ingest', name: 'CPU per alert against bare Koa' },
  }),
  {
    work: 'Processor time of a committed alert against Koa that stores as little as an inbox can do with',
    on: 'SQLite',
    must: '1.3 ×',
    goal: '1 ×',
    from: { part: 'ingest', name: 'CPU per alert against Koa that stores' },
  },
  {
    work: 'Processor time of the database for it, against bare Koa',
    on: 'MariaDB',
    must: '0.8 ×',
    goal: '0.5 ×',
    from: { part: 'ingest', name: 'CPU of the database against bare Koa' },
  },
  {
    work: 'Rate of committed alerts against bare Koa',
    on: 'SQLite',
    must: '0.6 ×',
    goal: '0.8 ×',
    from: { part: 'ingest', name: 'rate against bare Koa' },
  },
  {
    work: 'Rate of committed alerts against bare Koa',
    on: 'MariaDB',
    must: '0.4 ×',
    goal: '0.6 ×',
    from: { part: 'ingest', name: 'rate against bare Koa' },
  },
  {
    work: 'Processor time of a committed alert against Prometheus Alertmanager, which keeps it in memory',
    on: 'SQLite',
    must: '1.2 ×',
    goal: '1 ×',
    from: { part: 'alertmanager', name: 'CPU per alert against Alertmanager' },
  },
  {
    work: 'Rate against one save() for each request',
    on: 'SQLite',
    must: '6 ×',
    goal: '9 ×',
    from: { part: 'ingest', name: 'rate against save() per request' },
  },
  {
    work: 'Rate against one save() for each request',
    on: 'MariaDB',
    must: '4 ×',
    goal: '6 ×',
    from: { part: 'ingest', name: 'rate against save() per request' },
  },
  ...both({
    work: 'p99 at 64 connections against bare Koa',
    must: '2 ×',
    goal: '1.3 ×',
    from: { part: 'ingest', name: 'p99 against bare Koa' },
  }),
  ...both({
    work: 'Rate with 100 live clients against nobody listening',
    must: '0.7 ×',
    goal: '0.85 ×',
    from: { part: 'live', name: '100 live clients listening against nobody' },
  }),
  {
    work: 'p99 from a webhook’s answer to the last of 1,000 live clients, 20 alerts a second',
    on: 'SQLite',
    must: '30 ms',
    goal: '15 ms',
    from: { part: 'live', name: 'p99 of webhook answered → last of 1,000 clients' },
  },
  {
    work: 'Rate with synchronous=FULL against NORMAL',
    on: 'SQLite',
    must: '0.85 ×',
    goal: '0.95 ×',
    from: { part: 'live', name: 'synchronous=FULL against NORMAL' },
  },
  {
    work: 'Memory of a live client, of 1,000',
    on: 'SQLite',
    must: '20 KB',
    goal: '10 KB',
    from: { part: 'live', name: 'memory per live client, of 1,000' },
  },
  { work: 'Memory of an idle socket, of 5,000', on: 'SQLite', must: '20 KB', goal: '10 KB', from: undefined },
  {
    work: 'Time on the event loop of the worst body of 1 MiB against a plain one',
    on: 'SQLite',
    must: '3 ×',
    goal: '1.5 ×',
    from: { part: 'bodies', name: 'worst body of 1 MiB against a plain one' },
  },
  ...both({
    work: 'Slowest read: pages of lists, counts, searches, views',
    must: '50 ms',
    goal: '10 ms',
    from: { part: 'reads', name: SLOWEST },
  }),
  ...both({
    work: 'Page 100,000 alerts deep against the first',
    must: '3 ×',
    goal: '1.5 ×',
    from: { part: 'reads', name: 'deep page against the first' },
  }),
  {
    work: 'Memory with 8 unread answers of 500 × 1 MiB',
    on: 'SQLite',
    must: '400 MB',
    goal: '250 MB',
    from: undefined,
  },
  {
    work: '10,000 cards painted, against all drawn',
    on: 'browser',
    must: '20 ×',
    goal: '50 ×',
    from: { part: 'browser', name: '10000 cards painted, against 2000 all drawn' },
  },
  {
    work: 'Nodes of 10,000 cards against those of 100',
    on: 'browser',
    must: '1.05 ×',
    goal: '1 ×',
    from: { part: 'browser', name: 'nodes of 10000 cards, against 100' },
  },
  { work: 'Longest task while 10,000 cards scroll', on: 'browser', must: '100 ms', goal: '50 ms', from: undefined },
  {
    work: 'Second npm start until it serves',
    on: 'SQLite',
    must: '1,500 ms',
    goal: '1,000 ms',
    from: { part: 'browser', name: 'second npm start to serving' },
  },
  {
    work: 'Script of the first load, compressed',
    on: 'browser',
    must: '180 KB',
    goal: '150 KB',
    from: { part: 'browser', name: 'script of the first load, compressed' },
  },
  { work: 'Inbox on a slow phone (Lighthouse)', on: 'browser', must: '90', goal: '95', from: undefined },
  { work: 'npm test in a fresh clone on two cores', on: 'both', must: '12 min', goal: '8 min', from: undefined },
];
