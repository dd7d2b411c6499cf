/* The page at /api/docs: Swagger UI over this server's own document, in the colours that the reader's system has. */

const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
paint();
dark.addEventListener('change', paint);

/** Calls tried from this page are made as the member who is signed in, so they need the session's token too. */
function addCsrfToken(request) {
  const cookie = document.cookie.split('; ').find((pair) => pair.startsWith('csrf-token='));
  if (cookie) request.headers['X-CSRF-Token'] = cookie.slice('csrf-token='.length);
  return request;
}

globalThis.SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  requestInterceptor: addCsrfToken,
});
