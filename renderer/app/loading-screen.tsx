import './loading-screen.css';

/** What protected screens show while the session is checked. */
export function LoadingScreen() {
  return (
    <main className="ad-loading-screen">
      <output>Loading...</output>
    </main>
  );
}
