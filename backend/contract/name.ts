import * as z from 'zod/mini';

/**
 * A name that a member chooses: 1–100 characters after trimming. A lone surrogate, which JSON can hold and no database
 * can, becomes the replacement character, so that the answer shows what is stored.
 */
export const nameSchema = z.string().check(
  z.trim(),
  z.minLength(1),
  z.maxLength(100),
  z.overwrite((name) => name.toWellFormed()),
);
