import type { AlertState } from '#backend/contract/alert.ts';
import type { Adapter } from './adapter.ts';
import {
  type Found,
  choice,
  choose,
  find,
  joinFound,
  linkOf,
  rule,
  timeOf,
  withValue,
} from '#backend/intake/json/found.ts';
import type { JsonValue } from '#backend/intake/json/json-value.ts';
import { wordsOf } from '#backend/intake/understanding/field-names.ts';

const CUSTOMER = choice(
  'customer_name',
  'billing_details.name',
  'customer_details.name',
  'customer_email',
  'receipt_email',
  'billing_details.email',
  'customer_details.email',
  'email',
  'customer',
);
const TITLE = choice('failure_message', 'last_payment_error.message', 'last_setup_error.message', 'description');

const EVENT = rule<AlertState>('event', 'Stripe reports what happened');

/** Stripe's events. */
export const stripe: Adapter = {
  sender: 'stripe',
  read({ body }) {
    const type = find(body.get('type'));
    if (type === undefined) return { drafts: [] };
    const id = find(body.get('id'));
    const object = body.get('data')?.get('object');
    const isBad = /fail|dispute/.test(type.value);
    return {
      drafts: [
        {
          element: body,
          title:
            choose(object, TITLE) ??
            disputeOf(type, object) ??
            withValue(type, type.value, 'failure_message, description: empty or missing'),
          customer: choose(object, CUSTOMER),
          alertType: type,
          severity: isBad ? withValue(type, 'high', 'failures and disputes are high') : undefined,
          state: EVENT,
          deliveryId: id,
          link: linkOf(pageOf(id, body.get('livemode')?.source === 'true')),
          at: timeOf(find(body.get('created'))),
        },
      ],
    };
  },
};

/** What a dispute or a warning of fraud is about: it has a reason, a sum and a deadline, but no text. */
function disputeOf(type: Found, object: JsonValue | undefined): Found | undefined {
  const reason = find(object?.get('reason'));
  if (reason === undefined) return undefined;
  const kind = find(object?.get('object')) ?? type;
  const said = [kind, reason, find(object?.get('status'))].map(
    (part) => part && withValue(part, wordsOf(part.value).join(' ')),
  );
  const [what, why, standing] = said;
  const whole = joinFound(', ', joinFound(': ', what, why), sumOf(object), standing);
  return whole && withValue(whole, whole.value.charAt(0).toUpperCase() + whole.value.slice(1));
}

/** Stripe's amounts are in the smallest unit, which some currencies do not have (https://docs.stripe.com/currencies#zero-decimal). */
const WHOLE = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' '));

function sumOf(object: JsonValue | undefined): Found | undefined {
  const amount = find(object?.get('amount'));
  const currency = find(object?.get('currency'));
  if (amount === undefined || currency === undefined) return undefined;
  const sum = WHOLE.has(currency.value) ? amount.value : (Number(amount.value) / 100).toFixed(2);
  return withValue(amount, `${sum} ${currency.value.toUpperCase()}`, 'amount and currency');
}

const pageOf = (id: Found | undefined, isLive: boolean): Found | undefined =>
  id?.value.startsWith('evt_')
    ? withValue(
        id,
        `https://dashboard.stripe.com/${isLive ? '' : 'test/'}events/${encodeURIComponent(id.value)}`,
        'the event in the dashboard',
      )
    : undefined;
