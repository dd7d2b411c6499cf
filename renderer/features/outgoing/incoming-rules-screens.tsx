import { Route, Routes } from 'react-router-dom';
import { IncomingRulePage } from './incoming-rule-page.tsx';
import { IncomingRulesPage } from './incoming-rules-page.tsx';

/** The rules on what arrives, each at its address below `/admin/rules`. */
export function IncomingRulesScreens() {
  return (
    <Routes>
      <Route index element={<IncomingRulesPage />} />
      <Route path=":id" element={<IncomingRulePage />} />
    </Routes>
  );
}
