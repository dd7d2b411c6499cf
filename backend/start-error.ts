import { PRODUCT_NAME } from './contract/product.ts';
import type { Dialect } from './database/dialect.ts';
import { errorCode } from './database/driver-errors.ts';

/** A reason not to start, as one sentence for the person who started it. Shown without a stack. */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'StartError';
  }
}

/** A database that goes away while a server starts is no mistake of the product's: whoever supervises it starts it again. */
export function asStartError(dialect: Dialect, error: unknown): unknown {
  if (error instanceof StartError || !dialect.isUnavailable(error)) return error;
  return new StartError(
    `The database went away while ${PRODUCT_NAME} was starting (${errorCode(error)}); start it again once it is back.`,
    { cause: error },
  );
}
