import { Navigate, Route, Routes } from 'react-router-dom';
import { PATHS } from '#renderer/lib/paths.ts';
import { HeartbeatPage } from './heartbeat-page.tsx';
import { HeartbeatsPage } from './heartbeats-page.tsx';

/** The pages about heartbeats, each at its address below `/heartbeats`. */
export function HeartbeatsScreens() {
  return (
    <Routes>
      <Route index element={<HeartbeatsPage />} />
      <Route path=":id" element={<HeartbeatPage />} />
      <Route path="*" element={<Navigate to={PATHS.heartbeats} replace />} />
    </Routes>
  );
}
