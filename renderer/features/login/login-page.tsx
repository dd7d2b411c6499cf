import { useQuery } from '@tanstack/react-query';
import { Navigate, useLocation } from 'react-router-dom';
import { PRODUCT_NAME, PRODUCT_SUBTITLE } from '#backend/contract/product.ts';
import { sessionQuery } from '#renderer/lib/session.ts';
import { BrandMark } from '#renderer/ui/brand-mark.tsx';
import { DefaultAdministrator } from './default-administrator.tsx';
import { destinationOf } from './destination.ts';
import { LoginForm } from './login-form.tsx';
import './login-page.css';

/** The sign-in page. A signed-in member goes to the screen that they asked for. */
export function LoginPage() {
  const { data: session } = useQuery(sessionQuery);
  const { state } = useLocation();
  if (session) return <Navigate to={destinationOf(state)} replace />;
  return (
    <main className="ad-login">
      <header className="ad-login-brand">
        <BrandMark size={40} />
        <h1 className="ad-login-name">{PRODUCT_NAME}</h1>
        <p className="ad-login-subtitle">{PRODUCT_SUBTITLE}</p>
      </header>
      <LoginForm />
      <DefaultAdministrator />
    </main>
  );
}
