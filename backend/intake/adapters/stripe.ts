import type { AlertState } from '#backend/contract/alert.ts';
import type { Adapter } from './adapter.ts';
import { type Found, choice, choose, find, linkOf, rule, timeOf, withValue } from '#backend/intake/json/found.ts';

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
          title: choose(object, TITLE) ?? withValue(type, type.value, 'failure_message, description: empty or missing'),
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

const pageOf = (id: Found | undefined, isLive: boolean): Found | undefined =>
  id?.value.startsWith('evt_')
    ? withValue(
        id,
        `https://dashboard.stripe.com/${isLive ? '' : 'test/'}events/${encodeURIComponent(id.value)}`,
        'the event in the dashboard',
      )
    : undefined;
