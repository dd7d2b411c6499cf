import type { TestClient } from './test-client.ts';

/** Who makes the calls, and how an alert of the inbox is made. */
interface Callers {
  member: TestClient;
  newAlert: () => Promise<string>;
}

/** Every success that the document promises of accepting, deleting and snoozing, and of the ends of mutes, with a call that gets it. */
export function triageCalls(callers: () => Callers): Record<string, () => Promise<Response>> {
  const snooze = async (body: object) => {
    const { member, newAlert } = callers();
    const id = await newAlert();
    return { id, answer: await member.send('POST', `/api/alerts/${id}/snooze`, body) };
  };
  return {
    'POST /api/alerts/{id}/accept 200': async () => {
      const { member, newAlert } = callers();
      return member.send('POST', `/api/alerts/${await newAlert()}/accept`);
    },
    'DELETE /api/webhooks/{id} 204': async () => {
      const { member, newAlert } = callers();
      return member.send('DELETE', `/api/webhooks/${await newAlert()}`);
    },
    'GET /api/mute-ends 200': async () => {
      const { member, newAlert } = callers();
      await newAlert();
      await member.send('POST', '/api/alert-types/mutes', { alertType: 'disk.full', minutes: 30 });
      return member.get('/api/mute-ends');
    },
    'POST /api/alerts/{id}/snooze 200': async () => (await snooze({ minutes: 30 })).answer,
    'POST /api/alerts/{id}/wake 200': async () => {
      const { id } = await snooze({ until: new Date(Date.now() + 60_000).toISOString() });
      return callers().member.send('POST', `/api/alerts/${id}/wake`);
    },
    'GET /api/alerts/snoozed/counts 200': async () => {
      await snooze({ minutes: 30 });
      return callers().member.get('/api/alerts/snoozed/counts');
    },
    'GET /api/alerts/snoozed 200': async () => {
      await snooze({ minutes: 30 });
      await snooze({ minutes: 60 });
      return callers().member.get('/api/alerts/snoozed?limit=1');
    },
  };
}
