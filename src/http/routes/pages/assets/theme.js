/** Shows pages in the theme that the person has chosen in the console. GraphiQL has a choice of its own. */
export const KEY = 'portico.theme';

/** The stored choice: `light` or `dark`; null for that of the system. */
export const stored = localStorage.getItem(KEY);

if (stored) document.documentElement.dataset.theme = stored;
