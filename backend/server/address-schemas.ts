import { z } from 'zod';
import { readAddress } from '#backend/platform/logger/read-address.ts';

/** An address of HTTP or HTTPS. */
export const httpUrl = z
  .string()
  .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))
  .transform((value) => new URL(value));

/** A database of MySQL or MariaDB. */
export const mysqlUrl = z.string().refine((value) => {
  const { protocol, hostname, pathname = '' } = readAddress(value);
  return protocol === 'mysql:' && hostname !== '' && /^\/[^/]+$/.test(pathname);
});

/** A Redis, with the number of its database. */
export const redisAddress = z.string().refine((value) => {
  const { protocol = '', hostname, pathname = '', search, hash } = readAddress(value);
  const isPlain = search === '' && hash === '' && /^(?:|\/|\/\d{1,5})$/.test(pathname);
  return /^rediss?:$/.test(protocol) && hostname !== '' && isPlain;
});
