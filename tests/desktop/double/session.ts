import { EventEmitter } from 'node:events';
import { preventable } from './preventable.ts';

type Members = 'setPermissionRequestHandler' | 'setPermissionCheckHandler' | 'setCertificateVerifyProc';
type RequestHandler = Parameters<Electron.Session['setPermissionRequestHandler']>[0];
type CheckHandler = Parameters<Electron.Session['setPermissionCheckHandler']>[0];
type VerifyProc = Parameters<Electron.Session['setCertificateVerifyProc']>[0];

/** The session of all pages: it keeps what the app decides, and a test asks. */
export class DoubleSession extends EventEmitter implements Pick<Electron.Session, Members> {
  #request: RequestHandler = null;
  #check: CheckHandler = null;
  #verify: VerifyProc = null;

  setPermissionRequestHandler(handler: RequestHandler): void {
    this.#request = handler;
  }

  setPermissionCheckHandler(handler: CheckHandler): void {
    this.#check = handler;
  }

  setCertificateVerifyProc(proc: VerifyProc): void {
    this.#verify = proc;
  }

  /** Whether a page at `requestingUrl` gets a permission, asked for and looked up. Without handlers Electron grants all. */
  async permits(
    permission: Parameters<NonNullable<RequestHandler>>[1],
    requestingUrl: string,
  ): Promise<[boolean, boolean]> {
    const asked = new Promise<boolean>((resolve) => {
      if (!this.#request) resolve(true);
      this.#request?.({} as Electron.WebContents, permission, resolve, { requestingUrl, isMainFrame: true });
    });
    const origin = new URL(requestingUrl).origin;
    const details = { isMainFrame: true, requestingUrl };
    const looked = this.#check?.(null, permission as Parameters<NonNullable<CheckHandler>>[1], origin, details) ?? true;
    return [await asked, looked];
  }

  /** How a certificate is judged: 0 trusted, -2 refused, -3 as Chromium decides. */
  judges(request: { hostname: string; fingerprint: string; verificationResult: string }): Promise<number> {
    const { hostname, fingerprint, verificationResult } = request;
    return new Promise((resolve) => {
      if (!this.#verify) resolve(-3);
      const certificate = { fingerprint } as Electron.Certificate;
      this.#verify?.(
        {
          hostname,
          certificate,
          validatedCertificate: certificate,
          verificationResult,
          errorCode: 0,
          isIssuedByKnownRoot: false,
        },
        resolve,
      );
    });
  }

  /** Whether a download from `url` begins. */
  downloads(url: string): boolean {
    const event = preventable({});
    this.emit('will-download', event, { getURL: () => url }, {});
    return !event.defaultPrevented;
  }
}
