import {
  WebAuthnAbortService,
  WebAuthnError,
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { useEffect, useState } from 'react';
import {
  type PasskeyAssertion,
  type PasskeyAttestation,
  passkeyAssertionSchema,
  passkeyAttestationSchema,
  passkeyOptionsSchema,
} from '#backend/contract/second-step.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import * as texts from './texts.ts';

/** A host that is an IP address: no passkey can belong to it. */
const isAddress = (host: string): boolean => /^\[|^\d+(?:\.\d+){3}$/.test(host);

/** Why passkeys do not work on this page; undefined where they do. */
function passkeyTrouble(): string | undefined {
  if (!window.isSecureContext) return texts.passkeysRequireHttps;
  if (isAddress(window.location.hostname)) {
    return texts.passkeysRequireHostNameAnd;
  }
  return browserSupportsWebAuthn() ? undefined : texts.thisBrowserDoesNotSupport;
}

/** Chromium in the desktop app has no dialogs of its own for passkeys: they are the system's, where that has some. */
const isDesktopApp = (): boolean => / Electron\//.test(navigator.userAgent);

/**
 * Why passkeys do not work here, as a sentence for the person; undefined where they do, `null` while that is being found
 * out.
 */
export function usePasskeyTrouble(): string | undefined | null {
  const [trouble, setTrouble] = useState(() => passkeyTrouble() ?? (isDesktopApp() ? null : undefined));
  useEffect(() => {
    if (trouble !== null) return;
    const none = texts.desktopAppDoesNotSupport;
    PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable().then(
      (isAvailable) => setTrouble(isAvailable ? undefined : none),
      () => setTrouble(none),
    );
  }, [trouble]);
  return trouble;
}

/** Says what went wrong with a passkey in words for the person; everything else is thrown as it is. */
function explain(error: unknown): never {
  const cause = error instanceof WebAuthnError ? error.cause : error;
  const name = cause instanceof Error ? cause.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') {
    throw new Error(texts.noPasskeyWasUsedIt, { cause: error });
  }
  if (name === 'InvalidStateError') throw new Error(texts.thisDeviceAlreadyHasPasskey, { cause: error });
  if (name === 'SecurityError' || name === 'NotSupportedError') {
    throw new Error(texts.thisBrowserDoesNotAllow, { cause: error });
  }
  throw error;
}

/** Asks the server at `path`, then the browser, for the use of a passkey. */
export async function askForPasskey(path: string): Promise<PasskeyAssertion> {
  const optionsJSON = await apiSend('POST', path, { schema: passkeyOptionsSchema });
  const credential = await startAuthentication({ optionsJSON: optionsJSON as never }).catch(explain);
  return passkeyAssertionSchema.parse(credential);
}

const giveUp = (): void => WebAuthnAbortService.cancelCeremony();

/** Asks the server at `path`, then the browser, for a new passkey. Once `signal` gives that up, it rejects. */
export async function askForNewPasskey(path: string, signal: AbortSignal): Promise<PasskeyAttestation> {
  const optionsJSON = await apiSend('POST', path, { schema: passkeyOptionsSchema });
  signal.throwIfAborted();
  signal.addEventListener('abort', giveUp);
  try {
    const credential = await startRegistration({ optionsJSON: optionsJSON as never }).catch(explain);
    // The person may have confirmed it in the same moment.
    signal.throwIfAborted();
    return passkeyAttestationSchema.parse(credential);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
