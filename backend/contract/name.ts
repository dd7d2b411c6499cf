import { z } from 'zod';

/**
 * A name that somebody gives: 1–100 characters after trimming (contract.md section 4). Half a character, which JSON can
 * hold and no database, becomes the sign for what cannot be read, so that the answer tells what is stored.
 */
export const nameSchema = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .overwrite((name) => name.toWellFormed());
