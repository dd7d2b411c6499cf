import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useSetAtom } from 'jotai';
import type { Path } from 'react-router-dom';
import * as z from 'zod/mini';
import { type Login, type Session, sessionSchema } from '#backend/contract/session.ts';
import { type SecondStepAnswer, type SecondStepDue, signInAnswerSchema } from '#backend/contract/second-step.ts';
import { apiSend } from '#renderer/lib/api-client.ts';
import { setClock } from '#renderer/lib/clock.ts';
import { askForPasskey } from '#renderer/second-step/passkey-browser.ts';
import { sessionEndAtom, sessionQuery, signedOutByHandAtom } from '#renderer/session/session.ts';
import { forgetSentPush } from '#renderer/push/sent-push.ts';
import { useToasts } from '#renderer/toasts/toast.ts';
import * as texts from './texts.tsx';

/** What every way to sign in does with its answer: opens the screens behind the guard and says so, or says why not. */
export function useEnd() {
  const client = useQueryClient();
  const setSignedOutByHand = useSetAtom(signedOutByHandAtom);
  const setSessionEnd = useSetAtom(sessionEndAtom);
  const toasts = useToasts();
  return {
    succeed: async (session: Session): Promise<void> => {
      // No time on the screens behind the guard is of another zone.
      await setClock(session);
      setSignedOutByHand(false);
      setSessionEnd(undefined);
      forgetSentPush();
      client.setQueryData(sessionQuery.queryKey, session);
      toasts.show({ intent: 'done', title: texts.loginSuccessful });
    },
    fail: (description: string): void => {
      toasts.show({ variant: 'destructive', title: texts.loginFailed, description });
    },
  };
}

/** Signs in by e-mail and password. The mutation's answer may be that a second step is due. */
export function useSignIn(onSecondStep: (methods: SecondStepDue['secondStep']) => void) {
  const { succeed, fail } = useEnd();
  return useMutation({
    mutationFn: (login: Login) => apiSend('POST', '/api/auth/login', { body: login, schema: signInAnswerSchema }),
    onSuccess: (answer) => ('secondStep' in answer ? onSecondStep(answer.secondStep) : succeed(answer)),
    onError: ({ message }) => fail(message === '' ? texts.invalidEmailOrPassword : message),
  });
}

/** The second step of a sign-in, by a code or, with `passkey`, by what the browser is asked for. */
export type SecondStepInput = Extract<SecondStepAnswer, { code: string }> | { method: 'passkey'; remember: boolean };

/** Ends a sign-in by its second step. */
export function useSecondStep() {
  const { succeed, fail } = useEnd();
  return useMutation({
    mutationFn: async (input: SecondStepInput) => {
      const credential =
        input.method === 'passkey' ? await askForPasskey('/api/auth/login/second-step/passkey-options') : undefined;
      const body = credential ? { ...input, credential } : input;
      return apiSend<Session>('POST', '/api/auth/login/second-step', { body, schema: sessionSchema });
    },
    gcTime: 0,
    onSuccess: succeed,
    onError: ({ message }) => fail(message),
  });
}

/** Signs in with a passkey alone. */
export function usePasskeySignIn() {
  const { succeed, fail } = useEnd();
  return useMutation({
    mutationFn: async () => {
      const credential = await askForPasskey('/api/auth/login/passkey-options');
      return apiSend<Session>('POST', '/api/auth/login/passkey', { body: { credential }, schema: sessionSchema });
    },
    onSuccess: succeed,
    onError: ({ message }) => fail(message),
  });
}

const arrivalSchema = z.object({
  from: z.object({ pathname: z.string().check(z.startsWith('/')), search: z.string(), hash: z.string() }),
});

/**
 * Where to go after signing in: the page that the guard redirected from, else the inbox. The history state
 * outlives a version of the app, so it is read as what it is: unknown.
 */
export function destinationOf(state: unknown): Path {
  const arrival = arrivalSchema.safeParse(state);
  return arrival.success ? arrival.data.from : { pathname: '/', search: '', hash: '' };
}
