/** Size of every body, in bytes: the same in every run, so that runs compare. */
export const BODY_BYTES = 460;

/** What the bodies of a load are: an alert each, reports of one problem again and again, or alerts as Alertmanager takes them. */
export type LoadKind = 'alerts' | 'one problem' | 'Alertmanager';

/**
 * Twenty alerts of ten customers and four types, each of exactly {@link BODY_BYTES}; or twenty reports of one problem, which
 * differ in the value that they report, as a sender's do.
 */
export const alertBodies = (kind: LoadKind = 'alerts'): string[] =>
  Array.from({ length: 20 }, (_, number) => {
    const index = kind === 'one problem' ? 0 : number;
    const alert = {
      ...(kind === 'one problem' && { dedup_key: 'disk', status: 'firing' }),
      customer: `Customer ${index % 10}`,
      alertType: ['disk_full', 'latency', 'backup_failed', 'payment_failed'][index % 4],
      host: `host-${index}.example.org`,
      severity: index % 2 ? 'warning' : 'critical',
      value: 90 + number / 4,
      message: '',
    };
    if (kind === 'Alertmanager') return alertmanagerBody(alert);
    const space = BODY_BYTES - Buffer.byteLength(JSON.stringify(alert));
    return JSON.stringify({ ...alert, message: 'the disk fills up '.repeat(space).slice(0, space) });
  });

/** The same fields as labels and annotations; the host makes it an alert of its own, kept in memory until it ends. */
function alertmanagerBody({ customer, alertType, host, severity, value }: Record<string, unknown>): string {
  const body = (message: string) =>
    JSON.stringify([
      {
        labels: { alertname: alertType, customer, host, severity },
        annotations: { value: String(value), message },
      },
    ]);
  const space = BODY_BYTES - Buffer.byteLength(body(''));
  return body('the disk fills up '.repeat(space).slice(0, space));
}
