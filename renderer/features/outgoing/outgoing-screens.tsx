import { Navigate, Route, Routes } from 'react-router-dom';
import { DestinationPage } from './destination-page.tsx';
import { DestinationsPage } from './destinations-page.tsx';
import { OUTGOING_PAGES } from './outgoing-labels.ts';
import { RulePage } from './rule-page.tsx';
import { RulesPage } from './rules-page.tsx';

/** The pages about what goes out, each at its address below `/admin/outgoing`. */
export function OutgoingScreens() {
  return (
    <Routes>
      <Route path="destinations" element={<DestinationsPage />} />
      <Route path="destinations/:id" element={<DestinationPage />} />
      <Route path="rules" element={<RulesPage />} />
      <Route path="rules/:id" element={<RulePage />} />
      <Route path="*" element={<Navigate to={OUTGOING_PAGES[0].to} replace />} />
    </Routes>
  );
}
