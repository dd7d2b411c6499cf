import { Navigate, Route, Routes, useParams } from 'react-router-dom';
import { DeliveriesTab } from './deliveries/deliveries-tab.tsx';
import { DeliveryPage } from './delivery/delivery-page.tsx';
import { SourcesPage } from './list/sources-page.tsx';
import { MappingTab } from './mapping/mapping-tab.tsx';
import { NewSourcePage } from './new/new-source-page.tsx';
import { SourceTabPage, WithSource } from './page/source-page.tsx';
import { SettingsTab } from './settings/settings-tab.tsx';
import { SetUpTabPage } from './set-up/set-up-page.tsx';
import { pageOf } from './shown/source-addresses.ts';
import { UnknownKeysPage } from './unknown-keys/unknown-keys-page.tsx';

/** The pages about sources, each at its address below `/admin/sources`. */
export function SourcesScreens() {
  return (
    <Routes>
      <Route index element={<SourcesPage />} />
      <Route path="new" element={<NewSourcePage />} />
      <Route path="unknown-keys" element={<UnknownKeysPage />} />
      <Route path=":id" element={<ToDeliveries />} />
      <Route
        path=":id/deliveries"
        element={<SourceTabPage>{(source) => <DeliveriesTab source={source} />}</SourceTabPage>}
      />
      <Route path=":id/deliveries/:deliveryId" element={<OneDelivery />} />
      <Route
        path=":id/set-up"
        element={<SourceTabPage>{(source) => <SetUpTabPage source={source} />}</SourceTabPage>}
      />
      <Route path=":id/mapping" element={<SourceTabPage>{(source) => <MappingTab source={source} />}</SourceTabPage>} />
      <Route
        path=":id/settings"
        element={
          <SourceTabPage>{(source, actions) => <SettingsTab source={source} actions={actions} />}</SourceTabPage>
        }
      />
      <Route path="*" element={<Navigate to="/admin/sources" replace />} />
    </Routes>
  );
}

function ToDeliveries() {
  const { id = '' } = useParams();
  return <Navigate to={pageOf(id)} replace />;
}

function OneDelivery() {
  const { deliveryId = '' } = useParams();
  return <WithSource>{(source) => <DeliveryPage key={deliveryId} source={source} id={deliveryId} />}</WithSource>;
}
