/** An alert as an outside system may post it, with the fields that a card is made from. */
const EXAMPLE = {
  customer: 'Harbor & Finch',
  type: 'order.payment_failed',
};

/** The shell command that posts a first alert to `url`. */
export const curlExample = (url: string): string =>
  [
    `curl -i ${url}`,
    "-H 'X-Webhook-Auth: YOUR_API_KEY'",
    "-H 'Content-Type: application/json'",
    `-d '${JSON.stringify(EXAMPLE)}'`,
  ].join(' \\\n  ');
