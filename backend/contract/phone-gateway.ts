import * as z from 'zod/mini';

/** Templates hold text that every database can. */
const template = (most: number) =>
  z.string().check(
    z.trim(),
    z.maxLength(most),
    z.overwrite((value) => value.toWellFormed()),
  );

export const gatewayMethodSchema = z.enum(['POST', 'PUT', 'GET']);

/**
 * Fields of a destination of the kind `phone`: how a gateway is asked. `headers` are one a line: `Authorization: Bearer
 * {{secret}}`. `template` is the body. Like the address they may name `{{number}}`, `{{text}}`, `{{title}}`, `{{link}}` and
 * `{{secret}}`, which is its token; `{{secret | base64}}` for Basic authentication. Values are escaped as the content type says.
 */
export const gatewayFields = {
  method: z.optional(gatewayMethodSchema),
  headers: z.optional(template(2_000)),
  template: z.optional(template(4_000)),
};

/** What a destination shows of a gateway, too. */
export const shownGatewayFields = {
  ...gatewayFields,
  /** Confirmed phones of members that are reached through it; absent of other destinations. */
  phones: z.optional(z.int().check(z.nonnegative())),
};
