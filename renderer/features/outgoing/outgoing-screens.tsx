import { Navigate, Route, Routes } from 'react-router-dom';
import { CalendarPage } from './calendar-page.tsx';
import { CalendarsPage } from './calendars-page.tsx';
import { DestinationPage } from './destination-page.tsx';
import { DestinationsPage } from './destinations-page.tsx';
import { DESTINATIONS } from './entries.tsx';
import { GroupPage } from './group-page.tsx';
import { GroupsPage } from './groups-page.tsx';
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
      <Route path="groups" element={<GroupsPage />} />
      <Route path="groups/:id" element={<GroupPage />} />
      <Route path="calendars" element={<CalendarsPage />} />
      <Route path="calendars/:id" element={<CalendarPage />} />
      <Route path="*" element={<Navigate to={DESTINATIONS.to} replace />} />
    </Routes>
  );
}
