import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';

/** Ids as OTLP's JSON has them: hexadecimal, not base64, and not all zero. */
const hexId = (bytes: number) => z.string().regex(new RegExp(`^(?!0+$)[0-9a-f]{${bytes * 2}}$`));
const nanoseconds = z.string().regex(/^\d{19}$/);
const attributesSchema = z.array(
  z.strictObject({
    key: z.string().min(1),
    value: z.union([
      z.strictObject({ stringValue: z.string() }),
      z.strictObject({ intValue: z.union([z.int(), z.string().regex(/^-?\d+$/)]) }),
      z.strictObject({ doubleValue: z.number() }),
      z.strictObject({ boolValue: z.boolean() }),
    ]),
  }),
);
const count = z.int().nonnegative().optional();

const spanSchema = z
  .strictObject({
    traceId: hexId(16),
    spanId: hexId(8),
    parentSpanId: hexId(8).optional(),
    traceState: z.string().optional(),
    flags: z.int().optional(),
    name: z.string().min(1),
    kind: z.int().min(1).max(5),
    startTimeUnixNano: nanoseconds,
    endTimeUnixNano: nanoseconds,
    attributes: attributesSchema,
    droppedAttributesCount: count,
    events: z.array(z.unknown()),
    droppedEventsCount: count,
    links: z.array(
      z.strictObject({
        traceId: hexId(16),
        spanId: hexId(8),
        traceState: z.string().optional(),
        attributes: attributesSchema,
        droppedAttributesCount: count,
        flags: z.int().optional(),
      }),
    ),
    droppedLinksCount: count,
    status: z.strictObject({ code: z.int().min(0).max(2), message: z.string().optional() }),
  })
  .refine(({ startTimeUnixNano, endTimeUnixNano }) => BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano));

/** A request of OTLP's traces in JSON (opentelemetry-proto, `ExportTraceServiceRequest`); what it does not have is refused. */
const exportSchema = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({
        attributes: attributesSchema,
        droppedAttributesCount: count,
        entityRefs: z.array(z.unknown()).optional(),
      }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({
            name: z.string(),
            version: z.string().optional(),
            attributes: attributesSchema.optional(),
            droppedAttributesCount: count,
          }),
          spans: z.array(spanSchema),
          schemaUrl: z.string().optional(),
        }),
      ),
      schemaUrl: z.string().optional(),
    }),
  ),
});

export type CollectedSpan = z.infer<typeof spanSchema>;

/** Stands for a collector of OpenTelemetry. */
export interface TraceCollector {
  url: string;
  /** Spans that it took. */
  spans: CollectedSpan[];
  /** What came, as text. */
  bodies: string[];
  /** Why it refused what it did. */
  errors: string[];
  /** Answers otherwise from now on: with a status, or never. */
  behave(how: 'well' | 'silent' | number): void;
  close(): Promise<void>;
}

/** Starts a collector that takes what a real one takes, and refuses the rest with a real one's statuses. */
export async function startTraceCollector(key?: string): Promise<TraceCollector> {
  let behaviour: 'well' | 'silent' | number = 'well';
  const [spans, bodies, errors]: [CollectedSpan[], string[], string[]] = [[], [], []];

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readText(request);
    const refuse = (status: number, why: string): void => {
      errors.push(why);
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify({ code: 3, message: why }));
    };
    if (behaviour === 'silent') return;
    if (behaviour !== 'well') return refuse(behaviour, `answers ${behaviour}, as it was asked to`);
    if (request.url !== '/v1/traces') return refuse(404, `nothing at ${request.url}`);
    if (request.method !== 'POST') return refuse(405, `no ${request.method}`);
    if (request.headers['content-type'] !== 'application/json') return refuse(415, 'not JSON');
    if (key !== undefined && request.headers['api-key'] !== key) return refuse(401, 'wrong key');
    bodies.push(body);
    const parsed = exportSchema.safeParse(JSON.parse(body));
    if (!parsed.success) return refuse(400, z.prettifyError(parsed.error));
    for (const { scopeSpans } of parsed.data.resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans);
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"partialSuccess":{}}');
  };

  const server: Server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      errors.push(String(error));
      response.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    bodies,
    errors,
    behave: (how) => (behaviour = how),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** The value of a span's attribute; undefined without one. */
export function attributeOf({ attributes }: CollectedSpan, key: string): unknown {
  const value = attributes.find((one) => one.key === key)?.value;
  return value && Object.values(value)[0];
}
