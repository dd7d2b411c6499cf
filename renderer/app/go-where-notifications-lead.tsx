import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { listenToWorker } from '#renderer/lib/notifications/service-worker.ts';

/** Goes where a clicked notification leads, in this page; who is signed out comes there after signing in. */
export function GoWhereNotificationsLead() {
  const navigate = useNavigate();
  useEffect(() => listenToWorker((message) => void (message.type === 'open' && navigate(message.path))), [navigate]);
  return null;
}
