import { cutText } from '#backend/contract/cut-text.ts';
import {
  type Encoding,
  encodingOf,
  faultOfJson,
  faultOfTemplate,
  fillTemplate,
  readHeaders,
} from '#backend/outgoing/destinations/phone-template.ts';
import type { Target } from '#backend/outgoing/destinations/destination-entity.ts';
import { wordsOf } from '#backend/outgoing/destinations/message-content.ts';
import type { KindModule, RenderedMessage } from './kind.ts';

/** Three parts of a text message (GSM 03.38 with concatenation: 153 characters each), in characters. */
const MAX_TEXT = 459;

/** A number by ITU-T E.164: a plus, the country's code, and 15 digits at most. */
export const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/;

const valuesOf = ({ room, secrets }: Target, { payload }: RenderedMessage) => {
  const { title, lines, link } = wordsOf(payload);
  const end = link === null ? '' : `\n${link}`;
  return {
    number: room ?? '',
    text: cutText([title, ...lines].join('\n'), MAX_TEXT - end.length) + end,
    title,
    link: link ?? '',
    secret: secrets.token ?? '',
  };
};

const headersOf = (written: string | null): Record<string, string> => {
  const headers = readHeaders(written ?? '');
  return 'fault' in headers ? {} : (headers as Record<string, string>);
};

/**
 * A gateway that sends text messages or calls a phone: any service that takes one request for each. The request is written as
 * templates; the secret is kept apart from them. Members' own channels use it with numbers of their own.
 */
export const phoneKind: KindModule = {
  label: 'Phone gateway',
  fieldNames: { room: 'phone number' },
  isForPeople: true,
  pauseMs: 0,
  faultOf(field, value) {
    if (field === 'url' || field === 'template') return faultOfTemplate(value);
    if (field === 'room')
      return PHONE_NUMBER.test(value) ? undefined : 'Enter the number with its country, such as +49 30 1234567.';
    if (field !== 'headers') return undefined;
    const headers = readHeaders(value);
    return 'fault' in headers ? String(headers['fault']) : faultOfTemplate(value);
  },
  faultsOf({ headers, template, method }) {
    if (method === 'GET' || template === null || template === '' || encodingOf(headersOf(headers)) !== 'json')
      return [];
    const fault = faultOfTemplate(template) ?? faultOfJson(template);
    return fault === undefined ? [] : [{ path: 'template', message: fault }];
  },
  render(target, message) {
    const values = valuesOf(target, message);
    const fill = (template: string | null, encoding: Encoding): string =>
      fillTemplate(template ?? '', values, encoding);
    const written = headersOf(target.headers);
    return {
      via: 'http',
      method: target.method ?? 'POST',
      url: fill(target.url, 'form'),
      headers: Object.fromEntries(Object.entries(written).map(([name, value]) => [name, fill(value, 'header')])),
      body: target.method === 'GET' ? '' : fill(target.template, encodingOf(written)),
    };
  },
  explain(status) {
    if (status === 401 || status === 403) return 'The gateway refused the secret. Enter it again.';
    if (status === 402) return 'The gateway asks for payment. Check the account there.';
    if (status === 400 || status === 422)
      return 'The gateway did not take the request. Compare the template with its documentation, and check the number.';
    return undefined;
  },
};
