import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { CHANGED_KINDS, problemSchema } from '#backend/contract/problem.ts';
import { sqliteDialect } from '#backend/platform/database/dialect.ts';
import { changedMeanwhile } from '#backend/platform/endpoint/errors.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { createLogger } from '#backend/platform/logger/logger.ts';
import { createAnswerError } from './problems.ts';

test.each(CHANGED_KINDS)('a %s that was changed meanwhile comes with the error as the description says', (kind) => {
  const answerError = createAnswerError(createLogger('silent'), sqliteDialect);
  const request = { headers: { accept: 'application/json' }, complete: true } as IncomingMessage;
  const { status, body } = answerError(changedMeanwhile(kind, jsonText('{"version":2}')), request, 'id');
  expect(status).toBe(409);
  expect(z.strictObject(problemSchema.shape).parse(JSON.parse(body))).toMatchObject({ [kind]: { version: 2 } });
});
