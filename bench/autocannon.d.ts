/** The part of autocannon that the bench uses; the package ships no types. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration: number;
    /** Seconds until an answer is given up; 10 unless it is said. */
    timeout?: number;
    method: 'POST';
    headers: Record<string, string>;
    requests: {
      body?: string;
      setupRequest?: (request: object) => object;
      onResponse?: (status: number, body: string, context: unknown, headers: Record<string, string>) => void;
    }[];
  }

  interface Result {
    errors: number;
    timeouts: number;
    non2xx: number;
    /** Seconds that it really took. */
    duration: number;
  }

  /** Runs until `duration` is over. Emits `response` (client, status, bytes, milliseconds). */
  export default function autocannon(options: Options): EventEmitter & Promise<Result>;
}
