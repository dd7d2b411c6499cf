/** How builds are signed; both halves of it, or none. */
export interface Signing {
  certificateFile: string;
  certificatePassword: string;
  /** The certificate's subject, whole: an update must be signed by the same. */
  publisherName: string;
}

/**
 * Reads how to sign; undefined when nothing is configured, and the build does not update itself then.
 *
 * @throws {Error} when a part of it is missing.
 */
export function readSigning(environment: Record<string, string | undefined>): Signing | undefined {
  const names = ['WINDOWS_CERTIFICATE_FILE', 'WINDOWS_CERTIFICATE_PASSWORD', 'WINDOWS_PUBLISHER_NAME'] as const;
  const [certificateFile, certificatePassword, publisherName] = names.map((name) => environment[name] || undefined);
  if (certificateFile === undefined && certificatePassword === undefined && publisherName === undefined)
    return undefined;
  if (certificateFile === undefined || certificatePassword === undefined || publisherName === undefined) {
    throw new Error(`To sign, set all of ${names.join(', ')}; to not sign, none.`);
  }
  return { certificateFile, certificatePassword, publisherName };
}
