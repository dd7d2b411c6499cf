/**
 * A server for the bench, in a process of its own: `node serve-ingest.ts VARIANT`, configured by the environment as the
 * product is. Prints its address; ends when its input does.
 */
import { readConfig } from '#backend/config.ts';
import { createLogger } from '#backend/logger.ts';
import { startServer } from '#backend/server.ts';
import { INGEST_VARIANTS, ingestParts } from './ingest-writers.ts';

const variant = INGEST_VARIANTS.find((name) => name === process.argv[2]);
if (!variant) throw new Error(`There is no variant ${process.argv[2]}.`);

const server = await startServer(readConfig(process.env), createLogger('silent'), ingestParts[variant]);
console.log(server.url);
process.stdin.on('end', async () => {
  await server.stop();
  process.exit(0);
});
process.stdin.resume();
