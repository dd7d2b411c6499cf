import type { Random } from '#scripts/demo/random.ts';
import { type Sender, jsonRequest } from '#scripts/demo/webhook-request.ts';
import { CUSTOMERS } from '#scripts/demo/world.ts';

const amount = (random: Random) => ({
  amount: random.decimal(12, 2_400, 2),
  currency: random.pick(['EUR', 'USD', 'CHF']),
});

const OCCASIONS: readonly [
  (random: Random) => Record<string, unknown>,
  ...((random: Random) => Record<string, unknown>)[],
] = [
  (random) => ({
    alertType: 'payment_failed',
    order_number: `SO-${random.whole(100_000, 999_999)}`,
    ...amount(random),
    reason: random.pick(['card_declined', 'insufficient_funds', 'expired_card', '3-D Secure not completed']),
    attempt: random.whole(1, 4),
  }),
  (random) => ({
    alertType: 'stock_low',
    article: random.pick(['Trail bike 29"', 'Rain jacket', 'Espresso beans 1 kg', 'Reading lamp', 'Walking boots']),
    sku: `A-${random.whole(1000, 9999)}`,
    left_in_stock: random.whole(0, 6),
    sold_last_7_days: random.whole(8, 140),
    warehouse: random.pick(['Rotterdam', 'Leipzig', 'Turin']),
  }),
  (random) => ({
    alertType: 'refund_requested',
    order_number: `SO-${random.whole(100_000, 999_999)}`,
    ...amount(random),
    reason: random.pick(['arrived damaged', 'wrong size', 'never arrived', 'ordered twice']),
    days_since_delivery: random.whole(1, 30),
  }),
  (random) => ({
    alertType: 'fraud_suspected',
    order_number: `SO-${random.whole(100_000, 999_999)}`,
    ...amount(random),
    risk_score: random.decimal(0.71, 0.99, 2),
    signals: ['new account', 'shipping differs from billing', 'several cards'].slice(0, random.whole(1, 3)),
    ip_country: random.pick(['DE', 'NL', 'FR', 'US', 'BR']),
  }),
];

/** A shop's own JSON: flat, with a customer and a type, as a team writes it for itself. */
export const shop: Sender = (random, now) => {
  const name = random.pick(CUSTOMERS);
  const occasion = random.pick(OCCASIONS)(random);
  const body = {
    // Some of its services name the customer, others send the whole record.
    customer: random.whole(1, 4) === 1 ? { id: random.whole(1_000, 9_999), name } : name,
    ...occasion,
    occurred_at: now.toISOString(),
    url: `https://shop.example.org/admin/events/${random.hex(8)}`,
  };
  return jsonRequest('The shop', body, { 'user-agent': 'shop-events/2.4' });
};
