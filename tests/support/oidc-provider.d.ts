/** What tests use of `oidc-provider`, which ships no types. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  interface GrantContext {
    oidc: { client: { clientId: string }; session: { accountId: string } };
  }

  export class Provider {
    constructor(issuer: string, configuration: Record<string, unknown>);
    readonly Grant: new (of: { clientId: string; accountId: string }) => Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{ prompt: { name: string }; params: Record<string, unknown> }>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: unknown): Promise<void>;
  }
  export type { GrantContext };
}
