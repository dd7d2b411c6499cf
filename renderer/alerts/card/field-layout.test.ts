import { expect, it } from 'vitest';
import { makeAlert } from '#tests/support/make-alert.ts';
import { cardLayout } from './card-layout.ts';
import { estimateLead, estimateWidth, fitFields, splitMiddle } from './field-layout.ts';

const field = (name: string, value: unknown, id = `payload.${name}`) => ({ id, key: name, name, value });
const wide = cardLayout('inbox', 1136, false);
const long = 'x'.repeat(80);

const fit = (fields: ReturnType<typeof field>[], layout = wide, lead = 350) => {
  const { shown, extra } = fitFields({ shown: fields, extra: [field('rest', 1)] }, layout, lead);
  return { shown: shown.map(({ name }) => name), extra: extra.map(({ name }) => name) };
};

it('shows what fits whole, and leaves the others to Extra Information', () => {
  expect(fit([field('host', 'db-7'), field('note', long), field('lag', '62 s')])).toEqual({
    shown: ['host', 'lag'],
    extra: ['note', 'rest'],
  });
  expect(fit([field('host', 'db-7'), field('lag', '62 s')], wide, 700).shown).toEqual([]);
});

it('cuts the first one only where none fits, and says the rest of it in Extra Information', () => {
  expect(fit([field('note', long), field('more', long)])).toEqual({ shown: ['note'], extra: ['note', 'more', 'rest'] });
});

it('shows the first one, cut, where it was looked for', () => {
  const fields = { shown: [field('note', long), field('lag', '62 s')], extra: [] };
  expect(fitFields(fields, wide, 350).shown.map(({ name }) => name)).toEqual(['lag']);
  expect(fitFields({ ...fields, isFirstFound: true }, wide, 350).shown.map(({ name }) => name)).toEqual(['note']);
});

it('has the whole line for fields that stand below the lead', () => {
  expect(fit([field('note', 'x'.repeat(60))], cardLayout('inbox', 1000, false), 350).shown).toEqual(['note']);
});

it('shows two below each other on a phone, and one line of them where the status switcher has their place', () => {
  const fields = [field('host', 'db-7'), field('lag', '62 s'), field('users', 3)];
  expect(fit(fields, cardLayout('inbox', 390, true)).shown).toEqual(['host', 'lag']);
  expect(fit(fields, cardLayout('queue', 390, true)).shown).toEqual(['host', 'lag', 'users']);
  expect(fit(fields, cardLayout('queue', 240, true)).shown).toEqual(['host', 'lag']);
  expect(fit(fields, cardLayout('all', 390, true)).shown).toEqual([]);
});

it('counts a value that stands in an object once, with the object', () => {
  const { extra } = fitFields(
    { shown: [field('amount', long, 'payload.data.amount')], extra: [field('data', {})] },
    wide,
    350,
  );
  expect(extra.map(({ name }) => name)).toEqual(['data']);
});

it('knows about how much the lead takes: the customer not where it is the headline', () => {
  const titled = makeAlert('a', { title: 'Disk full', customer: 'Harbor', alertType: 'disk', sourceName: 'Grafana' });
  expect(estimateLead(titled, true)).toBeGreaterThan(estimateLead(titled, false));
  expect(estimateLead({ ...titled, title: null }, false)).toBeLessThan(estimateLead(titled, false));
});

it('knows that the lead is cut where its parts are long, so that fields have the rest of the line', () => {
  const [one, longer] = [80, 200].map((length) => {
    const name = 'x'.repeat(length);
    return makeAlert('a', { title: 'Disk full', customer: name, alertType: name, sourceName: name });
  });
  expect(one && estimateLead(one, false)).toBe(longer && estimateLead(longer, false));
  expect(one && estimateLead(one, false)).toBeLessThan(700);
});

it('takes signs as wide as they are', () => {
  expect(estimateWidth('データベース')).toBeGreaterThan(estimateWidth('database'));
});

it('leaves short addresses whole', () => {
  expect(splitMiddle('api.kestrelhealth.ex')).toEqual(['api.kestrelhealth.ex', '']);
});

it('keeps the end of a long one, from a separator when one is near', () => {
  expect(splitMiddle('nw-db-03.eu-central.nordwind.example:9100')).toEqual([
    'nw-db-03.eu-central.nordwind',
    '.example:9100',
  ]);
  expect(splitMiddle('github.com/bluepeak/meter-ingest/actions/runs/1234567')).toEqual([
    'github.com/bluepeak/meter-ingest/actions',
    '/runs/1234567',
  ]);
  expect(splitMiddle('example.com/aVeryLongNameWithoutAnySeparator')).toEqual([
    'example.com/aVeryLongNameWithoutAn',
    'ySeparator',
  ]);
});
