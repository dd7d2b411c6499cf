import type { Delivery } from '#backend/contract/delivery.ts';

/** Whether a delivery came as an email: the log says so where requests have their HTTP method. */
export const isEmail = ({ method }: Pick<Delivery, 'method'>): boolean => method === 'SMTP';
