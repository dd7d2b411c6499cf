import {
  type OutgoingReceiver,
  type ReceivedRequest,
  type ReceiverAnswer,
  startReceiver,
} from './outgoing-receiver.ts';

export type VendorAnswer = Exclude<ReceiverAnswer, 'hang'>;
export type VendorRequest = Omit<ReceivedRequest, 'status' | 'at'>;

/** What every double of a vendor's API has. */
export interface VendorDouble {
  readonly url: string;
  readonly receiver: OutgoingReceiver;
  /** What it is asked to do is done, and its answer is lost: of requests that change something. */
  losesAnswers: boolean;
  /** So many requests are refused as one too many. */
  tooMany: number;
}

export const asJson = (body: unknown, status = 200): VendorAnswer => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

/**
 * Starts a double.
 *
 * @param state what it keeps: what a test changes of it, the double reads
 * @param answer what the vendor answers to a request
 * @param limited what it answers to one too many, with the headers by which it asks to wait
 * @param isChange whether a request that is no GET changes something, by its body
 */
export async function startVendorDouble<State extends object>(
  state: State,
  answer: (request: VendorRequest & { url: URL; json: unknown }) => VendorAnswer,
  limited: () => VendorAnswer,
  isChange: (json: unknown) => boolean = () => true,
): Promise<VendorDouble & State> {
  const world = Object.assign(state, { losesAnswers: false, tooMany: 0 });
  const receiver = await startReceiver((request) => {
    if (world.tooMany > 0) {
      world.tooMany -= 1;
      return limited();
    }
    const json: unknown = request.body === '' ? undefined : JSON.parse(request.body);
    const answered = answer({ ...request, url: new URL(request.path, 'http://vendor'), json });
    const isLost = world.losesAnswers && request.method !== 'GET' && isChange(json) && answered.status < 300;
    return isLost ? { status: 502, body: 'Bad Gateway' } : answered;
  });
  return Object.assign(world, { url: receiver.url, receiver });
}
