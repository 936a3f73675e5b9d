/** The interactive parts of the documentation: its contents, search, and forms to try routes as the signed-in person. */
import { addSearch } from './docs-search.js';
import { addTrial } from './docs-trial.js';
import './sign-in.js';
import './theme.js';

/** The table of contents is open beside a wide page, and closed above a narrow one. */
const contents = document.querySelector('.contents details');
const narrow = matchMedia('(max-width: 60rem)');
const adapt = () => {
  contents.open = !narrow.matches;
};
narrow.addEventListener('change', adapt);
adapt();

/** Opens the operation in the fragment of the URL. */
function openTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (!(target instanceof HTMLDetailsElement)) return;
  target.open = true;
  target.scrollIntoView();
}
addEventListener('hashchange', openTarget);
openTarget();

for (const place of document.querySelectorAll('[data-search]')) addSearch(place);

for (const operation of document.querySelectorAll('details.operation')) {
  const place = operation.querySelector('[data-try]');
  const make = () => operation.open && place.childElementCount === 0 && addTrial(place, operation.id);
  operation.addEventListener('toggle', make);
  make();
}
