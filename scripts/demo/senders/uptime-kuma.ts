import { type Sender, jsonRequest } from '#scripts/demo/webhook-request.ts';

const MONITORS = [
  { id: 12, name: 'Shop front page', url: 'https://shop.example.org/' },
  { id: 14, name: 'Customer portal', url: 'https://portal.example.org/health' },
  { id: 23, name: 'Partner API', url: 'https://api.example.org/v2/status' },
  { id: 31, name: 'Status page', url: 'https://status.example.org/' },
] as const;

const FAULTS = [
  'timeout of 16000ms exceeded',
  'Request failed with status code 503',
  'connect ECONNREFUSED 203.0.113.17:443',
  'certificate has expired',
] as const;

const localTime = (date: Date) => date.toISOString().replace('T', ' ').replace('Z', '');

/** Uptime Kuma's webhook: a monitor that went down, or came back. */
export const uptimeKuma: Sender = (random, now) => {
  const monitor = random.pick(MONITORS);
  const isUp = random.whole(1, 3) === 1;
  const message = isUp ? '200 - OK' : random.pick(FAULTS);
  const body = {
    heartbeat: {
      monitorID: monitor.id,
      status: isUp ? 1 : 0,
      time: localTime(now),
      msg: message,
      ...(isUp ? { ping: random.whole(12, 240) } : {}),
      important: true,
      duration: random.whole(20, 3_600),
      timezone: 'UTC',
      timezoneOffset: '+00:00',
      localDateTime: localTime(now).slice(0, 19),
    },
    monitor: {
      id: monitor.id,
      name: monitor.name,
      description: null,
      pathName: monitor.name,
      parent: null,
      childrenIDs: [],
      url: monitor.url,
      method: 'GET',
      hostname: null,
      port: null,
      maxretries: 1,
      weight: 2000,
      active: true,
      type: 'http',
      interval: 20,
      retryInterval: 20,
      accepted_statuscodes: ['200-299'],
      tags: [],
      maintenance: false,
    },
    msg: `[${monitor.name}] [${isUp ? '✅ Up' : '🔴 Down'}] ${message}`,
  };
  return jsonRequest('Uptime Kuma', body, { 'user-agent': 'Uptime-Kuma/1.23.16' });
};
