import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { WindowsConfiguration } from 'app-builder-lib';

/** A certificate in a file, as companies have it that sign with their own authority. */
interface CertificateSigning {
  by: 'certificate';
  certificateFile: string;
  certificatePassword: string;
  publisherName: string;
}

/**
 * Azure Trusted Signing, whose keys never leave Microsoft's hardware. Since June 2023 public authorities issue keys for
 * code signing in hardware alone (CA/Browser Forum, Baseline Requirements for Code Signing, 6.2.7.4), so a `.pfx` of
 * theirs is no longer to be had.
 */
interface AzureSigning {
  by: 'azure';
  /** Of the account's region, such as `https://weu.codesigning.azure.net`. */
  endpoint: string;
  account: string;
  /** The certificate profile. */
  profile: string;
  publisherName: string;
}

/** How builds are signed. `publisherName` is the certificate's subject, whole: an update must be signed by the same. */
export type Signing = CertificateSigning | AzureSigning;

const CERTIFICATE = ['WINDOWS_CERTIFICATE_FILE', 'WINDOWS_CERTIFICATE_PASSWORD'] as const;
const AZURE = ['AZURE_SIGNING_ENDPOINT', 'AZURE_SIGNING_ACCOUNT', 'AZURE_SIGNING_PROFILE'] as const;
/** Who signs, as Azure's libraries read it by themselves (EnvironmentCredential). */
const AZURE_IDENTITY = ['AZURE_TENANT_ID', 'AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET'] as const;
const PUBLISHER = 'WINDOWS_PUBLISHER_NAME';

/** What says when a signature was made, so that it is valid when the certificate has ended. */
const TIMESTAMP_SERVER = 'http://timestamp.digicert.com';
/** That of Trusted Signing, whose certificates end after three days. */
const AZURE_TIMESTAMP_SERVER = 'http://timestamp.acs.microsoft.com';

/**
 * Reads how to sign; undefined when nothing is configured, and the build does not update itself then.
 *
 * @throws {Error} when a part is missing, both ways are named, or the endpoint is no address of https.
 */
export function readSigning(environment: Record<string, string | undefined>): Signing | undefined {
  const isSet = (name: string) => Boolean(environment[name]);
  const hasCertificate = CERTIFICATE.some(isSet);
  const hasAzure = AZURE.some(isSet);
  if (!hasCertificate && !hasAzure && !isSet(PUBLISHER)) return undefined;
  if (hasCertificate && hasAzure) throw new Error(`Sign by ${CERTIFICATE[0]} or by ${AZURE[0]}, not by both.`);

  const names = hasAzure ? [...AZURE, ...AZURE_IDENTITY, PUBLISHER] : [...CERTIFICATE, PUBLISHER];
  const missing = names.filter((name) => !isSet(name));
  if (missing.length > 0) {
    throw new Error(`To sign, set all of ${names.join(', ')}; to not sign, none. Missing: ${missing.join(', ')}.`);
  }
  const read = (name: string) => environment[name] ?? '';
  const publisherName = read(PUBLISHER);
  if (!hasAzure) {
    const [certificateFile, certificatePassword] = [read(CERTIFICATE[0]), read(CERTIFICATE[1])];
    return { by: 'certificate', certificateFile, certificatePassword, publisherName };
  }
  const endpoint = read(AZURE[0]);
  if (!URL.canParse(endpoint) || new URL(endpoint).protocol !== 'https:') {
    throw new Error(`The environment variable ${AZURE[0]} is "${endpoint}", but it must be an address of https.`);
  }
  return { by: 'azure', endpoint, account: read(AZURE[1]), profile: read(AZURE[2]), publisherName };
}

/** electron-builder's options, for the installer and what removes the app. */
export function installerSigning(signing: Signing): Pick<WindowsConfiguration, 'signtoolOptions' | 'azureSignOptions'> {
  if (signing.by === 'certificate') {
    const { certificateFile, certificatePassword, publisherName } = signing;
    const options = { certificateFile, certificatePassword, publisherName };
    return {
      signtoolOptions: { ...options, signingHashAlgorithms: ['sha256'], rfc3161TimeStampServer: TIMESTAMP_SERVER },
    };
  }
  const { endpoint, account, profile, publisherName } = signing;
  return {
    azureSignOptions: { endpoint, codeSigningAccountName: account, certificateProfileName: profile, publisherName },
  };
}

/** What @electron/packager hands to @electron/windows-sign, for the programs and libraries of the app itself. */
export type PackagerSigning =
  | { certificateFile: string; certificatePassword: string; timestampServer: string }
  | { hookFunction: (file: string) => Promise<void> };

/** The packager's options. Of Trusted Signing it knows nothing, so each file is signed as electron-builder signs it. */
export function packagerSigning(signing: Signing, run = runPowerShell): PackagerSigning {
  if (signing.by === 'azure') return { hookFunction: (file) => run(azureCommand(signing, file)) };
  const { certificateFile, certificatePassword } = signing;
  return { certificateFile, certificatePassword, timestampServer: TIMESTAMP_SERVER };
}

/** A text in PowerShell, in which nothing is expanded. */
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** Signs one file with Microsoft's PowerShell module TrustedSigning, which the machine must have. */
function azureCommand({ endpoint, account, profile }: AzureSigning, file: string): string {
  const options = {
    Endpoint: endpoint,
    CodeSigningAccountName: account,
    CertificateProfileName: profile,
    FileDigest: 'SHA256',
    TimestampRfc3161: AZURE_TIMESTAMP_SERVER,
    TimestampDigest: 'SHA256',
    Files: file,
  };
  const words = Object.entries(options).map(([name, value]) => `-${name} ${quoted(value)}`);
  // A command that fails would else only write to the error stream, and the file would ship unsigned.
  return `$ErrorActionPreference = 'Stop'; Invoke-TrustedSigning ${words.join(' ')}`;
}

async function runPowerShell(command: string): Promise<void> {
  await promisify(execFile)('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', command]);
}
