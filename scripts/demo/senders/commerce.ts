import type { Random } from '#scripts/demo/random.ts';
import { type Writer, json, secondsOf, uuid } from '#scripts/demo/webhook-request.ts';
import { CUSTOMERS } from '#scripts/demo/world.ts';

const CURRENCIES = ['EUR', 'USD', 'CHF'] as const;

const BUYERS = [
  { name: 'Ada Kestrel', email: 'ada.kestrel@example.com' },
  { name: 'Lena Brandt', email: 'lena.brandt@mail.example' },
  { name: 'Paul Okafor', email: 'p.okafor@example.net' },
  { name: 'Sofia Marin', email: 'sofia@marin.example' },
] as const;

const DECLINES = [
  ['card_declined', 'Your card was declined.'],
  ['insufficient_funds', 'Your card has insufficient funds.'],
  ['expired_card', 'Your card has expired.'],
] as const;

/** Digits as Stripe and Shopify make their ids, more than a number of JavaScript holds. */
const digits = (random: Random, count: number) => Array.from({ length: count }, () => random.whole(1, 9)).join('');

const charge = (random: Random) => {
  const { name, email } = random.pick(BUYERS);
  const order = `Order ${random.whole(100_000, 999_999)}`;
  const amount = random.whole(1_200, 240_000);
  const common = { amount, currency: random.pick(CURRENCIES).toLowerCase(), customer: `cus_${random.hex(14)}` };
  return { ...common, description: order, billing_details: { name, email }, receipt_email: email };
};

const STRIPE_EVENTS = [
  (random: Random) => {
    const [code, message] = random.pick(DECLINES);
    const failure = { failure_code: code, failure_message: message, paid: false, status: 'failed' };
    return ['charge.failed', { id: `ch_${random.hex(24)}`, object: 'charge', ...charge(random), ...failure }];
  },
  (random: Random) => {
    const dispute = { reason: 'product_not_received', status: 'needs_response' };
    const { description, ...disputed } = charge(random);
    const text = `Dispute of ${description}: the product was not received`;
    return [
      'charge.dispute.created',
      { id: `dp_${random.hex(24)}`, object: 'dispute', ...disputed, description: text, ...dispute },
    ];
  },
  (random: Random) => {
    const { name, email } = random.pick(BUYERS);
    const invoice = { amount_due: random.whole(2_000, 90_000), currency: 'eur', attempt_count: random.whole(1, 4) };
    return [
      'invoice.payment_failed',
      {
        id: `in_${random.hex(24)}`,
        object: 'invoice',
        ...invoice,
        customer_name: name,
        customer_email: email,
        description: `Invoice ${random.whole(10_000, 99_999)} could not be charged`,
      },
    ];
  },
] as const;

/** Stripe's events. */
export const stripe: Writer = (random, now) => {
  const [type, object] = random.pick(STRIPE_EVENTS)(random);
  const event = {
    id: `evt_${random.hex(24)}`,
    object: 'event',
    api_version: '2026-01-28.clover',
    created: secondsOf(now),
    data: { object },
    livemode: true,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
  return json(event, { 'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)' });
};

/** Shopify's webhooks of orders. Its ids have more digits than a number of JavaScript holds. */
export const shopify: Writer = (random, now) => {
  const [topic, financialStatus] = random.pick([
    ['orders/create', 'pending'],
    ['orders/paid', 'paid'],
    ['orders/cancelled', 'voided'],
    ['refunds/create', 'refunded'],
  ] as const);
  const { name, email } = random.pick(BUYERS);
  const [firstName, lastName] = name.split(' ');
  const number = random.whole(1_000, 9_999);
  const price = random.decimal(12, 900, 2).toFixed(2);
  const shop = random.pick(['lakeside-bikes.myshopify.com', 'lakeside-outdoor.myshopify.com']);
  const order = {
    admin_graphql_api_id: `gid://shopify/Order/${number}`,
    confirmed: true,
    created_at: now.toISOString(),
    currency: random.pick(CURRENCIES),
    total_price: price,
    customer: { email, first_name: firstName, last_name: lastName },
    email,
    financial_status: financialStatus,
    name: `#${number}`,
    order_number: number,
    order_status_url: `https://${shop}/548380009/orders/${random.hex(32)}/authenticate?key=${random.hex(32)}`,
    updated_at: now.toISOString(),
    line_items: [{ title: random.pick(['Trail bike 29"', 'Rain jacket', 'Walking boots']), quantity: 1, price }],
  };
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Shopify-Captain-Hook',
      'x-shopify-topic': topic,
      'x-shopify-shop-domain': shop,
      'x-shopify-webhook-id': uuid(random),
      'x-shopify-triggered-at': now.toISOString(),
      'x-shopify-api-version': '2026-01',
    },
    body: `{"id":${digits(random, 18)},${JSON.stringify(order).slice(1)}`,
  };
};

