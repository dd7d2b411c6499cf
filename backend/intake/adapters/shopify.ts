import type { AlertState } from '#backend/contract/alert.ts';
import type { Adapter } from './adapter.ts';
import { choice, choose, find, findHeader, joinFound, linkOf, rule, timeOf } from '#backend/intake/json/found.ts';

const NAME = choice('name', 'title', 'order_number', 'email', 'handle');
const STATUS = choice('financial_status', 'status');
const AMOUNT = choice('total_price', 'current_total_price', 'amount');
const TIME = choice('updated_at', 'created_at');

const EVENT = rule<AlertState>('event', 'Shopify reports what happened');

/** Shopify's webhooks: the topic and the shop are in headers. */
export const shopify: Adapter = {
  sender: 'shopify',
  read({ headers, body }) {
    if (!body.isObject) return { drafts: [] };
    const topic = findHeader(headers, 'x-shopify-topic');
    const shop = findHeader(headers, 'x-shopify-shop-domain') ?? find(body.get('myshopify_domain'));
    const amount = joinFound(' ', choose(body, AMOUNT), find(body.get('currency')));
    const what = joinFound(' ', choose(body, NAME), choose(body, STATUS));
    return {
      drafts: [
        {
          element: body,
          title: joinFound(', ', what, amount) ?? joinFound(' · ', topic, shop),
          customer: shop,
          alertType: topic,
          state: EVENT,
          deliveryId: findHeader(headers, 'x-shopify-webhook-id'),
          link: linkOf(find(body.get('order_status_url'))),
          at: timeOf(findHeader(headers, 'x-shopify-triggered-at') ?? choose(body, TIME)),
        },
      ],
      facts: { isTest: headers['x-shopify-test'] === 'true' },
    };
  },
};
