import * as z from 'zod/mini';

/**
 * A name that somebody gives: 1–100 characters after trimming (contract.md section 4). Half a character, which JSON can
 * hold and no database, becomes the sign for what cannot be read, so that the answer tells what is stored.
 */
export const nameSchema = z.string().check(
  z.trim(),
  z.minLength(1),
  z.maxLength(100),
  z.overwrite((name) => name.toWellFormed()),
);
