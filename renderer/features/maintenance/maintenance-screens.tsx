import { Route, Routes } from 'react-router-dom';
import { WindowPage } from './window-page.tsx';
import { WindowsPage } from './windows-page.tsx';

/** Maintenance windows, each at its address below `/maintenance`. */
export function MaintenanceScreens() {
  return (
    <Routes>
      <Route index element={<WindowsPage />} />
      <Route path=":id" element={<WindowPage />} />
    </Routes>
  );
}
