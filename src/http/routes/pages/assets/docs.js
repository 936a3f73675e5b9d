/** The reference of REST: Swagger UI over openapi.json, with requests as the signed-in person. */
import { accessToken, onSession } from './session.js';
import './sign-in.js';

/** Swagger UI has dark colours and asks for them by a class. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const dress = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', dress);
dress();

const ui = window.SwaggerUIBundle({
  url: 'openapi.json',
  domNode: document.getElementById('reference'),
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  filter: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  // No third party gets anything, not even the document for validation.
  validatorUrl: null,
  async requestInterceptor(request) {
    const token = await accessToken();
    const isOurs = new URL(request.url, location.href).origin === location.origin;
    if (token && isOurs && !request.headers.Authorization) request.headers.Authorization = `Bearer ${token}`;
    return request;
  },
  onComplete() {
    let isAuthorized = false;
    onSession((session) => {
      if (session) ui.preauthorizeApiKey('bearer', session.accessToken);
      else if (isAuthorized) ui.authActions.logout(['bearer']);
      isAuthorized = session !== null;
    });
  },
});