const mailEvent = (random: Random, now: Date) => {
  const { email } = random.pick(BUYERS);
  return {
    email,
    timestamp: secondsOf(now),
    'smtp-id': `<${random.hex(22)}@geopod-ismtpd-5>`,
    ...random.pick([
      { event: 'bounce', reason: '550 5.1.1 The mailbox does not exist', status: '5.1.1', type: 'bounce' },
      { event: 'dropped', reason: 'Bounced Address', status: '5.0.0' },
      { event: 'spamreport' },
      { event: 'deferred', response: '452 4.2.2 The mailbox is full', attempt: '3' },
    ]),
    category: [random.pick(['invoices', 'newsletter', 'password resets'])],
    sg_event_id: Buffer.from(random.hex(32), 'hex').toString('base64url'),
    sg_message_id: `${random.hex(22)}.filter0001.16648.5515E0B88.0`,
  };
};

/** SendGrid's event webhook: an array of one to three events. */
export const sendgrid: Writer = (random, now) =>
  json(
    Array.from({ length: random.whole(1, 3) }, () => mailEvent(random, now)),
    { 'user-agent': 'SendGrid Event API' },
  );

/** A service that follows Standard Webhooks. */
export const standardWebhooks: Writer = (random, now) => {
  const customer = random.pick(CUSTOMERS);
  const [type, title] = random.pick([
    ['invoice.overdue', `Invoice ${random.whole(10_000, 99_999)} of ${customer} is overdue`],
    ['subscription.cancelled', `${customer} cancelled the subscription`],
    ['quota.exceeded', `${customer} used ${random.whole(101, 140)} % of its quota`],
  ] as const);
  return json(
    { type, timestamp: now.toISOString(), customer, data: { id: `obj_${random.hex(12)}`, title } },
    { 'webhook-id': `msg_${random.hex(24)}` },
  );
};

const amountOf = (random: Random) => ({ amount: random.decimal(12, 2_400, 2), currency: random.pick(CURRENCIES) });

const orderNumber = (random: Random) => `SO-${random.whole(100_000, 999_999)}`;

const SHOP_EVENTS = [
  (random: Random) => {
    const order = orderNumber(random);
    const reason = random.pick(['card declined', 'insufficient funds', 'expired card', '3-D Secure not completed']);
    return {
      message: `Payment of ${order} failed: ${reason}`,
      alertType: 'payment_failed',
      severity: 'high',
      order_number: order,
      ...amountOf(random),
      attempt: random.whole(1, 4),
    };
  },
  (random: Random) => {
    const article = random.pick(['Trail bike 29"', 'Rain jacket', 'Espresso beans 1 kg', 'Reading lamp']);
    const left = random.whole(0, 6);
    return {
      message: left === 0 ? `${article} is sold out` : `${article} is almost sold out: ${left} left`,
      alertType: 'stock_low',
      severity: left === 0 ? 'warning' : 'low',
      sku: `A-${random.whole(1000, 9999)}`,
      left_in_stock: left,
      sold_last_7_days: random.whole(8, 140),
      warehouse: random.pick(['Rotterdam', 'Leipzig', 'Turin']),
    };
  },
  (random: Random) => {
    const order = orderNumber(random);
    const reason = random.pick(['arrived damaged', 'wrong size', 'never arrived', 'ordered twice']);
    return {
      message: `Refund of ${order} requested: ${reason}`,
      alertType: 'refund_requested',
      severity: 'info',
      order_number: order,
      ...amountOf(random),
      days_since_delivery: random.whole(1, 30),
    };
  },
  (random: Random) => {
    const order = orderNumber(random);
    return {
      message: `${order} looks like fraud`,
      alertType: 'fraud_suspected',
      severity: 'critical',
      order_number: order,
      ...amountOf(random),
      risk_score: random.decimal(0.71, 0.99, 2),
      signals: ['new account', 'shipping differs from billing', 'several cards'].slice(0, random.whole(1, 3)),
      ip_country: random.pick(['DE', 'NL', 'FR', 'US', 'BR']),
    };
  },
] as const;

/** A shop's own JSON: flat, with a customer and a type, as a team writes it for itself. */
export const shop: Writer = (random, now) => {
  const name = random.pick(CUSTOMERS);
  const body = {
    // Some of its services name the customer, others send the whole record.
    customer: random.whole(1, 4) === 1 ? { id: random.whole(1_000, 9_999), name } : name,
    ...random.pick(SHOP_EVENTS)(random),
    occurred_at: now.toISOString(),
    url: `https://shop.example.org/admin/events/${random.hex(8)}`,
  };
  return json(body, { 'user-agent': 'shop-events/2.4' });
};
