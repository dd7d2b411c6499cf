import { type ClientRequest, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { type DownloadOptions, HttpExecutor, configureRequestOptions, configureRequestUrl } from 'builder-util-runtime';

/** How the updater asks in tests: with Node's http where the app has Electron's net. */
export class NodeHttpExecutor extends HttpExecutor<ClientRequest> {
  override createRequest(options: RequestOptions, callback: (response: IncomingMessage) => void): ClientRequest {
    return request(options, callback);
  }

  /** The updater calls it by this name on Electron's executor. */
  download(url: URL, destination: string, options: DownloadOptions): Promise<string> {
    return options.cancellationToken.createPromise<string>((resolve, reject, onCancel) => {
      const requestOptions: RequestOptions = options.headers ? { headers: options.headers } : {};
      configureRequestUrl(url, requestOptions);
      configureRequestOptions(requestOptions);
      const callback = (error: Error | null) => (error ? reject(error) : resolve(destination));
      this.doDownload(requestOptions, { destination, options, onCancel, callback, responseHandler: null }, 0);
    });
  }
}
