import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { ApiDocument } from '#backend/http/api-document/api-document.ts';

/** An answer as a caller got it. */
export interface Answer {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  text: string;
}

/** Compares what the server really answers with what the API's document says. */
export interface DocumentChecker {
  /** Throws what is wrong when the document knows the call, but not this answer of it. */
  check(answer: Answer): void;
  /** Throws what is wrong when `value` is not what the document calls by this name. */
  checkEntity(name: string, value: unknown): void;
  /** Every successful answer that the document promises, e.g. `GET /api/folders/{id} 200`. */
  promised: readonly string[];
  /** Those of them that `check` has met so far. */
  met: ReadonlySet<string>;
}

interface Operation {
  name: string;
  method: string;
  path: RegExp;
  pointer: string;
  responses: Record<string, DocumentedResponse | { $ref: string }>;
}

interface DocumentedResponse {
  headers?: Record<string, { required?: boolean }>;
  content?: Record<string, unknown>;
}

const ROOT = 'alertdesk';

/** A document's operations and schemas; checkers of servers that are described alike share it. */
export interface CompiledDocument {
  document: ApiDocument;
  operations: readonly Operation[];
  /** Throws what is wrong when `value` is not what the schema at this place says. */
  checkSchema(pointer: string, value: unknown, what: string): void;
}

/** Compiles the document's schemas as they stand in it; each when it is first needed. */
export function compileDocument(document: ApiDocument): CompiledDocument {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  formats.default(ajv);
  ajv.addVocabulary([...Object.keys(document), 'example']);
  ajv.addSchema({ ...document, $id: ROOT });
  const compiled = new Map<string, ValidateFunction>();
  return {
    document,
    operations: operationsOf(document),
    checkSchema(pointer, value, what) {
      const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `${ROOT}#${pointer}` });
      compiled.set(pointer, validate);
      if (!validate(value)) throw new Error(`${what} is not as documented: ${ajv.errorsText(validate.errors)}`);
    },
  };
}

/** Looks at answers by a compiled document; what it has met is its own. */
export function createDocumentChecker({ document, operations, checkSchema }: CompiledDocument): DocumentChecker {
  const met = new Set<string>();
  return {
    promised: operations.flatMap(({ name, responses }) =>
      Object.keys(responses)
        .filter(isPromised)
        .map((status) => `${name} ${status}`),
    ),
    met,
    check({ method, path, status, headers, text }) {
      const operation = operations.find((one) => one.method === method && one.path.test(path));
      if (!operation || isAboutTheConnection(status)) return;
      const what = `${method} ${path} ${status}`;
      const documented = operation.responses[status];
      if (!documented) throw new Error(`${what} is not documented: ${text.slice(0, 200)}`);
      const pointer =
        '$ref' in documented ? documented.$ref.slice(1) : `${operation.pointer}/responses/${String(status)}`;
      const response = at(document, pointer) as DocumentedResponse;
      for (const [name, { required }] of Object.entries(response.headers ?? {})) {
        const value = headers.get(name);
        if (value === null && required) throw new Error(`${what} lacks the header ${name}.`);
        if (value === null) continue;
        const isNumber = /^\d+$/.test(value);
        checkSchema(`${pointer}/headers/${name}/schema`, isNumber ? Number(value) : value, `${name} of ${what}`);
      }
      if (!response.content) {
        if (text !== '') throw new Error(`${what} has a body, but none is documented.`);
      } else {
        const mediaType = (headers.get('Content-Type') ?? 'nothing').split(';')[0] ?? '';
        if (!(mediaType in response.content)) throw new Error(`${what} is ${mediaType}, which is not documented.`);
        const body: unknown = /[/+]json$/.test(mediaType) ? JSON.parse(text) : text;
        checkSchema(`${pointer}/content/${escaped(mediaType)}/schema`, body, what);
      }
      if (isPromised(String(status))) met.add(`${operation.name} ${status}`);
    },
    checkEntity(name, value) {
      checkSchema(`/components/schemas/${name}`, value, name);
    },
  };
}

const isPromised = (status: string): boolean => /^2\d\d$/.test(status);

/** 304 and 421 belong to HTTP, not to one call. */
const isAboutTheConnection = (status: number): boolean => status === 304 || status === 421;

function operationsOf(document: ApiDocument): Operation[] {
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      pointer: `/paths/${escaped(path)}/${method}`,
      responses: (operation as { responses: Operation['responses'] }).responses,
    })),
  );
  // A path that is spelled out comes before one with a parameter in the same place.
  return operations.toSorted((one, other) => Number(one.name.includes('{')) - Number(other.name.includes('{')));
}

/** A step of a JSON pointer in a URI's fragment. */
const escaped = (step: string): string => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));

function at(document: unknown, pointer: string): unknown {
  let value = document;
  for (const step of pointer.split('/').slice(1)) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
